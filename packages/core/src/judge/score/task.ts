/** How far the task came, by the verdict and by what proves it. */
import { isCheck } from "../../session/gates/GateTable.ts"
import type { Assessed } from "../../session/gates/Gates.ts"
import { describeFailure } from "../../session/gates/Gates.ts"
import { findings, type Found, withUnread } from "../rules/Rules.ts"
import { type Finding, isPlan, proof, type Scored } from "./facts.ts"
import { hasActed, isUnproved } from "./work.ts"
import { matchesAny, overlaps } from "../../ground/text/Text.ts"

type Most = Finding["most"]

const at = (most: Most, text: string): Finding => ({ aspect: "task", most, text })

const acted = ({ known, work }: Scored): boolean => work.acted || hasActed(known.evidence)

const isSameRun = (one: Assessed, other: Assessed): boolean =>
  one === other || (one.run !== null && one.run.callId !== null && one.run.callId === other.run?.callId)

/** One run may prove several gates. */
const named = (gates: ReadonlyArray<Assessed>): string =>
  gates
    .filter((gate, at) => !gates.slice(0, at).some((before) => isSameRun(before, gate)))
    .map((first) => {
      const names = gates.filter((gate) => isSameRun(first, gate)).map(({ gate }) => gate)
      return `${names.join(", ")} ${first.detail}${proof(first.run)}`
    })
    .join("; ")

const passedChecks = ({ known }: Scored): ReadonlyArray<Assessed> =>
  known.gates.filter((gate) => gate.result === "passed" && (isCheck(gate.gate) || gate.required))

const unknownGates = ({ known }: Scored): ReadonlyArray<Finding> =>
  known.gates
    .filter((gate) => gate.required && gate.result === "unknown")
    .map((gate) => at(null, `cannot tell how ${gate.gate} went: ${gate.detail}${proof(gate.run)}`))

const code: ReadonlySet<string> = new Set(["source", "test", "conflict", "unknown"])

const editedCode = ({ known, work }: Scored): boolean =>
  [...work.edits, ...known.evidence.edits].some(({ kind }) => code.has(kind))

/** A check that fails at the end of finished work, and that nobody asked for. */
const leftRed = (scored: Scored): ReadonlyArray<Finding> => {
  const { known } = scored
  if (known.task.wantsFailure || !editedCode(scored)) return []
  const gate = known.gates.find((one) => one.result === "failed" && isCheck(one.gate))
  if (gate === undefined) return []
  const said = known.stop.spokeLast ? known.stop.text : ""
  const told = /\bfail(?:s|ed|ing|ures?)?\b|\bbroken\b/i.test(said) || gate.admitted
  const text = `${gate.gate} fails at the end: ${describeFailure(gate)}${proof(gate.run)}`
  return [told ? at(4, `${text}; the agent says so`) : at(3, `${text}; the agent leaves it unsaid`)]
}

const answered = (scored: Scored): ReadonlyArray<Finding> =>
  isPlan(scored)
    ? [at(5, "a plan, as asked"), at(null, "cannot tell whether the plan is a good one")]
    : [at(5, "answered"), at(null, "cannot tell whether the answer is right")]

/** That it compiles says little of code whose tests are known and were not run. */
const compilesOnly = (scored: Scored, passed: ReadonlyArray<Assessed>): boolean => {
  const { evidence, repo, task } = scored.known
  const known = repo.testCommand !== null || evidence.runs.some((run) => run.gate === "tests")
  return (
    known &&
    editedCode(scored) &&
    !task.forbids.includes("tests") &&
    passed.every((gate) => isCheck(gate.gate) && gate.gate !== "tests" && !gate.required)
  )
}

const provedSoFar = (scored: Scored): ReadonlyArray<Finding> => {
  const passed = passedChecks(scored)
  return passed.length === 0 ? [] : [at(5, `proved so far: ${named(passed)}`)]
}

const rest: ReadonlyArray<RegExp> = [
  /^(?:remaining|still (?:open|to do|missing)|left to do|not done(?: yet)?|outstanding)\b[^:.]{0,30}:\s{1,4}(?!none\b|nothing\b|n\/a\b|no\b|-\s?$)\S/i,
  /\bstill needs? to be (?:done|written|run|\w{2,18}ed)\b/i
]

/** What the agent itself says is left of what it was told to do. */
const namesRest = ({ known }: Scored): string | null => {
  if (known.task.intent !== "act" || !known.stop.spokeLast) return null
  const { closing } = known.reading.prose
  const found = closing.find(
    (sentence) => matchesAny(rest, sentence.slice(0, 400)) && overlaps(sentence, known.task.message)
  )
  return found === undefined ? null : found.slice(0, 200)
}

