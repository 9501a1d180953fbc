import * as Evidence from "../../../session/evidence/Evidence.ts"
import * as StopSignal from "../../../session/stop/StopSignal.ts"
import { readProse } from "../../../ground/text/AgentSentences.ts"
import { speaksOf } from "../../../session/gates/GateWords.ts"
import { strictOnly } from "../levels.ts"
import { isOrder, wantsReportOnly } from "../../../session/task/Intent.ts"
import { sayOf, stepsLeft } from "../../../session/stop/NextSteps.ts"
import { overlaps, plain, sentences } from "../../../ground/text/Text.ts"
import type { Known, Problem } from "../model.ts"

const defect =
  /\b(?:sql injection|xss|cross-site scripting|csrf|ssrf|remote code execution|rce|path traversal|directory traversal|command injection|open redirect)\b|\bauth(?:entication|orization)? bypass\b|\b(?:no|without|lacks?|missing) (?:any )?(?:authentication|authorization|access control|auth check)\b|\bsecurity (?:hole|issue|vulnerability|bug|flaw|defect|problem)s?\b|\bvulnerabilit(?:y|ies)\b|\bvulnerable to\b|\bhard-?coded (?:[\w-]{1,20} ){0,3}(?:passwords?|secrets?|credentials?|keys?|tokens?)\b|\b(?:passwords?|secrets?|credentials?|keys?|tokens?) (?:\w+ ){0,3}hard-?coded\b|\b(?:passwords?|card numbers?|credit cards?|secrets?|tokens?|credentials?) (?:\w+ ){0,8}(?:in )?(?:plain ?text|clear ?text|unencrypted)\b|\bleaks? (?:the |a |our )?(?:\w+ )?(?:passwords?|secrets?|credentials?|tokens?|keys?)\b|\bdata[- ]loss\b|\bloses? (?:\w+ )?data\b|\bcorrupts? (?:the )?(?:data|database)\b|\b(?:data|notes|records|rows|contents?|column)\b[^.?!]{0,40}\b(?:will be|is|are|gets?) lost\b|\bproduction (?:outage|is down|crash\w{0,3})\b/i

const left =
  /\b(?:left (?:it|that|this|them|as[- ]is|alone|unchanged|untouched|in place)|(?:didn't|did not|haven't|have not|not) (?:fix|change|touch|address|remove)(?:ed|d)?|unfixed|unaddressed|unchanged|out of scope|not part of (?:this|the)|for (?:now|later)|ignored (?:it|that)|still (?:there|present|exists|vulnerable|open)|remains?|(?:is|are) possible|at the moment|currently|can be (?:fixed|addressed) later|todo)\b/i

