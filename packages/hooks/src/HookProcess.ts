/**
 * A hook as a process: the host's payload on standard input, the answer on standard output, and an end in any case. It
 * fails open: whatever goes wrong, the host goes on as if there were no hook, and the decision log says why.
 *
 * @since 0.1.0
 */
import * as FS from "node:fs"
import * as Handlers from "./Handlers.ts"
import type { Hook } from "./Hook.ts"
import * as Hooks from "./Hook.ts"
import { type Answered, type HookAnswer, type HookEvent, nothing } from "./HookEvent.ts"
import type * as Settings from "./Settings.ts"
import type { RecordDecoder } from "./TranscriptFold.ts"
import * as UserDirectories from "./UserDirectories.ts"

/**
 * What a host's adapter brings. `decode` gives null for a payload that is none of the host's; `encode` the text for
 * standard output, empty to say nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface HookProgram<S> extends Pick<Hook<S>, "began" | "watches"> {
  readonly host: string
  readonly build: string
  /** What the user types before `stop`, `start` and `status`, with a slash where the host knows commands of others. */
  readonly command: string
  readonly decoder: RecordDecoder<S>
  readonly decode: (payload: unknown) => HookEvent | null
  readonly encode: (answer: HookAnswer, event: HookEvent) => string
  readonly settle: Settings.Options["settle"]
}

/** For what evidence says; what is looked into beyond it has its own time. */
const budgetMs = 12_000

const maxPayload = 16 * 1024 * 1024

const readPayload = (): unknown => {
  const text = FS.readFileSync(0, "utf8")
  if (text.length > maxPayload) throw new Error("the payload is longer than 16 MB")
  return JSON.parse(text)
}

const unknownEvent: HookEvent = {
  kind: "other",
  name: "unknown",
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

/**
 * Answers one event and ends; `later` is given what ends later.
 *
 * @since 0.1.0
 * @category programs
 */
export const run = <S>(program: HookProgram<S>, later: (rest: Promise<unknown>) => void): void => {
  if ((process.env[asking] ?? "") === "") answerEvent(program, later)
  // By this the loader knows that the program ran to its end.
  process.exitCode = 0
}

const answerEvent = <S>(program: HookProgram<S>, later: (rest: Promise<unknown>) => void): void => {
  const since = Date.now()
  const hook: Hook<S> = {
    ...program,
    directories: UserDirectories.make(process.env),
    env: process.env,
    now: Date.now,
    begun: performance.timeOrigin,
    deadline: since + budgetMs
  }
  orLogged(
    hook,
    unknownEvent,
    since,
    () => {
      const event = program.decode(readPayload())
      if (event === null) throw new Error("the payload is that of no session")
      const say = (answer: HookAnswer): void => {
        const text = program.encode(answer, event)
        if (text !== "") FS.writeSync(1, text)
      }
      const answer = orLogged<S, Answered>(hook, event, since, () => Handlers.handle(hook, event), nothing)
      if (answer instanceof Promise) later(answer.then(say))
      else say(answer)
    },
    undefined
  )
}
