/** A situation played through a door, and everywhere it differs from what is expected. */
import * as Effect from "effect/Effect"
import { eventually } from "../contract/HostContract.ts"
import type { Door, Said } from "./Doors.ts"
import * as Situation from "./Situation.ts"

const has = (text: string, word: string | RegExp): boolean =>
  typeof word === "string" ? text.includes(word) : word.test(text)

const longest = 2000

/** What was learned from earlier attempts has a length of its own. */
const withoutLessons = (push: string): string => push.split("\n## Learning from Previous Failures\n")[0] ?? ""

/** What a stop came to. */
interface Outcome extends Said {
  readonly logged: string
  readonly runs: number
}

const unlike = (expected: Situation.Expected, { logged, notice, push, runs }: Outcome): ReadonlyArray<string> => {
  const text = withoutLessons(push ?? "")
  const wanted = push === null ? [] : (expected.push ?? [])
  const problems: ReadonlyArray<readonly [boolean, string]> = [
    [expected.push === null && push !== null, `the agent was pushed: ${text}`],
    [expected.push != null && push === null, `the agent was not pushed; the user read: ${notice}`],
    ...wanted.map((word) => [!has(text, word), `the push lacks ${word}: ${text}`] as const),
    ...(expected.unsaid ?? []).map((word) => [has(text, word), `the push has ${word}: ${text}`] as const),
    [text.length > longest, `the push has ${text.length} characters: ${text}`],
    [expected.notice?.test(notice) === false, `the user did not read ${expected.notice}: ${notice}`],
    [expected.unnoticed?.test(notice) === true, `the user read ${expected.unnoticed}: ${notice}`],
    [expected.logged?.test(logged) === false, `the log lacks ${expected.logged}`],
    [(expected.runs ?? runs) !== runs, `the check was run ${runs} times`]
  ]
  return problems.flatMap(([isOne, what]) => (isOne ? [what] : []))
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
    ({ message }) => new Situation.Broken({ detail: `${message}: ${lasting(world, before).join("; ")}` })
  )

/**
 * What is not as expected, stop by stop.
 *
 * @category combinators
 */
export const play = Effect.fnUntraced(function* (situation: Situation.Situation, door: Door) {
  const problems: Array<string> = []
  let world = yield* Situation.make(situation)
  for (const [at, { deeds, ending = {}, expected }] of situation.stops.entries()) {
    for (const deed of deeds) world = yield* Situation.perform(world, deed)
    const before = Situation.filesOf(world.sandbox.workspace)
    const [runs, log] = [Situation.runs(world), Situation.log(world)]
    const { said } = yield* door.stop(world, ending)
    const heard = yield* said
    const logged = Situation.log(world).slice(log.length)
    const came = unlike(expected, { ...heard, logged, runs: Situation.runs(world) - runs })
    const found = [...came, ...traces(world, before)].map((one) => `stop ${at + 1}: ${one}`)
    problems.push(...found, ...(found.length > 0 ? [logged] : []))
    if (heard.push !== null) world = Situation.told(world, heard.push)
  }
  return problems.join("\n")
}, Effect.scoped)
