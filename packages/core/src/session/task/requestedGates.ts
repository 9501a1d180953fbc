import * as ShellCommand from "../shell/ShellCommand.ts"
import type { Ask } from "./model.ts"
import { bounded, checks, nouns, runVerbs, notThing, askPatterns, startsWithVerb } from "./RequestPatterns.ts"
import { gateOfCheck } from "../gates/GateTable.ts"
import { type Guarded, guarded } from "../../ground/text/Guarded.ts"
import { imperative } from "./Intent.ts"
import { lazy } from "../../ground/text/Lazy.ts"
import { isCommandOrdered, isOrdered, ownSentences } from "./plainOrders.ts"
import { spoken } from "../../ground/text/UserSentences.ts"

const negated =
  /\b(?:don't|do not|dont|never|without|no need to|needn't|not need to|don't need to|shouldn't|skip|avoid|stop|instead of|rather than|before you|before we|before|not to|not yet|didn't|did not|have you|did you|haven't|wasn't|why)\b[^.?!,;]{0,60}$/i

const negations = "n't|not|dont|never|without|no need|avoid|skip|stop"

const forbidding = guarded(
  negations,
  () =>
    /\b(?:don't|do not|dont|never|without|no need to|not need to|don't need to|skip|avoid|needn't)\b(?:(?!\b(?:and|but|then)\b)[^.?!,;]){0,60}$/i
)

/** "Run the tests" is asked of the agent at the head of a clause, not in "users who run the tests". */
const runs =
  /(?:^|[,;:.!?(]\s{0,2}|\b(?:and|then|please|also|now|just|again|first|finally|let's|afterwards|always|(?:can|could|would|will) (?:you|we)|(?:^|you|we) (?:must|should))\s|&\s{0,2}|(?:want|need|like|have|sure|try|remember|forget|you|us|ready)(?:\s(?:you|us))?\sto\s)$/i

const hypothetical =
  /^(?:to (?:run|execute|build|test|lint|check)\b|you can (?:run|use|test|build)\b|if|when|whenever|after|once|in case|unless|maybe|perhaps|should we|what if|would it|why|how|did|does|do we|is it|are they|was|were|has|have you|where|which|who)\b/i

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = gateOfCheck

const gatesOfCommand = (command: string): ReadonlyArray<string> => {
  const classes = ShellCommand.analyze(command).commands.flatMap((simple) => simple.classes)
  const gates = [...new Set(classes.flatMap((name) => gateOfClass[name] ?? []))]
  return gates.includes("typecheck") ? gates.filter((gate) => gate !== "build") : gates
}

const no =
  "(?<!\\b(?:we|they|i|users?|people)\\s)(?:don't|do not|dont|never|without|no need to|need not|needn't|not need to|(?:don't|do not) (?:need|have) to|avoid|stop)"
const between = "(?:(?!(?:and|but|then|forget|until)\\b)[\\w-]{1,15}\\s){0,3}"

const forbidPatterns = lazy((): ReadonlyArray<{ readonly gate: string; readonly pattern: Guarded }> => [
  ...Object.entries(checks).map(([gate, noun]) => ({
    gate,
    pattern: guarded(`${negations}&run|execut|start|skip&${nouns[gate]}`, () =>
      bounded(
        `\\b${no}\\s${between}(?:re-?)?(?:run(?:ning)?|execut(?:e|ing)|start(?:ing)?)\\s+(?:any |every )?${noun}\\b${notThing}|\\bskip\\s+(?:running\\s+)?${noun}\\b${notThing}`
      )
    )
  })),
  {
    gate: "push",
    pattern: guarded(`${negations}&push`, () =>
      bounded(
        `\\b${no}\\s${between}push(?:ing)?\\b(?!\\s(?:back\\b|notif|(?:[\\w-]{1,12}\\s){0,2}(?:to|on|into|onto)\\s(?:the\\s)?(?:main|master|default|trunk|develop|production|prod|release|queue|list|array|stack)\\b))`
      )
    )
  }
])

const unforgotten = guarded(
  "forget|fail|neglect|omit",
  () => /\b(?:don't|do not|dont|never)\s(?:forget|fail|neglect|omit)\s(?:to\s)?/i
)
const notWithout = guarded(
  "without&running|executing",
  () => /\b(?:don't|do not|dont|never)\s(?:[\w-]{1,20}\s){1,6}?without\s(?:first\s)?(?:running|executing)\s/i
)
const notUntil = guarded(
  "until|before|unless&stop|finish|give up|quit|end|rest",
  () =>
    /\b(?:don't|do not|dont|never)\s(?:stop|finish|give up|quit|end|rest)\b[^.?!,;]{0,20}\b(?:until|before|unless)\s/i
)
const onceDone = guarded(
  "when|once|after|as soon as&,",
  () =>
    /^(?:and\s|then\s|so\s)?(?:when|once|after|as soon as)\s(?:you(?:'re| are| have|'ve)?\s(?:done|finish|complete|made|implement|fix|change|ready)|that\b|this\b|done|finished|everything\b|it(?:'s| is)?\s(?:done|finish|ready|work|green|fixed|complete)|\w{2,20}ing\b|the (?:tests?|fix|changes?|build|code|work|implementation|lint)\b)[^,.?!]{0,60},\s/i
)

/** Two negations ask, and so does what is to be done after the work: "don't forget to push", "once you're done, push". */
const straightened = (sentence: string): string => {
  const asked = notWithout.replace(unforgotten.replace(sentence, "please "), "please run ")
  return onceDone.replace(notUntil.replace(asked, "make sure "), "")
}

const named = guarded(
  "run|execute|launch|try|use|start|with|using",
  () =>
    new RegExp(
      `\\b(?:${runVerbs}|(?:verify|check|confirm|validate|prove)(?: it| this| that)? (?:with|by running|using))\\s+(?:a |the |full )?([a-z./][^,;!?\`"()]{1,80})`,
      "i"
    )
)
const endOfCommand =
  /\s(?:and|then|when|until|before|after|afterwards|to|for|once|at|in the end|please|again|so|because|as|if|since|locally|first|must|has|is|should|successfully)\b/i
const wanted = lazy(
  () =>
    new RegExp(
      `\\b(?:${runVerbs}|must|has to|have to|should|needs? to|pass(?:es)?|verify|make sure|ensure|green|clean)\\b`,
      "i"
    )
)

/** "…, npm run build and npm run lint" goes on from a command. */
const further =
  /^(?:,?\s(?:and\s)?(?:then\s)?(?:also\s)?|,\s{0,2})((?:npm|pnpm|yarn|bun|npx|cargo|go(?=\s(?:test|build|vet)(?:\s[./-]|[,.]|\sand\b|$))|make(?=\s(?:test|check|lint|build|all|ci)s?\b)|\.\/gradlew|gradle|mvn|dotnet|deno|composer|rake|tox|uv|poetry)\s[\w./:@=-][^,;!?`"()]{0,79})/i

/** The commands that a sentence names from a position on, one behind the other. */
const listed = (first: string, rest: string): ReadonlyArray<string> => {
  const [words = ""] = first.split(endOfCommand)
  const next = further.exec(rest.slice(words.length))?.[1]
  const command = words.replace(/[.:]+$/, "").trim()
  return next === undefined ? [command] : [command, ...listed(next, rest.slice(rest.indexOf(next, words.length)))]
}

/** The commands that a sentence tells the agent to run, as a person would type them. */
const commandsIn = (sentence: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const direct = named.exec(sentence)
  if (direct?.[1] !== undefined && runs.test(sentence.slice(0, direct.index)))
    found.push(...listed(direct[1], sentence.slice(sentence.indexOf(direct[1], direct.index))))
  if (sentence.includes("`") && wanted().test(sentence))
    for (const span of sentence.matchAll(/`([^`]{2,120})`/g)) if (span[1] !== undefined) found.push(span[1])
  return found.filter((command) => command !== "").slice(0, 4)
}

const namedAsks = (sentence: string, own: boolean): ReadonlyArray<Ask> => {
  const commands = commandsIn(sentence)
  if (commands.length === 0 || hypothetical.test(sentence)) return []
  return commands.flatMap((command) =>
    gatesOfCommand(command).map((gate) => ({
      gate,
      how: "run" as const,
      quote: sentence.slice(0, 160),
      command,
      plain: own && isCommandOrdered(sentence, Math.max(0, sentence.indexOf(command)))
    }))
  )
}

const reported = guarded(
  ":&feedback|review|say|said|wrote|writes|commented|asked|told me",
  () => /\b(?:feedback|reviewers?|says?|said|wrote|writes|commented|asked|told me)\b[^:]{0,40}:\s/i
)

/** "The reviewer wrote: run the tests" reports what somebody else wants. */
const withoutReport = (sentence: string): string => {
  const at = reported.exec(sentence)
  return at === null ? sentence : sentence.slice(0, at.index + at[0].length)
}

const quotation = guarded(`"|“|'`, () => /"[^"]{8,400}"|“[^”]{8,400}”|(?<=[\s:(])'[^']{8,400}'(?=[\s.,;:!?)]|$)/g)

/** What stands in quotation marks is a text to work on: "Translate: 'Run the tests'" asks for no run. */
const withoutQuotes = (sentence: string): string => quotation.replace(sentence, '""')

/** Somebody else is to do it: a bot, a script, the readers of a text. */
const governed =
  /\b(?:(?:tell|tells|telling|says?|saying|reminds?|reminding|asks?|asking|instructs?|explains?|explaining|describes?|documents?) (?:\w+ ){0,4}(?:to|how)|(?:the|a|our) (?:bot|script|workflow|action|hook|job|pipeline|button|command|cli|tool|plugin|user)s? (?:to|should|will|must|can|that|which))[^.?!]{0,80}$/i

/** "Make the bot open a PR" */
const delegated =
  /\b(?:make|let|have|teach) (?:the|a|an|our|it|them)(?: [\w-]{1,20}){0,2} (?:open|create|raise|submit|push|commit|run|execute)\b/i

/** "Tests are broken anyway, ignore them" wants nothing done about them. */
const dismissed = guarded(
  "ignore |never mind|problem|job|concern|leave ",
  () =>
    /\b(?:ignore (?:it|them|that|this|those)|never mind|not (?:our|my|your) (?:problem|job|concern)|leave (?:it|them|that) (?:alone|as (?:it is|they are|is)))\b/i
)

/** What is delivered is asked for by an order; in a description, "then push it" is somebody else's step. */
const delivery: ReadonlySet<string> = new Set(["push", "commit", "pr"])

const asksAgent =
  /\b(?:can|could|would|will) (?:you|we)\b|\b(?:please|i(?:'d| would)? (?:want|like|need)|let's|you (?:should|must|can)|make sure|don't forget)\b/i

/** A sentence that has none of these words, and no command, asks for no gate: most sentences need no closer look. */
const mentions =
  /test|spec|suite|build|compil|type|tsc|mypy|pyright|lint|ruff|clippy|\bci\b|pipeline|actions|checks|workflow|push|commit|\bprs?\b|\bmrs?\b|pull[ -]request|merge[ -]request|vitest|jest|`|\b(?:run|rerun|re-run|execute|verify|validate|prove)\b/i

/** The gates that a message asks for, and those that it forbids. */
export const asksOf = (
  text: string
): { readonly asks: ReadonlyArray<Ask>; readonly forbids: ReadonlyArray<string> } => {
  const asks = new Map<string, Ask>()
  const forbids = new Set<string>()
  const own = lazy(() => ownSentences(text))
  const add = (ask: Ask): void => {
    const old = asks.get(ask.gate)
    const plain = ask.plain || old?.plain === true
    if (old === undefined || ask.how === "fix")
      asks.set(ask.gate, { ...ask, command: old?.command ?? ask.command, plain })
    else asks.set(ask.gate, { ...old, plain })
  }
  for (const said of spoken(text)) {
    if (!mentions.test(said.slice(0, 600))) continue
    const sentence = straightened(withoutReport(withoutQuotes(said.slice(0, 600))))
    for (const { gate, pattern } of forbidPatterns()) if (pattern.test(sentence)) forbids.add(gate)
    if (dismissed.test(sentence.slice(0, 600))) continue
    const denies = forbidding.test(`${sentence.slice(0, 300).split(/\b(?:run|rerun|execute)\b/i)[0] ?? ""}`)
    const named = denies ? [] : namedAsks(sentence.slice(0, 600), own().has(said))
    for (const ask of named) add(ask)
    for (const { gate, how, pattern } of askPatterns()) {
      const clipped = sentence.slice(0, 600)
      const match = pattern.exec(clipped)
      if (match === null) continue
      const before = clipped.slice(0, match.index + Math.min(2, match[0].length))
      if (
        how === "run" &&
        checks[gate] !== undefined &&
        startsWithVerb.test(match[0]) &&
        !runs.test(clipped.slice(0, match.index))
      )
        continue
      if (
        governed.test(clipped.slice(0, match.index + 4)) ||
        delegated.test(clipped.slice(0, match.index + match[0].length))
      )
        continue
      if (delivery.has(gate) && clipped.length > 60 && !imperative.test(clipped) && !asksAgent.test(clipped)) continue
      if (forbidding.test(clipped.slice(0, match.index))) forbids.add(gate)
      else if (!negated.test(before.trimEnd()) && !hypothetical.test(clipped)) {
        const plain = own().has(said) && isOrdered(clipped, match.index, match[0])
        add({ gate, how, quote: clipped.slice(0, 160), command: null, plain })
      }
    }
  }
  return { asks: [...asks.values()].filter((ask) => !forbids.has(ask.gate)), forbids: [...forbids] }
}