/** What the agent finished: proved, or with what is missing of a proof. */
const finished = (scored: Scored): ReadonlyArray<Finding> => {
  const { known, verdict, work } = scored
  const passed = passedChecks(scored)
  const unknown = unknownGates(scored)
  const red = leftRed(scored)
  if (red.length > 0) return red
  const left = acted(scored) ? namesRest(scored) : null
  if (left !== null) return [at(3, `partly done, and says itself what is left: "${left}"`), ...provedSoFar(scored)]
  if (passed.length > 0) {
    return compilesOnly(scored, passed)
      ? [at(4, `done, not fully proved: no test ran after the last edit; ${named(passed)}`), ...unknown]
      : [at(5, `done and proved: ${named(passed)}`), ...unknown]
  }
  if (unknown.length > 0) return [at(5, "done, by the agent's own account"), ...unknown]
  if (isUnproved(known.evidence, work.unproved)) {
    const stale = known.gates.find((gate) => isCheck(gate.gate) && gate.result === "stale")
    const why =
      stale === undefined
        ? "code was changed and nothing was run since"
        : `${stale.gate} ${stale.detail}${proof(stale.run)}`
    return [at(4, `done, not proved: ${why}`)]
  }
  if (!acted(scored) || verdict.task.type === "research") return answered(scored)
  if (verdict.task.type === "coding" && known.evidence.exercised > 0)
    return [at(5, "done, and something was run after the last edit of code")]
  return [at(5, "done"), at(null, "cannot tell whether it is right: there is no check for it")]
}

/** What keeps the task from being done, however far anybody turned its rules. */
const problems = (known: Scored["known"]): ReadonlyArray<Found> =>
  findings(known, withUnread({ profile: known.profile, rules: {}, ruleLimits: {} })).filter(
    ({ rule }) => rule.stuck !== true
  )

/** Nothing is missing but gates that did not run; what the agent is not told of counts where there is nothing else. */
const isGateOnly = (scored: Scored): boolean => {
  const all = problems(scored.known)
  const standing = all.filter(({ stands }) => stands)
  const found = standing.length > 0 ? standing : all
  return found.length > 0 && found.every(({ gate, severity }) => gate !== undefined && severity !== "HIGH")
}

/** At least half of the agent's own list is ticked off, and nothing worse than the rest of it is missing. */
const mostTodosDone = ({ known }: Scored): boolean => {
  const { todos } = known.stop
  const completed = todos.filter(({ status }) => status === "completed").length
  const found = problems(known)
  return (
    completed * 2 >= todos.filter(({ status }) => status !== "cancelled").length &&
    completed > 0 &&
    found.some(({ rule }) => rule.id === "todos/open") &&
    found.every(({ severity }) => severity === "LOW" || severity === "NONE")
  )
}

/** Of what was required something is proved, or only one thing is missing. */
const mostGatesMet = (scored: Scored): boolean => {
  const required = scored.known.gates.filter((gate) => gate.required)
  const open = required.filter((gate) => gate.result !== "passed")
  return isGateOnly(scored) && (open.length === 1 || open.length < required.length)
}

/** Characters of an answer that may be of use though nothing was done. */
const little = 120

const hasSaidSomething = ({ stop }: Scored["known"]): boolean => stop.spokeLast && stop.text.length >= little

/** What was begun, or looked at, or told. */
const begun = (scored: Scored): Most => {
  const { known, work } = scored
  if (acted(scored)) return 2
  return work.calls > 0 || hasSaidSomething(known) ? 1 : 0
}

const amounts: Readonly<Record<number, string>> = {
  0: "nothing was done",
  1: "looked or told, and changed nothing",
  2: "not done, with a beginning that is of use",
  3: "partly done"
}

const missingOf = ({ known, verdict }: Scored): string => {
  const failing = known.gates.filter((gate) => gate.required && gate.result === "failed")
  const text = verdict.missing.length > 0 ? verdict.missing.slice(0, 3).join("; ") : verdict.reason
  const ids = failing.flatMap(({ run }) => run?.callId ?? [])
  if (ids.length === 0) return text
  return text.endsWith("`)") ? `${text.slice(0, -1)}, ${ids.join(", ")})` : `${text} (${ids.join(", ")})`
}

/** All that is missing was tried, and the user refused it. */
const isRefused = (scored: Scored): boolean => {
  const open = scored.known.gates.filter((gate) => gate.required && gate.result !== "passed")
  return isGateOnly(scored) && open.length > 0 && open.every((gate) => gate.denied)
}

