/** Runs an agent for its client, passes on their messages, and reviews each turn that the agent ends. */
import { AgentHost, AgentHostError } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import type { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { basename, join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { type ConfigurationError, refusal } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import type { ExitCode } from "../process/ExitCode.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as Settings from "../process/Settings.ts"
import * as Lines from "./lines.ts"
import * as Proxy from "./proxy.ts"

const host = "acp"

/** A review takes at most this long, because the client waits for its response. */
const patience = Duration.seconds(20)

const forPeople: ReadonlySet<string> = new Set(["needs_human", "incomplete", "unmoved", "exhausted", "limit"])

type Take = (outcome: Proxy.Outcome) => void

const hostOf = (proxy: Proxy.Proxy, take: Take, end: Proxy.TurnEnd, root: string): Context.Tag.Service<AgentHost> => {
  const { sessionId } = end
  const refused = new AgentHostError({ reason: "rejected", sessionId, detail: "the turn is no longer held" })
  const taking = (outcome: () => Proxy.Outcome | null) =>
    Effect.map(
      Effect.suspend(() => Effect.mapError(Effect.fromNullable(outcome()), () => refused)),
      take
    )
  const transcript = (): Transcript => {
    const { cwd = null, transcript } = proxy.session(sessionId) ?? {}
    const events = transcript?.events() ?? []
    const about = { sessionId, parentSessionId: null, cwd: cwd ?? root, attended: true, mode: "unknown" } as const
    return { version: 1, host, ...about, events }
  }
  return {
    name: host,
    // A cancelled turn is never reviewed, so there is nothing to wait for.
    capabilities: { nudge: true, raceWindow: 0, cooldown: 0 },
    events: Stream.empty,
    transcript: () => Effect.sync(transcript),
    directory: () => Effect.succeed(root),
    activity: () => Effect.succeed(null),
    inject: (_, { notice, text }) => taking(() => proxy.nudge(end, text, notice)),
    notify: (_, { kind, text }) =>
      forPeople.has(kind) ? taking(() => (kind === "limit" ? proxy.wait : proxy.tell)(end, text)) : Effect.void
  }
}

const review = Effect.fnUntraced(function* (proxy: Proxy.Proxy, take: Take, end: Proxy.TurnEnd, cwd: string) {
  const { env } = yield* CliProcess
  const root = ProjectRoot.of(cwd)
  const directories = UserDirectories.make(env)
  const config = yield* Settings.workspace(yield* Settings.user, cwd)
  const waits = config.continueAfterLimit && config.attended === false && config.profile !== "advisory"
  const limitEnd = end.limitEnd === null || !waits ? undefined : Date.parse(end.limitEnd)
  const services = Layer.mergeAll(
    JudgeService.Evidence,
    ProjectRoot.isWorkspace(root, env) ? Artifacts.Live : Layer.succeed(Artifacts, { write: () => Effect.void }),
    ReviewStates.Live({ directory: join(directories.state, "sessions", host) }),
    DecisionLog.Live({ file: UserDirectories.logFile(directories) }),
    Layer.succeed(AgentHost, hostOf(proxy, take, end, root))
  ).pipe(Layer.provideMerge(Layer.succeed(CurrentConfig, config)))
  const left = limitEnd === undefined ? 0 : Math.max(0, limitEnd - (yield* Clock.currentTimeMillis))
  const reviewing = Effect.provide(TurnReview.onIdle(end.sessionId, { limitEnd }), services)
  yield* Effect.timeout(Effect.disconnect(reviewing), Duration.sum(patience, Duration.millis(left)))
})

/** Whatever happens, the client gets its response. */
const reviewed = (proxy: Proxy.Proxy, take: Take, end: Proxy.TurnEnd, released: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { cwd: here } = yield* CliProcess
    const cwd = proxy.session(end.sessionId)?.cwd ?? here
    yield* Effect.raceFirst(review(proxy, take, end, cwd), released)
  }).pipe(
    Effect.catchTag("ConfigurationError", ({ problem }) =>
      Effect.sync(() => take(proxy.tell(end, Notice.problem(problem)) ?? proxy.release(end)))
    ),
    Effect.catchAllCause((cause) => Effect.logWarning("a turn was not reviewed", cause)),
    Effect.ensuring(Effect.sync(() => take(proxy.release(end)))),
    // Standard output belongs to the protocol.
    Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.stringLogger)))
  )

const write = (to: Writable, from: Readable, lines: ReadonlyArray<Uint8Array>): void => {
  const isFull = lines.map((line) => to.write(line)).includes(false)
  if (!isFull || from.isPaused()) return
  from.pause()
  to.once("drain", () => from.resume())
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

type Needed = CliProcess | FileSystem.FileSystem | Path.Path

const relay = (agent: string, args: ReadonlyArray<string>, runtime: Runtime.Runtime<Needed>) =>
  Effect.async<ExitCode, ConfigurationError>((resume) => {
    const child = spawn(agent, args, { stdio: ["pipe", "pipe", "inherit"] })
    const proxy = Proxy.make({ now: () => Date.now(), prefix: `reflexion-${randomUUID()}-` })
    const running = new Map<number, Deferred.Deferred<void>>()
    const take: Take = ({ agent: toAgent, client, ended, released }) => {
      write(process.stdout, child.stdout, client)
      write(child.stdin, process.stdin, toAgent)
      for (const review of released) {
        const one = running.get(review)
        if (one !== undefined) Deferred.unsafeDone(one, Effect.void)
      }
      if (ended === null) return
      const one = Deferred.unsafeMake<void>(FiberId.none)
      running.set(ended.review, one)
      const over = Effect.sync(() => running.delete(ended.review))
      Runtime.runFork(runtime)(Effect.ensuring(reviewed(proxy, take, ended, Deferred.await(one)), over))
    }
    const pass = (from: Readable, read: (line: Uint8Array) => Proxy.Outcome, end: () => void): void => {
      const lines = Lines.splitter()
      from.on("data", (chunk: Buffer) => {
        for (const line of lines.push(chunk)) take(read(line))
      })
      from.once("end", () => {
        take(read(lines.rest()))
        end()
      })
    }
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
    for (const signal of signals) process.on(signal, forward)
    const finish = (result: Effect.Effect<ExitCode, ConfigurationError>): void => {
      for (const signal of signals) process.off(signal, forward)
      process.stdin.destroy()
      resume(result)
    }
    // If the agent has ended, it takes no more input. That is not an error.
    child.stdin.on("error", () => {})
    pass(process.stdin, proxy.fromClient, () => child.stdin.end())
    pass(child.stdout, proxy.fromAgent, () => take(proxy.release(null)))
    child.once("error", ({ message }) => finish(refusal(`the agent could not be started: ${message}`)))
    child.once("close", (code) => {
      take(proxy.release(null))
      finish(Effect.succeed(code === 0 ? 0 : 1))
    })
  })

export const serve = Effect.fn("AcpServer.serve")(function* (agent: string, args: ReadonlyArray<string>) {
  const { cwd, env } = yield* CliProcess
  const found = Programs.find({ cwd, env }, agent)
  // If the user typed a path, it is used as it is.
  const program = basename(agent) === agent ? found.own[0] : agent
  if (program === undefined)
    return yield* refusal(`the agent could not be started: ${ProgramPath.problemOf(agent, found)}`)
  const code = yield* relay(program, args, yield* Effect.runtime<Needed>())
  yield* Ref.set(yield* ExitStatus, code)
})
