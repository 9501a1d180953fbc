/**
 * A hook as a process: the host's payload on standard input, the answer on standard output, and an end in any case. It
 * fails open: whatever goes wrong, the host goes on as if there were no hook, and the decision log says why.
 */
import * as FS from "node:fs"
import * as Handlers from "./handlers.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type Answered, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import { uptime } from "../places/Uptime.ts"
import type * as Settings from "../config/Settings.ts"
import type * as StandardInput from "../input/StandardInput.ts"
import type { RecordDecoder } from "../session/RecordDecoder.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

/**
 * What a host's adapter brings. `decode` gives null for a payload of something other than the host; `output` what is
 * written to standard output as JSON, null to say nothing.
 *
 * @category models
 */
export interface HookProgram<S> extends Pick<Hook<S>, "began" | "rest" | "watches"> {
  readonly host: string
  readonly build: string
  /** What the user types before `stop`, `start` and `status`, with a slash where the host knows commands of others. */
  readonly command: string
  readonly decoder: RecordDecoder<S>
  readonly decode: (payload: unknown) => HookEvent | null
  readonly output: (answer: HookAnswer, event: HookEvent) => object | null
  readonly settle: Settings.Options["settle"]
}

/** The words by which a host that can be woken calls two hooks at a stop. */
const parts: Readonly<Record<string, Hook<never>["part"]>> = { StopNow: "now", StopLater: "later" }

/** By this status, with the text on standard error, the host wakes its agent. */
const wakes = 2

/** For what evidence says; what is looked into beyond it has its own time. */
const budgetMs = 12_000

const payloadOf = (input: StandardInput.Input): unknown => {
  if (input._tag === "refused") throw new Error(input.reason)
  return input.value
}

const unknownEvent: HookEvent = {
  kind: "other",
  name: process.argv[2] ?? "unknown",
  sessionId: "",
  turnId: null,
  blocks: false,
  continued: false,
  transcript: null,
  cwd: null,
  subagent: false,
  plan: false,
  message: null,
  background: 0,
  prompt: null,
  compacted: false,
  tool: null
}

/** What `work` gives; where it fails, the decision log says why and the host goes on with `otherwise`. */
const orLogged = <S, A>(hook: Hook<S>, event: HookEvent, since: number, work: () => A, otherwise: A): A => {
  try {
    return work()
  } catch (cause) {
    Hooks.log(hook, event, { decision: "failure", reason: Hooks.messageOf(cause) }, since)
    return otherwise
  }
}

/**
 * Stands in the environment of a host that answers a question of ours (`HostModel` of core sets it): its end is no
 * agent's stop, and judging it would ask once more.
 */
const asking = "REFLEXION_ASKING"

/** Nothing else of a hook that comes later reaches anybody: what the user is to know waits for the next prompt. */
const wake = (answer: HookAnswer): void => {
  if (answer._tag !== "push") return
  FS.writeSync(2, answer.feedback)
  process.exitCode = wakes
}

/**
 * What the loader gives to the program: what came on standard input, and a way to name what ends later.
 *
 * @category models
 */
export interface Given {
  readonly input: StandardInput.Input
  readonly later: (rest: Promise<unknown>) => void
}

/**
 * Answers one event and ends.
 *
 * @category programs
 */
export const run = <S>(program: HookProgram<S>, given: Given): void => {
  if ((process.env[asking] ?? "") === "") answerEvent(program, given)
  // By this the loader knows that the program ran to its end.
  process.exitCode = 0
}

const answerEvent = <S>(program: HookProgram<S>, given: Given): void => {
  const since = Date.now()
  const hook: Hook<S> = {
    ...program,
    part: parts[process.argv[2] ?? ""] ?? "all",
    directories: UserDirectories.make(process.env),
    env: process.env,
    now: Date.now,
    begun: since - uptime(),
    deadline: since + budgetMs
  }
  orLogged(
    hook,
    unknownEvent,
    since,
    () => {
      const event = program.decode(payloadOf(given.input))
      if (event === null) throw new Error("the payload is that of no session")
      const say = (answer: HookAnswer): void => {
        if (hook.part === "later") return wake(answer)
        const said = program.output(answer, event)
        if (said !== null) FS.writeSync(1, JSON.stringify(said))
      }
      const answer = orLogged<S, Answered>(hook, event, since, () => Handlers.handle(hook, event), nothing)
      if (answer instanceof Promise) given.later(answer.then(say))
      else say(answer)
    },
    undefined
  )
}