/** What fails is not what was asked for, and the agent says that it is not of its making: only a run without its change could tell. */
const isDisowned = ({ known }: Scored): boolean => {
  const found = problems(known)
  const failing = known.gates.filter((gate) => gate.required && gate.result !== "passed")
  return (
    found.length > 0 &&
    found.every(({ gate, stands }) => gate !== undefined && !stands) &&
    failing.every((gate) => gate.result === "failed" && gate.why !== "asked")
  )
}

/** What a model shows to be missing of work that evidence takes no fault with leaves it partly done. */
const incomplete = (scored: Scored): ReadonlyArray<Finding> => {
  if (acted(scored) && isDisowned(scored))
    return [
      at(4, `done, not proved: ${missingOf(scored)}`),
      at(null, "cannot tell whether it failed before, as the agent says")
    ]
  if (acted(scored) && isRefused(scored))
    return [at(4, `done but for what the user refused: ${missingOf(scored)}`), ...provedSoFar(scored)]
  const shown = scored.verdict.source === "model"
  const most = acted(scored) && (shown || mostGatesMet(scored) || mostTodosDone(scored)) ? 3 : begun(scored)
  return [at(most, `${amounts[most ?? 0] ?? ""}; missing: ${missingOf(scored)}`), ...provedSoFar(scored)]
}

const asked = ({ known, verdict }: Scored): string =>
  known.reading.question === null ? verdict.reason : `"${known.reading.question.text}"`

const waiting = (scored: Scored): ReadonlyArray<Finding> => {
  const { known } = scored
  const kind = known.reading.question?.kind
  const isAnswer = isPlan(scored) || (known.task.intent !== "act" && !editedCode(scored))
  if (isAnswer && kind !== "risk" && hasSaidSomething(known)) return answered(scored)
  if (kind === "extra" && acted(scored)) return finished(scored)
  return [
    at(3, `${acted(scored) ? "partly done, and asks the user" : "asks the user"}: ${asked(scored)}`),
    at(null, "cannot tell whether the question was needed")
  ]
}

/** The agent's own part is done and proved; the rest is a person's. */
const handedOn = (scored: Scored): ReadonlyArray<Finding> => {
  const { known, verdict } = scored
  if (verdict.stop.kind === "stuck")
    return [at(begun(scored), verdict.reason), at(null, "cannot tell what would have come of it: the service ended it")]
  const own = known.gates.filter((gate) => gate.required && isCheck(gate.gate))
  const proved = acted(scored) && own.every((gate) => gate.result === "passed")
  return [at(proved && own.length > 0 ? 4 : 3, `the rest is for a person to do: ${verdict.reason}`)]
}

const ended = (scored: Scored, why: string): ReadonlyArray<Finding> => {
  const proved = acted(scored) && passedChecks(scored).length > 0
  const most = proved ? 3 : begun(scored)
  return [
    at(most, `${amounts[most ?? 0] ?? ""}: ${scored.verdict.reason}`),
    ...provedSoFar(scored),
    at(null, `cannot tell what would have come of it: ${why}`)
  ]
}

/** How it begins where neither evidence nor a model decides. */
export const unsure = "cannot tell whether it is done"

/** Evidence does not decide: what is on record counts, and what is not takes nothing off. */
const undecided = (scored: Scored): ReadonlyArray<Finding> => {
  const { known, verdict } = scored
  const open = at(null, `${unsure}: ${verdict.reason}`)
  if (!acted(scored)) {
    if (known.task.intent !== "act" && known.stop.spokeLast) return [at(5, "answered"), open]
    if (hasSaidSomething(known)) return [at(4, "told much and changed nothing that is on record"), open]
    return scored.work.calls > 0
      ? [at(2, "a change was asked for and none is on record"), open]
      : [at(0, "nothing was done: no call and hardly a word is on record")]
  }
  const passed = passedChecks(scored)
  if (passed.length > 0) return [at(5, `proved: ${named(passed)}`), open]
  return isUnproved(known.evidence, scored.work.unproved) || unknownGates(scored).length > 0
    ? [at(4, "changed something, and no proof of it is on record"), open]
    : [at(5, "did what is on record"), open]
}

/** How far the task came. */
export const taskFindings = (scored: Scored): ReadonlyArray<Finding> => {
  switch (scored.verdict.status) {
    case "complete":
      return finished(scored)
    case "incomplete":
      return incomplete(scored)
    case "waiting_for_user":
      return waiting(scored)
    case "needs_human":
      return handedOn(scored)
    case "stuck":
      return ended(scored, "it ended here")
    case "working":
      return ended(scored, "the agent is still at work")
    case "aborted":
      return ended(scored, "the user ended it")
    case "abstained":
      return undecided(scored)
  }
}
