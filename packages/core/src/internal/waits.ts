/** What a final text says, mostly without a question mark, that the agent cannot go on without. */
import type { Known } from "./decide.ts"
import { guarded } from "./guarded.ts"
import type { Problem } from "./problems.ts"
import { type Prose, readProse } from "./prose.ts"

/** A decision, a fact or a consent that is the user's to give; "let me know what you think" is none. */
const consent =
  "your (?:\\w+ )?(?:answer|decision|confirmation|approval|reply|response|input|choice|go-ahead|ok|okay|call|instructions?|permission|consent)\\b"

const request = guarded(
  "me|please|your|need|bitte|favor|moi",
  () =>
    new RegExp(
      [
        "\\b(?:let me know|tell me|please (?:say|specify|clarify|decide|choose|pick)) (?:which (?!tests?\\b)|where\\b|who\\b|whether (?:i|to|we|you)\\b|what (?:to|i|we|the|you(?:'d| would)? (?:want|prefer|like|need))\\b|how (?:to|i|we|you(?:'d| would) (?:like|prefer|want))\\b)",
        `\\b(?:(?:wait|await|hold)(?:ing)?(?: for| on)?|i need) ${consent}`,
        `\\b${consent}[^.?!]{0,30}\\b(?:needed|required|before i)\\b`,
        "\\bplease (?:confirm(?: (?:and|before|so|first|which|whether i|that i|if i)\\b|[.,:]|$)|approve\\b)",
        "^your (?:call|choice|decision)\\b",
        "\\bi need (?:to know|you to (?:decide|choose|pick|confirm|tell|approve))\\b",
        "\\bbitte (?:sag|bestätig|entscheid|wähl)|\\bpor favor,? (?:dime|confirma|elige)|\\bdi(?:s|tes)-moi\\b|\\bmerci de (?:confirmer|choisir|préciser)"
      ].join("|"),
      "i"
    )
)

const cannot = "(?:can't|can ?not|could(?:n't| not)|(?:am|was) unable to|am not able to|wasn't able to)"
const check = "(?:tests?|suite|specs?|build|linter|checks?|they)"
const ran = "(?:be )?(?:run|executed|started?|verified|checked|built|tested)\\b"
const reason = "[^.?!]{0,160}(?:\\b(?:because|without|until|unless|since|as long as)\\b|: )"

/** What keeps the agent from going on, in its own words. */
const blocker = guarded(
  "blocked|stuck|n't|not|unable|only you|need|require",
  () =>
    new RegExp(
      [
        "^blocked(?::| (?:by|on|until|because|at)\\b| [-–—])",
        "\\bi(?:'m| am) (?:still |now |currently )?(?:blocked|stuck)\\b",
        `\\bi ${cannot} (?:re-?run|run|execute|continue|proceed|go (?:on|further)|get (?:past|further)|finish|complete|start|access|reach|connect|install|push|test|verify|check|build|deploy|open)\\b${reason}`,
        `\\b${check} ${cannot} ${ran}${reason}`,
        `\\bso (?:i|the ${check}|it|they)\\s${cannot} ${ran}`,
        "\\bonly you (?:can|have|know)\\b",
        `\\b(?:${check}|\`[^\`]{1,60}\`) (?:requires?|needs?) [^.?!]{1,80}\\b(?:i (?:don't|do not) have|(?:does not|doesn't) exist|is(?: not|n't) (?:available|running|reachable|installed))\\b`,
        "\\bi need (?!to\\b|your\\b|you\\b)[^.?!]{1,80} to (?:go on|continue|proceed|finish|carry on)\\b"
      ].join("|"),
      "i"
    )
)

const find = (said: ReadonlyArray<string>, pattern: { readonly test: (text: string) => boolean }): string | null =>
  said.findLast((sentence) => pattern.test(sentence.slice(0, 400)))?.slice(0, 300) ?? null

const requested = (prose: Prose): string | null => find(prose.closing.slice(-3), request)

const blocking = (prose: Prose): string | null => find(prose.closing.slice(-6), blocker)

/** "Which database should I use?", "Should it be half up or half even?", not "Shall I proceed?" */
const open = /^(?:(?:so|and|but),? )?(?:which|what|where|who|how|when)\b|\bor\b/i

const chosen = ({ question }: Known["reading"]): string | null =>
  question !== null && question.kind === "choice" && open.test(question.text) ? question.text : null

/** What waits for an answer or for the way to be clear; what failed, was contradicted or is handed over does not. */
export const canWait =
  (known: Known) =>
  (problem: Problem): boolean =>
    problem.kind === "announced" ||
    problem.kind === "left_work" ||
    problem.kind === "todos" ||
    (problem.kind === "gate" && known.gates.find((gate) => gate.gate === problem.gate)?.result !== "failed")

/**
 * The words by which the agent leaves the next step to the user, where they outweigh what it would be pushed for. Told
 * once to say what blocks it, an agent that does is believed.
 */
export const held = (
  known: Known,
  pushed: ReadonlyArray<Problem>
): { readonly text: string; readonly blocked: boolean } | null => {
  if (pushed.length === 0) return null
  const prose = readProse(known.stop.spokeLast ? known.stop.text : "")
  const waits = pushed.every(canWait(known))
  const blocked = waits || known.reminded ? blocking(prose) : null
  if (blocked !== null) return { text: blocked, blocked: true }
  const text = waits ? (requested(prose) ?? chosen(known.reading)) : null
  return text === null ? null : { text, blocked: false }
}