/** Nothing is wrong, it is mended, or it is a known advisory of something that was there before. */
const excused =
  /\b(?:no (?:\w+ ){0,2}(?:vulnerabilit\w{1,4}|security|injection|xss|data loss|leaks?)|not a|isn't|without (?:data loss|leaking)|fixed (?:the|a|it|this)|prevents?|protects?|mitigat\w{1,6}|(?<!not )removed|resolved|patched|avoids?|guards?|false positive|npm audit|advisor(?:y|ies)|dev ?dependenc(?:y|ies)|there before|pre-?existing advisor\w{1,4})\b/i

export const defectProblems = (known: Known): ReadonlyArray<Problem> => {
  if (known.evidence.actions === 0 || (known.reading.question !== null && known.reading.question.kind !== "extra"))
    return []
  const said = readProse(known.stop.spokeLast ? known.stop.text : "").paragraphs.flatMap((lines) =>
    lines.flatMap((line) => sentences(plain(line)))
  )
  const at = said.findIndex((sentence) => defect.test(sentence.slice(0, 600)) && !excused.test(sentence.slice(0, 600)))
  if (at < 0) return []
  const near = `${said[at - 1] ?? ""} ${said[at] ?? ""} ${said[at + 1] ?? ""}`.slice(0, 1200)
  if (!left.test(near)) return []
  const quote = (said[at] ?? "").slice(0, 200)
  return [
    {
      kind: "defect",
      severity: "BLOCKER",
      fact: `You found a defect and left it in place: "${quote}"`,
      missing: `a fix for the defect that the agent reports and leaves: "${quote}"`,
      action: "Fix the defect, with a test that shows it; if it must not be fixed here, ask the user.",
      stands: true,
      level: "push"
    }
  ]
}

/** "I'll run the tests myself" */
const runByUser =
  /\bi(?:'ll| will|'m going to| am going to| can)(?: then| later| just)? (?:run|test|execute|check|try|verify|build)\b/i

/** What is handed over is the agent's own: it changed code and left the check of it, or it was asked to run that itself. */
const handedOverTask = (known: Known): boolean =>
  !runByUser.test(known.task.message.slice(0, 2000)) &&
  known.evidence.actions > 0 &&
  known.evidence.denied.length === 0 &&
  (known.reading.handsOver?.confirm === true
    ? known.taskType === "coding" && known.evidence.exercised < Evidence.lastEdit(known.evidence, ["source", "test"])
    : isOrder(known.task.message) &&
      overlaps(
        (known.reading.handsOver?.text ?? "").replaceAll(/\b(?:run|please|don't forget)\b/gi, ""),
        known.task.message
      ) &&
      /\b(?:run|apply|execute|start|install|migrate|deploy|build)\b/i.test(known.task.message.slice(0, 1000)))

export const textProblems = (known: Known): ReadonlyArray<Problem> => {
  const { reading } = known
  const low = { severity: "LOW" as const }
  switch (reading.closing) {
    case "announces":
      return [
        {
          kind: "announced",
          ...low,
          fact: "You announced a next step and stopped before taking it.",
          missing: "the step that the final text announces",
          action: "Take the step that you announced.",
          stands: true,
          level: "push"
        }
      ]
    case "cut_off":
      if (known.stop.completed === true && isProved(known)) return []
      return [
        {
          kind: "cut_off",
          ...low,
          fact: "Your last message was cut off.",
          missing: "the rest of the final message",
          action: "Go on from where the message was cut off.",
          stands: true,
          level: "push"
        }
      ]
    case "hands_over":
      return [
        {
          kind: "handed_over",
          ...low,
          fact: `You asked the user to do what you can do yourself: "${reading.handsOver?.text ?? ""}"`,
          missing: `a step handed to the user: "${reading.handsOver?.text ?? ""}"`,
          action: "Run it yourself and report what it prints.",
          stands: handedOverTask(known),
          level: "push"
        }
      ]
    case "left_work":
      return [
        {
          kind: "left_work",
          ...low,
          fact: `You wrote that work is left: "${reading.leftWork[0] ?? ""}"`,
          missing: reading.leftWork[0] ?? "work that the final text says is left",
          action: "Finish what you say is left, or say why it cannot be done now.",
          stands: known.task.intent === "act" && known.evidence.actions > 0,
          level: "push"
        }
      ]
    default:
      return []
  }
}

/** Whether a check has passed since the last edit, and none fails. */
const isProved = ({ gates }: Known): boolean =>
  gates.some((gate) => gate.result === "passed") && !gates.some((gate) => gate.result === "failed")

/** "Next steps: 1. … 2. …": the agent's own, at the end of work that it began, or in its place. */
export const stepProblems = (known: Known): ReadonlyArray<Problem> => {
  const { evidence, reading, stop, task } = known
  if (task.intent !== "act" || reading.closing !== "finished" || reading.yields || reading.dependsOn !== null) return []
  if (task.mode === "plan" || isProved(known) || !(evidence.edits.length > 0 || untouched(known))) return []
  const steps = stepsLeft(readProse(stop.spokeLast ? stop.text : ""), `${task.text} ${task.message}`)
  return steps?.sure === true
    ? [{ kind: "announced", severity: "LOW", ...sayOf(steps), stands: true, level: "push" }]
    : []
}

/** A change was ordered, not discussed, and nothing on record changes anything. */
export const untouched = (known: Known): boolean =>
  known.task.intent === "act" &&
  !known.task.continued &&
  known.task.mode !== "plan" &&
  known.evidence.actions === 0 &&
  known.evidence.edits.length === 0 &&
  known.evidence.delegated === 0 &&
  known.evidence.denied.length === 0 &&
  !known.evidence.opaque &&
  known.task.about !== "ops" &&
  isOrder(known.task.message) &&
  !wantsReportOnly(known.task.message)

export const notBegun = (known: Known): ReadonlyArray<Problem> => {
  if (
    !untouched(known) ||
    known.reading.question !== null ||
    (known.reading.closing !== "finished" && known.reading.closing !== "hands_over")
  )
    return []
  const problem = {
    kind: "not_begun" as const,
    severity: "LOW" as const,
    missing: "the change that was asked for: nothing was changed",
    stands: true,
    level: "push" as const
  }
  if (known.reading.changeClaimed !== null) {
    return [
      {
        ...problem,
        severity: "HIGH",
        fact: `You wrote "${known.reading.changeClaimed}", but no edit and no command that changes anything is on record.`,
        action: "Make the change in the files, then check it."
      }
    ]
  }
  return known.reading.instructs
    ? [
        {
          ...problem,
          fact: "You told the user how to do what you were asked to do yourself.",
          action: "Make the change yourself with your tools, then check it."
        }
      ]
    : []
}

const stopsShort =
  /\b(?:if you want,? i can (?:keep|continue|go on|start|take|do)|unless you want (?:me )?to|reasonable (?:place|point) to stop|good (?:place|point) to stop|(?:remaining|still open|next) (?:items?|work|steps?|tasks?)|want me to (?:keep|continue)|i can keep (?:going|pushing|working))\b/i

/** What was asked for and left out, in the words of the rule that found it. */
export const leftOut = (
  quote: string,
  [fact, missing, action]: readonly [fact: string, missing: string, action: string]
): ReadonlyArray<Problem> => [
  {
    kind: "left_work",
    severity: "LOW",
    fact: `${fact}: "${quote}"`,
    missing: `${missing}: "${quote}"`,
    action,
    stands: true,
    level: "push"
  }
]

/** Told to go on until everything is done, the agent stops and names what it could do next. */
export const stoppedShort = (known: Known): ReadonlyArray<Problem> => {
  if (!known.task.wantsAll || known.evidence.calls === 0) return []
  const quote = readProse(known.stop.spokeLast ? known.stop.text : "")
    .closing.slice(-6)
    .find((sentence) => stopsShort.test(sentence.slice(0, 400)))
  if (quote === undefined) return []
  return leftOut(quote.slice(0, 200), [
    "You were told to go on until everything is done, and stopped with work that you name yourself",
    "work that the agent names and was told to go on with",
    "Go on with the next open item; stop only when all are done or something blocks you."
  ])
}

/** A part that the user leaves for another time, or asks about, is not left out. */
const putOff =
  /\b(?:later|tomorrow|for now|at a time|batch(?:es)?|skip|leave|only|first|start|begin|(?:one|two|some|half) of|(?:yet|still \w+) to be|(?:phase|step|part|stage|milestone) (?:\d{1,2}|one|two|three|[a-d]))\b/i

/** "If you want steps, we'd need to …", where the user's message asks for the steps. */
export const deferredProblems = (known: Known): ReadonlyArray<Problem> => {
  const { deferred, closing, unfinished } = known.reading
  if (known.evidence.actions === 0 || closing !== "finished") return []
  const { message } = known.task
  const lowered = message.toLowerCase()
  const found =
    deferred.find(({ what }) => what.length > 3 && lowered.includes(what)) ??
    unfinished
      .filter((text) => message.length <= 600 && isOrder(message) && !putOff.test(message) && overlaps(text, message))
      .map((text) => ({ text }))[0]
  if (found === undefined) return []
  return leftOut(found.text, [
    "You left out what was asked for",
    "what was asked for and left out",
    "Do the part that you left out, or say why it cannot be done."
  ])
}

/** A todo to run a check that has passed since was only not ticked off. */
const provedDone = (todo: string, known: Known): boolean =>
  /\b(?:run|verify|validat\w{1,3}|check|test|lint|build)\b/i.test(todo) &&
  known.gates.some((gate) => speaksOf(todo, gate.gate)) &&
  known.gates.every((gate) => !speaksOf(todo, gate.gate) || gate.result === "passed")

/** A todo to sum up or report is done by the final text itself. */
const toldInText = (todo: string, known: Known): boolean =>
  /^(?:\w+ ){0,2}(?:summari[sz]e|report|tell|inform|explain|present|notify|reply|answer|share|give (?:a |the )?(?:summary|overview))\b/i.test(
    todo
  ) &&
  known.stop.spokeLast &&
  known.stop.text.length > 30

export const todoProblems = (known: Known): ReadonlyArray<Problem> => {
  const open = StopSignal.openTodos(known.stop).filter((todo) => !provedDone(todo, known) && !toldInText(todo, known))
  if (open.length === 0 || known.task.intent === "ask" || known.task.intent === "discuss" || known.reading.yields)
    return []
  return [
    {
      kind: "todos",
      severity: "LOW",
      fact: `Your own todo list has ${open.length} open: ${open.slice(0, 4).join("; ")}.`,
      missing: `open todos: ${open.slice(0, 8).join("; ")}`,
      action: `Finish the open todos, beginning with: ${open[0] ?? ""}`,
      stands: true,
      level: strictOnly(known)
    }
  ]
}
