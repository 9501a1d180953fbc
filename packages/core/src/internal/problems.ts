import * as Evidence from "../Evidence.ts"
import { type Assessed, describeFailure } from "../Gates.ts"
import * as StopSignal from "../StopSignal.ts"
import type { Severity } from "../Verdict.ts"
import type { Known } from "./decide.ts"
import { readProse } from "./closing.ts"
import { isOrder } from "./requests.ts"
import { clip, contentWords, overlaps, plain, sentences } from "./text.ts"

/** One thing that keeps the task from being done. Only those with `push` are told to the agent. */
export interface Problem {
  readonly kind:
    | "gate"
    | "contradiction"
    | "policy"
    | "defect"
    | "announced"
    | "todos"
    | "left_work"
    | "handed_over"
    | "permission"
    | "not_begun"
    | "cut_off"
  readonly gate?: string
  readonly severity: Severity
  readonly fact: string
  readonly missing: string
  readonly action: string | null
  readonly push: boolean
}

const commands: Readonly<Record<string, string>> = {
  tests: "the tests",
  build: "the build",
  typecheck: "the type check",
  lint: "the linter"
}

const commandFor = (gate: Assessed): string => {
  const ran = gate.run !== null && !gate.run.masked ? gate.run.command : null
  const command = gate.command ?? ran
  return command === null || command.length > 120 ? (commands[gate.gate] ?? gate.gate) : `\`${command}\``
}

const actionFor = (gate: Assessed): string => {
  switch (gate.gate) {
    case "pr":
      return "Open the pull request that was asked for and give its URL."
    case "push":
      return "Push the branch, as asked."
    case "commit":
      return "Commit the change, as asked."
    case "ci":
      return gate.result === "failed"
        ? "Read the failed checks, fix their cause and push again."
        : "Check CI until it has finished, and fix what fails."
    default: {
      const command = commandFor(gate)
      if (gate.result !== "failed") return `Run ${command} now and fix what fails.`
      const first = gate.run?.failing[0]
      return first === undefined
        ? `Fix what fails, then run ${command} again.`
        : `Fix ${first.name}${first.file === null ? "" : ` in ${first.file}`}, then run ${command} again.`
    }
  }
}

const severityFor = (gate: Assessed): Severity => {
  if (gate.gate === "ci") return gate.result === "failed" ? "HIGH" : "MEDIUM"
  const failed = gate.result === "failed" || (gate.result === "stale" && gate.run?.result === "failed")
  return failed && gate.gate !== "pr" && gate.gate !== "push" ? "HIGH" : "LOW"
}

const quoteCommand = (gate: Assessed): string => (gate.run === null ? "" : ` (\`${clip(gate.run.command, 120)}\`)`)

const subjects: Readonly<Record<string, string>> = {
  tests: "The tests",
  build: "The build",
  typecheck: "The type check",
  lint: "The linter",
  pr: "A pull request",
  ci: "CI",
  push: "The push",
  commit: "The commit"
}

const because: Readonly<Record<NonNullable<Assessed["why"]>, string>> = {
  asked: "asked for",
  instructed: "required by the project's instructions",
  declared: "required by the project's configuration",
  strict: "required by the strict profile",
  left_failing: "left failing",
  reported: "reported as failing"
}

/** What the evidence says of a gate, as a sentence to the agent. */
const factFor = (gate: Assessed): string => {
  const subject = subjects[gate.gate] ?? `\`${gate.gate}\``
  const verb =
    gate.gate === "tests"
      ? { is: "were", ran: "have not been run", fails: "fail" }
      : { is: "was", ran: "has not been run", fails: "fails" }
  switch (gate.result) {
    case "failed":
      return `${subject} ${verb.fails}: ${describeFailure(gate)}${quoteCommand(gate)}.`
    case "stale":
      return `${subject} ${gate.detail.replace(", not run since", ` and ${verb.ran} since`)}${quoteCommand(gate)}.`
    default:
      if (gate.gate === "pr" || gate.gate === "push" || gate.gate === "commit")
        return `${subject} ${verb.is} ${because[gate.why ?? "asked"]} and ${gate.gate === "pr" ? "none was opened" : "did not happen"}.`
      return `${subject} ${verb.is} ${because[gate.why ?? "asked"]} and ${verb.ran}.`
  }
}

