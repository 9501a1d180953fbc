/** A hook as a process. It fails open: whatever goes wrong, the host goes on as without it, and the decision log says why. */
import * as FS from "node:fs"
import * as Handlers from "./handlers.ts"
import * as Hooks from "../session/Hook.ts"
import { type PendingAnswer, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as HookEvents from "../input/HookEvent.ts"
import type * as StandardInput from "../input/StandardInput.ts"
import * as UserDirectories from "../places/UserDirectories.ts"

/** `decode` gives null for what is no payload of the host; `output` what is printed as JSON, null to say nothing. */
export interface HookProgram<S> extends Hooks.Adapter<S> {
  readonly decode: (payload: unknown) => HookEvent | null
  readonly output: (answer: HookAnswer, event: HookEvent) => object | null
}

/** The words with which a host that can be woken calls two hooks at a stop. */
const parts: Readonly<Record<string, Hooks.Hook<never>["part"]>> = { StopNow: "now", StopLater: "later" }

/** By this status, with the text on standard error, the host wakes its agent. */
const wakes = 2

/** For what evidence says; what is looked into beyond it has its own time. */
const budgetMs = 12_000

/** In the environment of a host that answers a question of ours: its end is no agent's stop. */
const asking = "REFLEXION_ASKING"

/** Nothing else of a hook that comes later reaches anybody: what the user is to know waits for the next prompt. */
const wake = (answer: HookAnswer): void => {
  if (answer._tag !== "nudge") return
  FS.writeSync(2, answer.feedback)
  process.exitCode = wakes
}

/** What the loader gives to the program: what came on standard input, and a way to name what ends later. */
export interface LoaderInput {
  readonly input: StandardInput.Input
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
    if (event === null) throw new Error("the payload is that of no session")
    const say = (said: HookAnswer): void => {
      if (hook.part === "later") return wake(said)
      const shown = program.output(said, event)
      if (shown !== null) FS.writeSync(1, JSON.stringify(shown))
    }
    const answered = Hooks.orLogged<S, PendingAnswer>(hook, event, {}, () => Handlers.handle(hook, event), nothing)
    if (answered instanceof Promise) later(answered.then(say))
    else say(answered)
  }
  const unknown = HookEvents.bare(process.argv[2] ?? "unknown")
  if ((process.env[asking] ?? "") === "") Hooks.orLogged(hook, unknown, {}, answer, undefined)
  // By this the loader knows that the program ran to its end.
  process.exitCode ??= 0
}
