/** A situation played through a door, and everywhere it differs from what is expected. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { eventually } from "../contract/HostContract.ts"
import type { Door, StopWords } from "./Doors.ts"
import * as Situation from "./Situation.ts"

const has = (text: string, word: string | RegExp): boolean =>
  typeof word === "string" ? text.includes(word) : word.test(text)

const longest = 2000

/** What was learned from earlier attempts has a length of its own. */
const withoutLessons = (nudge: string): string => nudge.split("\n## Learning from Previous Failures\n")[0] ?? ""

/**
 * What a stop came to: what was said at it and logged of it, how often the check was run, how long the host waited, and what was
 * left behind or changed.
 *
 * @category models
 */
export interface Outcome extends StopWords {
  readonly expected: Situation.ExpectedStop
  readonly logged: string
  readonly runs: number
  readonly waited: Duration.Duration
  readonly traces: ReadonlyArray<string>
}

const unlike = ({ expected, logged, notice, nudge, runs, traces: left }: Outcome): ReadonlyArray<string> => {
  const text = withoutLessons(nudge ?? "")
  const wanted = nudge === null ? [] : (expected.nudge ?? [])
  const problems: ReadonlyArray<readonly [boolean, string]> = [
    [expected.nudge === null && nudge !== null, `the agent was nudged: ${text}`],
    [expected.nudge != null && nudge === null, `the agent was not nudged; the user read: ${notice}`],
    ...wanted.map((word) => [!has(text, word), `the nudge lacks ${word}: ${text}`] as const),
    ...(expected.unsaid ?? []).map((word) => [has(text, word), `the nudge has ${word}: ${text}`] as const),
    [nudge !== null && notice === "", "the user was told nothing of the nudge"],
    [text.length > longest, `the nudge has ${text.length} characters: ${text}`],
    [expected.notice?.test(notice) === false, `the user did not read ${expected.notice}: ${notice}`],
    [expected.unnoticed?.test(notice) === true, `the user read ${expected.unnoticed}: ${notice}`],
    [expected.logged?.test(logged) === false, `the log lacks ${expected.logged}`],
    [(expected.runs ?? runs) !== runs, `the check was run ${runs} times`]
  ]
  return [...problems.flatMap(([isOne, what]) => (isOne ? [what] : [])), ...left]
}

/**
 * What a stop left behind or changed in the project, in words.
 *
 * @category accessors
 */
export const traces = (
  { sandbox }: Situation.World,
  before: ReturnType<typeof Situation.filesOf>
): ReadonlyArray<string> => {
  const after = Situation.filesOf(sandbox.workspace)
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [
    ...[...names].filter((name) => before[name] !== after[name]).map((name) => `${name} is not as it was`),
    ...Situation.processesOf(sandbox).map((pid) => `process ${pid} goes on`),
    ...Situation.leftOf(sandbox).map((name) => `${name} is left`)
  ]
}

/** The next stop takes over a lock whose holder was killed. */
const lasting = (world: Situation.World, before: ReturnType<typeof Situation.filesOf>): ReadonlyArray<string> =>
  traces(world, before).filter((trace) => !trace.endsWith(".lock is left"))

/**
 * Waits until nothing is left of a stop that did not come to its end; what ends with the process that began it takes a moment.
 *
 * @category waiting
 */
export const untraced = (world: Situation.World, before: ReturnType<typeof Situation.filesOf>) =>
  Effect.catchTag(
    eventually(
      "nothing to be left",
      Effect.sync(() => (lasting(world, before).length === 0 ? true : null))
    ),
    "HostFault",
    ({ message }) => new Situation.SituationFailure({ detail: `${message}: ${lasting(world, before).join("; ")}` })
  )

/**
 * Plays it stop by stop.
 *
 * @category combinators
 */
export const outcomes = Effect.fnUntraced(function* (situation: Situation.Situation, door: Door) {
  const came: Array<Outcome> = []
  let world = yield* Situation.make(situation)
  for (const { deeds, ending = {}, expected } of situation.stops) {
    for (const deed of deeds) world = yield* Situation.perform(world, deed)
    const before = Situation.filesOf(world.sandbox.workspace)
    const [runs, log] = [Situation.runs(world), Situation.log(world)]
    const answering = Effect.flatMap(door.stop(world, ending), ({ said }) => said)
    const [waited, said] = yield* Effect.timed(answering)
    came.push({
      ...said,
      expected,
      waited,
      logged: Situation.log(world).slice(log.length),
      runs: Situation.runs(world) - runs,
      traces: traces(world, before)
    })
    if (said.nudge !== null) world = Situation.told(world, said.nudge)
  }
  return came
}, Effect.scoped)

/**
 * What is not as expected, stop by stop.
 *
 * @category combinators
 */
export const play = (situation: Situation.Situation, door: Door) =>
  Effect.map(outcomes(situation, door), (came) =>
    came
      .flatMap((one, at) => {
        const problems = unlike(one).map((problem) => `stop ${at + 1}: ${problem}`)
        return problems.length > 0 ? [...problems, one.logged] : []
      })
      .join("\n")
  )