const unrelated =
  /\b(?:pre-?existing|unrelated|already (?:failing|broken|failed)|(?:fails?|failing|broken) on (?:main|master)|not (?:caused|related|introduced)|flaky|environment(?:al)?|sandbox|network|fails? as expected|expected to fail|without my changes?|fails? the same way)\b/i

/** A failure the agent says is not of its making is reported, not pushed: only a rerun on the base could settle it. */
const disowned = (known: Known): boolean => unrelated.test(known.stop.text.slice(-4000))

const already = /\b(?:already|nothing to (?:commit|push)|up[- ]to[- ]date|tree is clean|no changes to)\b/i

/** What the agent reports as done before is not missing; only the repository could tell otherwise. */
const doneBefore = (gate: Assessed, known: Known): boolean =>
  gate.result === "missing" &&
  (gate.gate === "commit" || gate.gate === "push" || gate.gate === "pr") &&
  known.evidence.edits.length === 0 &&
  already.test(known.stop.text.slice(-2000))

const gateProblems = (known: Known): ReadonlyArray<Problem> =>
  known.gates
    .filter(
      (gate) =>
        gate.required &&
        !doneBefore(gate, known) &&
        (gate.result === "failed" || gate.result === "stale" || gate.result === "missing")
    )
    .map((gate) => ({
      kind: "gate" as const,
      gate: gate.gate,
      severity: severityFor(gate),
      fact: factFor(gate),
      missing: `${gate.gate}: ${gate.result === "failed" ? describeFailure(gate) : gate.detail}${gate.result === "missing" ? "" : quoteCommand(gate)}`,
      action: actionFor(gate),
      push: !gate.denied && !(gate.how !== "fix" && gate.result === "failed" && disowned(known))
    }))

const contradictionProblems = (known: Known): ReadonlyArray<Problem> =>
  known.contradictions
    .filter(
      (found) =>
        !known.gates.some((gate) => gate.required && gate.run?.callId === found.callId && gate.result !== "passed")
    )
    .map((found) => ({
      kind: "contradiction" as const,
      severity: "HIGH" as const,
      fact: "",
      missing: `"${found.claim}" is contradicted: ${found.fact}`,
      action: "Fix what fails and run it again, or report the failure as it is.",
      push: true
    }))

const policyProblems = (known: Known): ReadonlyArray<Problem> => {
  const push = known.directPushes[0]
  const required = known.gates.some((gate) => gate.gate === "pr" && gate.required) || known.profile === "strict"
  if (push === undefined || !required || known.gates.some((gate) => gate.gate === "pr" && gate.result === "passed"))
    return []
  const branch = push.branch ?? known.evidence.branch ?? known.repo.branch ?? "the default branch"
  return [
    {
      kind: "policy",
      severity: "HIGH",
      fact: `You pushed straight to ${branch} although a pull request was required.`,
      missing: `a pull request: the change was pushed straight to ${branch}`,
      action: `Tell the user that the change went straight to ${branch}, move it to a branch and open the pull request; do not rewrite ${branch} without being asked.`,
      push: true
    }
  ]
}

const defect =
  /\b(?:sql injection|xss|cross-site scripting|csrf|remote code execution|rce|path traversal|command injection|auth(?:entication|orization)? bypass|security (?:hole|issue|vulnerability|bug|flaw|defect)|vulnerabilit(?:y|ies)|hard-?coded (?:[\w-]{1,20} )?(?:password|secret|credential|api key|token)s?|leaks? (?:the )?(?:password|secret|credential|token|api key)s?|data loss|loses? (?:user )?data|corrupts? (?:the )?(?:data|database)|production (?:outage|is down|crash))\b/i
const left =
  /\b(?:left (?:it|that|this|them|as[- ]is|alone|unchanged|untouched|in place)|didn't (?:fix|change|touch|address)|did not (?:fix|change|touch|address|remove)|haven't (?:fixed|addressed)|have not (?:fixed|addressed|removed)|not (?:fixed|addressed|removed)|unfixed|unaddressed|out of scope|for (?:now|later)|ignored (?:it|that)|still (?:there|present|exists|vulnerable|open)|remains?|can be (?:fixed|addressed) later|todo)\b/i
