/** Runs a hook as a process. After an error, the host continues as without a hook, and the log has the reason. */
import * as FS from "node:fs"
import * as Handlers from "./handlers.ts"
import * as Hooks from "../session/Hook.ts"
import { type PendingAnswer, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type * as StandardInput from "../input/StandardInput.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

export interface HookProgram<S> extends Hooks.Adapter<S> {
  /** Null if the payload does not belong to a session of this host. */
  readonly decode: (payload: unknown) => HookEvent | null
  /** Null prints nothing. */
  readonly output: (answer: HookAnswer, event: HookEvent) => object | null
  /** True if the host shows the user only a hook's standard error, and only at exit status 2. */
  readonly showsErrors?: true
}

/** If the host can be woken later, two hooks run at a stop. These are their arguments. */
const parts: Readonly<Record<string, Hooks.Hook<never>["part"]>> = { StopNow: "now", StopLater: "later" }

/** At this exit status, the host reads standard error, and wakes its agent or tells the user. */
const wakes = 2

/** In ms. The time limit for judging by evidence. Checks and models have their own time limits. */
const budgetMs = 12_000

/** Set if we started the host's process to ask a model. A stop of this process is not an agent's stop. */
const asking = "REFLEXION_ASKING"

/** After the turn, only a nudge can wake the agent. Any other message waits for the user's next prompt. */
const wake = (answer: HookAnswer): void => {
  if (answer._tag === "nudge") fail(answer.feedback)
}

const fail = (text: string): void => {
  FS.writeSync(2, text)
  process.exitCode = wakes
}

export interface LoaderInput {
  readonly input: StandardInput.Input
  /** The loader waits for the promise. */
  readonly later: (rest: Promise<unknown>) => void
}

export const run = <S>(
  program: HookProgram<S> & Pick<Hooks.Hook<S>, "build" | "settle">,
  { input, later }: LoaderInput
): void => {
  const since = Date.now()
  const hook: Hooks.Hook<S> = {
    ...program,
    part: parts[process.argv[2] ?? ""] ?? "all",
    directories: UserDirectories.make(process.env),
    env: process.env,
    now: Date.now,
    begun: since - 1000 * process.uptime(),
    deadline: since + budgetMs
  }
  const answer = (): void => {
    if (input._tag === "refused") throw new Error(input.reason)
    const event = program.decode(input.value)
    if (event === null) throw new Error("the payload belongs to no session")
    const say = (said: HookAnswer): void => {
      if (hook.part === "later") return wake(said)
      if (program.showsErrors === true && said._tag === "notice") return fail(said.text)
      const shown = program.output(said, event)
      if (shown !== null) FS.writeSync(1, JSON.stringify(shown))
    }
    const answered = Hooks.orLogged<S, PendingAnswer>(hook, event, {}, () => Handlers.handle(hook, event), nothing)
    if (answered instanceof Promise) later(answered.then(say))
    else say(answered)
  }
  const unknown = HookEvents.bare(process.argv[2] ?? "unknown")
  if ((process.env[asking] ?? "") === "") Hooks.orLogged(hook, unknown, {}, answer, undefined)
  // Tells the loader that the program ran to its end.
  process.exitCode ??= 0
}
