/**
 * `/reflection verify`: the checks that may be run here are run at once, and the user is told how each went. Nothing is said to
 * the agent, and nothing counts as a reminder. Loaded only for that, with what runs checks.
 */
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import { unmasked } from "@reflexion/core/internal/checks/VerificationReading"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import type { ActiveCheck } from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import * as CheckSandbox from "../models/CheckSandbox.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { HookAnswer, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import { answer as onDisk } from "../places/RepoDisk.ts"
import * as SessionFile from "../session/SessionFile.ts"

/** Under the 10 minutes that the installed hooks are given. */
const longest = Duration.minutes(9)

const platform = Layer.provideMerge(NodeCommandExecutor.layer, Layer.merge(NodeFileSystem.layer, NodePath.layer))

/** Where the checks of one folder are run. */
interface Place {
  readonly directory: string
  readonly checks: ReadonlyArray<ActiveCheck>
}

/** What was taken is run at the project's root; what is configured, where the session is. */
const placesOf = (checks: ReadonlyArray<ActiveCheck>, cwd: string): ReadonlyArray<Place> =>
  [...new Set(checks.map(({ directory }) => directory ?? cwd))].map((directory) => ({
    directory,
    checks: checks.filter((check) => (check.directory ?? cwd) === directory)
  }))

const runIn = Effect.fnUntraced(function* ({ checks, directory }: Place) {
  const verification = yield* Verification
  const results = yield* verification.run({ directory, checks, gates: checks.map(({ gate }) => gate) })
  const { scripts } = RepoSignals.loadSync(directory, onDisk)
  return results.map((result): CheckResult => unmasked(result, scripts))
})

const runAll = <S>(hook: Hook<S>, event: HookEvent, checks: ReadonlyArray<ActiveCheck>, unsandboxed: boolean) =>
  Effect.gen(function* () {
    const cwd = event.cwd ?? "/"
    const state = join(hook.directories.state, "checks")
    const where = { cwd, env: hook.env, host: hook.host, record: event.transcript, state, unsandboxed }
    const place = yield* CheckSandbox.find(where)
    if (place === null) return Answers.unconfined
    const running = Effect.forEach(placesOf(checks, cwd), runIn).pipe(
      Effect.provide(CheckSandbox.verification(place, state)),
      Effect.map((results) => Answers.checked(results.flat()))
    )
    return yield* Effect.timeoutTo(running, {
      duration: longest,
      onSuccess: (text) => text,
      onTimeout: () => `reflexion ended the checks: no result after ${Duration.toMinutes(longest)} minutes.`
    })
  }).pipe(Effect.provide(platform))

const reply = <S>(hook: Hook<S>, event: HookEvent, since: number, text: string): HookAnswer => {
  Hooks.log(hook, event, { decision: "none", reason: `the user asked for the checks: ${text}` }, since)
  return { _tag: "reply", text }
}

/** Answers the command. Never fails. */
export const verify = async <S>(hook: Hook<S>, event: HookEvent): Promise<HookAnswer> => {
  const since = hook.now()
  const settled = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  if (settled.problem !== null) return { _tag: "reply", text: Notice.problem(settled.problem) }
  const config = withMore(settled.config, SessionFile.doneWhenOf(Hooks.keyOf(hook, event)))
  const { checks, unsandboxed } = config.verify
  if (checks.length === 0) return { _tag: "reply", text: Answers.noCheck }
  const running = Effect.catchAllCause(runAll(hook, event, checks, unsandboxed), (cause) =>
    Effect.succeed(`reflexion could not run the checks: ${Hooks.messageOf(Cause.squash(cause))}`)
  )
  return reply(hook, event, since, await Effect.runPromise(running))
}