const harmless =
  /\b(?:no|not a|isn't|without|fixed (?:the|a|it)|prevents?|protects?|mitigat\w{1,6}|removed|resolved|patched|avoids?|guards?|false positive)\b/i

const defectProblems = (known: Known): ReadonlyArray<Problem> => {
  if (known.evidence.actions === 0 || known.reading.question !== null) return []
  const said = readProse(known.stop.spokeLast ? known.stop.text : "").paragraphs.flatMap((lines) =>
    lines.flatMap((line) => sentences(plain(line)))
  )
  const at = said.findIndex((sentence) => defect.test(sentence.slice(0, 600)) && !harmless.test(sentence.slice(0, 600)))
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
      push: true
    }
  ]
}

/** What is handed over is the agent's own: it changed code and left the check of it, or it was asked to run that itself. */
const handedOverTask = (known: Known): boolean =>
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

const textProblems = (known: Known): ReadonlyArray<Problem> => {
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
          push: true
        }
      ]
    case "cut_off":
      return [
        {
          kind: "cut_off",
          ...low,
          fact: "Your last message was cut off.",
          missing: "the rest of the final message",
          action: "Go on from where the message was cut off.",
          push: true
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
          push: handedOverTask(known)
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
          push: known.task.intent === "act" && known.evidence.actions > 0
        }
      ]
    default:
      return []
  }
}

/** A change was ordered, not discussed, and nothing on record changes anything. */
const untouched = (known: Known): boolean =>
  known.task.intent === "act" &&
  !known.task.continued &&
  known.task.mode !== "plan" &&
  known.evidence.actions === 0 &&
  known.evidence.edits.length === 0 &&
  known.evidence.delegated === 0 &&
  known.evidence.denied.length === 0 &&
  !known.evidence.opaque &&
  known.task.about !== "ops" &&
  isOrder(known.task.message)

