import * as ShellCommand from "../shell/ShellCommand.ts"
import { gateOfCheck } from "../gates/GateWords.ts"
import type { InstructedGate } from "./model.ts"
import type { Scripts } from "../shell/model.ts"

const maxLines = 4_000
const maxLine = 2_000

/** Words that make a sentence a demand, or say that it holds whenever work is finished. */
const demand =
  /\b(?:always|must|make sure|ensure|be sure to|need to|required? to|remember to|don't forget to|do not forget to|before (?:you )?(?:commit|push|finish|complet|submit|open|creat|mark|mak|declar|call|consider|rais|report|hand|end|merg|claim|say|stop|any commit|each commit|every commit|a commit|the commit|a pr\b|a pull|done|returning)|prior to (?:commit|push|submit|merg)|after (?:you (?:make|change|edit|finish)|making|editing|finishing|completing|every|each|any|all)|when (?:you are |you're )?(?:done|finished)|once (?:you are |you're )?(?:done|finished))/

const refusal =
  /\b(?:do not|don't|never|no need|avoid|not required|not necessary|optional(?:ly)?|skip|instead of|unless|only if|only when|should not|shouldn't|cannot|can't|if you|if the|if your|when the|when you (?:add|chang|modif|edit|touch|updat)|for (?:example|instance))\b/

const never = /\bnever (?:commit|push|finish|merge|submit|open|mark)\b.{1,80}\b(?:without|until|unless)\b/

const negation = /\bdon't forget\b|\bdo not forget\b/g

const runs = /\b(?:re-?run|run|runs|running|execute|executing|invoke|use)\b/

/** What a sentence may demand, each with the verb that makes it a demand for a run. */
const demands: ReadonlyArray<readonly [InstructedGate, RegExp]> = [
  [
    "tests",
    /\b(?:re-?run|run|running|execute|executing)\b[^.]{0,60}\btests?\b(?! files?\b)|\btests?(?: suite)? (?:must |should |need to |have to |all |still )?(?:pass|be green|are green|succeed)|\bpassing (?:unit |all )?tests?\b/
  ],
  [
    "lint",
    /\b(?:re-?run|run|running|execute)\b[^.]{0,60}\b(?:lint|linter|linters|linting)\b|\b(?:lint|linter|linting) (?:must |should )?(?:pass|passes|succeed|be clean|is clean)/
  ],
  [
    "build",
    /\b(?:re-?run|run|running)\b[^.]{0,40}\b(?:the|a|full|production) build\b|\b(?:code|project|everything|it|app) (?:still )?(?:builds|compiles)\b|\bbuild (?:must |should |still )?(?:pass|passes|succeed|succeeds)\b/
  ],
  [
    "typecheck",
    /\b(?:re-?run|run|running|execute)\b[^.]{0,60}\b(?:type-?check|type check|type-?checker|type checks?|type checking)\b|\btype-? ?checks? (?:must |should )?(?:pass|passes)\b/
  ],
  ["pr", /\b(?:open|create|submit|raise) (?:a |an? |the )?(?:draft )?(?:pr|pull request|merge request|mr)\b/],
  [
    "ci",
    /\b(?:wait for|ensure|verify|check|make sure)\b[^.]{0,30}\b(?:ci|github actions|the pipeline)\b[^.]{0,30}\b(?:pass|passes|passed|green|succeed|succeeds)\b/
  ]
]

const gateOf: Partial<Record<ShellCommand.CommandClass, InstructedGate>> = gateOfCheck

const gatesOf = (command: string, scripts?: Scripts): ReadonlyArray<InstructedGate> =>
  ShellCommand.analyze(command.slice(0, 300), scripts).commands.flatMap((one) =>
    one.dryRun ? [] : one.classes.flatMap((name) => gateOf[name] ?? [])
  )

/** What a command is asked for by its name, as far as its script agrees: `npm test` asks for no build, though it may do one. */
const ofCommand = (command: string, scripts: Scripts): ReadonlyArray<InstructedGate> => {
  const byName = gatesOf(command)
  const byScript = gatesOf(command, scripts)
  const both = byName.filter((gate) => byScript.includes(gate))
  return both.length > 0 ? both : byScript.length > 0 ? byScript : byName
}

const isDemand = (sentence: string): boolean => {
  const plain = sentence.replace(negation, "remember")
  return never.test(plain) || (demand.test(plain) && !refusal.test(plain))
}

const codeSpans = (sentence: string): ReadonlyArray<string> =>
  [...sentence.matchAll(/`([^`]{2,200})`/g)].map((match) => match[1] ?? "")

const withoutCode = (sentence: string): string => sentence.replace(/`[^`]{0,200}`/g, "`")

/** What `before a PR` or the like says is when, not what. */
const withoutWhen = (sentence: string): string =>
  sentence.replace(/\b(?:before|prior to|after|when|once|until|without)\b[^,:.]{0,120}/g, " ")

const ofSentence = (sentence: string, scripts: Scripts): ReadonlyArray<InstructedGate> => {
  const lower = sentence.toLowerCase()
  if (!isDemand(withoutCode(lower))) return []
  const text = withoutCode(lower)
  const wanted = never.test(text) ? text : withoutWhen(text)
  const named = demands.flatMap(([gate, pattern]) =>
    pattern.test(gate === "pr" || gate === "ci" ? withoutWhen(text) : text) ? [gate] : []
  )
  const commands =
    runs.test(wanted) || runs.test(text) ? codeSpans(sentence).flatMap((code) => ofCommand(code, scripts)) : []
  return [...named, ...commands]
}

const sentences = (line: string): ReadonlyArray<string> =>
  line
    .replace(/^[\s>#*+-]{0,40}(?:\d{1,3}[.)]\s)?(?:\[[ x]\]\s)?/, "")
    .replaceAll("**", "")
    .split(/[.;!?]\s/)

/** A demand that ends in a colon speaks of the list or the block of commands under it. */
const opensList = (line: string): boolean =>
  line
    .trimEnd()
    .replace(/\*{1,2}$/, "")
    .endsWith(":") &&
  isDemand(withoutCode(line.toLowerCase())) &&
  runs.test(line.toLowerCase())

const isItem = (line: string): boolean => /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s/.test(line)

/** Gates that instructions demand in so many words; anything less plain is left out. */
export const instructedGates = (text: string, scripts: Scripts): ReadonlyArray<InstructedGate> => {
  const found = new Set<InstructedGate>()
  let fenced = false
  let listed = false
  for (const full of text.split("\n", maxLines)) {
    const line = full.slice(0, maxLine)
    if (/^\s{0,12}(?:```|~~~)/.test(line)) {
      if (fenced) listed = false
      fenced = !fenced
      continue
    }
    if (fenced) {
      if (listed) for (const gate of ofCommand(line.replace(/^\s{0,8}\$\s/, ""), scripts)) found.add(gate)
      continue
    }
    if (line.trim() === "") continue
    for (const sentence of sentences(line)) for (const gate of ofSentence(sentence, scripts)) found.add(gate)
    if (listed && isItem(line)) {
      for (const code of codeSpans(line)) for (const gate of ofCommand(code, scripts)) found.add(gate)
      continue
    }
    listed = opensList(line)
  }
  return [...found]
}