const notBegun = (known: Known): ReadonlyArray<Problem> => {
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
    push: true
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

/** Told to go on until everything is done, the agent stops and names what it could do next. */
const stoppedShort = (known: Known): ReadonlyArray<Problem> => {
  if (!known.task.wantsAll || known.evidence.calls === 0) return []
  const quote = readProse(known.stop.spokeLast ? known.stop.text : "")
    .closing.slice(-6)
    .find((sentence) => stopsShort.test(sentence.slice(0, 400)))
  if (quote === undefined) return []
  return [
    {
      kind: "left_work",
      severity: "LOW",
      fact: `You were told to go on until everything is done, and stopped with work that you name yourself: "${quote.slice(0, 200)}"`,
      missing: `work that the agent names and was told to go on with: "${quote.slice(0, 200)}"`,
      action: "Go on with the next open item; stop only when all are done or something blocks you.",
      push: true
    }
  ]
}

/** "If you want steps, we'd need to …", where the user's message asks for the steps. */
const deferredProblems = (known: Known): ReadonlyArray<Problem> => {
  if (known.evidence.actions === 0 || known.reading.closing !== "finished") return []
  const message = known.task.message.toLowerCase()
  const found =
    known.reading.deferred.find(({ what }) => what.length > 3 && message.includes(what)) ??
    known.reading.unfinished
      .filter(
        (text) => known.task.message.length <= 600 && isOrder(known.task.message) && overlaps(text, known.task.message)
      )
      .map((text) => ({ text }))[0]
  if (found === undefined) return []
  return [
    {
      kind: "left_work",
      severity: "LOW",
      fact: `You left out what was asked for: "${found.text}"`,
      missing: `what was asked for and left out: "${found.text}"`,
      action: "Do the part that you left out, or say why it cannot be done.",
      push: true
    }
  ]
}

/** The words by which a text speaks of a gate. */
const words: Readonly<Record<string, RegExp>> = {
  tests: /\b(?:tests?|suite|specs?)\b/i,
  build: /\b(?:build|compile)\b/i,
  typecheck: /\btype ?-?check|\btypes?\b/i,
  lint: /\blint/i,
  pr: /\b(?:pr|pull request|merge request)\b/i,
  ci: /\b(?:ci|checks|pipeline)\b/i,
  push: /\bpush/i,
  commit: /\bcommit/i
}

/** A todo to run a check that has passed since was only not ticked off. */
const provedDone = (todo: string, known: Known): boolean =>
  /\b(?:run|verify|validat\w{1,3}|check|test|lint|build)\b/i.test(todo) &&
  known.gates.some((gate) => words[gate.gate]?.test(todo) === true) &&
  known.gates.every((gate) => words[gate.gate]?.test(todo) !== true || gate.result === "passed")

const todoProblems = (known: Known): ReadonlyArray<Problem> => {
  const open = StopSignal.openTodos(known.stop).filter((todo) => !provedDone(todo, known))
  if (open.length === 0 || known.task.intent === "ask" || known.task.intent === "discuss" || known.reading.yields)
    return []
  return [
    {
      kind: "todos",
      severity: "LOW",
      fact: `Your own todo list has ${open.length} open: ${open.slice(0, 4).join("; ")}.`,
      missing: `open todos: ${open.slice(0, 8).join("; ")}`,
      action: `Finish the open todos, beginning with: ${open[0] ?? ""}`,
      push: true
    }
  ]
}

const alternatives = /\bor\b/i

const offersCheck =
  /\b(?:run|rerun|re-run|execute|try)\b[^?]{0,60}\b(?:tests?|test suite|lint\w{0,4}|build|type ?check\w{0,3}|checks?|suite|it)\b|\bverify\b|\badd (?:the|these|those|some|proper)?\s?(?:missing |unit |regression )?tests?\b/i

/** Leave asked for what was asked, or for checking one's own change. */
const permissionProblems = (known: Known): ReadonlyArray<Problem> => {
  const { question } = known.reading
  if (
    question === null ||
    question.kind === "information" ||
    question.kind === "risk" ||
    alternatives.test(question.text)
  )
    return []
  const edited = Evidence.lastEdit(known.evidence, ["source", "test", "conflict"]) > 0
  const unchecked = !known.gates.some((gate) => gate.gate === "tests" && gate.result === "passed")
  const ownCheck = edited && unchecked && offersCheck.test(question.text) && known.task.intent !== "ask"
  if (restOfTask.test(question.text) && known.task.intent === "act" && known.evidence.actions > 0)
    return [leaveAsked(question.text)]
  if (asksLeave.test(question.text) && !/^(?:what|which|where|how|who)\b/i.test(question.text) && untouched(known))
    return [leaveAsked(question.text)]
  if (sharesPhrase(question.text, known.task.message) && isOrder(known.task.message) && offersAct.test(question.text))
    return [leaveAsked(question.text)]
  const asked = known.gates.find(
    (gate) => gate.why === "asked" && gate.result !== "passed" && (words[gate.gate]?.test(question.text) ?? false)
  )
  return ownCheck || asked !== undefined ? [leaveAsked(question.text)] : []
}

const offersAct =
  /\b(?:want|like) me to (?:also )?(?:fix|add|implement|update|remove|rename|write|create|convert|migrate|change|replace|handle|do)\b/i

const phrases = (text: string): ReadonlySet<string> => {
  const words =
    text
      .toLowerCase()
      .slice(0, 2000)
      .match(/[a-z][a-z-]{2,30}/g) ?? []
  const joined = words.slice(1).map((word, index) => `${words[index] ?? ""} ${word}`)
  return new Set(joined.filter((pair) => contentWords(pair).size === 2))
}

/** Whether two texts have two words of meaning side by side in common, as in "the missing footer". */
const sharesPhrase = (left: string, right: string): boolean => {
  const known = phrases(right)
  return [...phrases(left)].some((pair) => known.has(pair))
}

const restOfTask =
  /\b(?:continue|go on|carry on|proceed|finish|do|complete|migrate|convert|update|fix)\b[^?]{0,40}\b(?:remaining|rest of|rest|others|other (?:\w+))\b/i

const asksLeave =
  /\b(?:should|shall|can|may) i\b|\bwant me to\b|\bwould you like me to\b|\bready (?:for me )?to\b|\blike me to\b/i

const leaveAsked = (question: string): Problem => ({
  kind: "permission",
  severity: "LOW",
  fact: `You asked for leave to do what the task already includes: "${question}"`,
  missing: `what the agent asks leave for: "${question}"`,
  action: "Do it without asking.",
  push: true
})

/** Everything that is missing, gravest first. */
export const problems = (known: Known): ReadonlyArray<Problem> => [
  ...defectProblems(known),
  ...policyProblems(known),
  ...contradictionProblems(known),
  ...gateProblems(known),
  ...notBegun(known),
  ...textProblems(known),
  ...deferredProblems(known),
  ...stoppedShort(known),
  ...permissionProblems(known),
  ...todoProblems(known)
]
