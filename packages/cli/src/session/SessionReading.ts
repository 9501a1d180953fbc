/** One session's record, folded as it is read. What it is folded for is a parameter: every command reads alike. */
import type { JudgmentContext } from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as SubagentMerge from "@reflexion/core/internal/session/transcript/SubagentMerge"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { dirname, join, resolve } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { SessionError } from "../process/CliError.ts"
import * as Hosts from "../host/Hosts.ts"
import * as Input from "../process/Input.ts"
import { oneLine } from "../terminal/Layout.ts"
import type { SessionRequest } from "./SessionRequest.ts"
import * as Settings from "../process/Settings.ts"

/**
 * What is made of a session, event by event; it answers once, at the end.
 *
 * @category models
 */
export interface Fold<out A> {
  readonly push: (events: ReadonlyArray<TranscriptEvent>, session: SessionInfo) => void
  readonly end: (session: SessionInfo) => A
  /** Run after what was pushed and at the end: what cannot be made of it at once. */
  readonly settle?: Effect.Effect<void>
}

/**
 * What came of a session, and what of its record could not be read.
 *
 * @category models
 */
export interface Read<out A> {
  readonly value: A
  readonly warnings: ReadonlyArray<TranscriptReader.Warning>
  readonly warningCount: number
}

export interface Options {
  /** What the session is called. */
  readonly file: string
  /** The file that has its record; `-` is standard input. */
  readonly source: string
  readonly request: Pick<SessionRequest, "attended" | "conditions" | "cwd" | "host" | "profile">
  /** The user's own configuration; the session's workspace may add to it. */
  readonly config: ReflexionConfig.ReflexionConfig
  /** What becomes of a session, as in "judged". */
  readonly done: string
}

/** What is folded by: the configuration and, where the session's directory exists, what it says. */
const prepare = Effect.fn("SessionReading.prepare")(function* (options: Options, session: SessionInfo) {
  const { cwd: here } = yield* CliProcess
  const { attended = null, conditions = [], cwd, profile } = options.request
  const directory = cwd === null ? session.cwd : resolve(here, cwd)
  const exists = directory !== null && (yield* Input.isDirectory(directory))
  const settled = exists ? yield* Settings.workspace(options.config, directory) : options.config
  const over = { ...(profile !== null && { profile }), ...(attended !== null && { attended }) }
  const config = withMore(ReflexionConfig.merge(settled, over), conditions)
  const repo = exists ? yield* RepoSignals.load(directory) : RepoSignals.empty
  return { config, repo, cwd: session.cwd ?? directory } satisfies JudgmentContext
})

/** A document in the neutral form with nothing in it; a host's own record says so by what could not be read. */
const eventless = (reader: TranscriptReader.Reader): string | null =>
  reader.host() === "transcript" && reader.warningCount() === 0 && Object.keys(reader.skipped()).length === 0
    ? '"events" is empty: there is no session to look at until it holds the user\'s message and what followed'
    : null

/** No line of the record was lost; the neutral form is no host's own record. */
const isReadWhole = (reader: TranscriptReader.Reader): boolean =>
  reader.host() !== "transcript" && reader.warningCount() === 0

const unwritten = (file: string): SessionError =>
  new SessionError({
    file,
    reason: "unwritten",
    problem:
      "nobody has written in this session: there is nothing to look at until it has a message of the user; name another session's file"
  })

/** Whether somebody wrote or an agent worked; the output of a command that takes one prompt has the work alone. */
const isUsed = (event: TranscriptEvent): boolean =>
  event.type === "assistant_message" ||
  event.type === "tool_call" ||
  (event.type === "user_message" && !event.synthetic)

/** A session's file, found by the session's id in the folder of one of its agents' records or in those above it. */
const fileOf = Effect.fnUntraced(function* (record: string, sessionId: string) {
  const names = [".jsonl", ".jsonl.gz", ".jsonl.zst"].map((end) => `${sessionId}${end}`)
  for (const up of [".", "..", "../.."]) {
    const folder = resolve(dirname(record), up)
    const listed = yield* Effect.orElseSucceed(RecordFiles.list(folder), () => [])
    const found = listed.find((name) => names.some((own) => name === own || name.endsWith(`-${own}`)))
    if (found !== undefined) return join(folder, found)
  }
  return null
})

/** The record of an agent that a session started, which is judged with the session's. */
const subagent = Effect.fnUntraced(function* ({ file, source }: Options, sessionId: string) {
  const { cwd } = yield* CliProcess
  const record = resolve(cwd, source)
  const own = source === "-" ? null : yield* fileOf(record, sessionId)
  if (own !== null && own === record) return unwritten(file)
  const session = own === null ? `the file of the session ${oneLine(sessionId)}` : oneLine(own)
  const problem = `this is a subagent's record, which is read with its session's: judge ${session}`
  return new SessionError({ file, reason: "subagent", problem })
})

/** Whose record it looks like, where another host was named. */
interface Look {
  readonly isNamed: boolean
  readonly push: (chunk: Uint8Array) => void
  readonly host: () => string | null
}

/** It is looked at as long as the host that was named finds nothing in it. */
const lookFor = (host: string | null): Look => {
  if (host === null) return { isNamed: false, push: () => {}, host: () => null }
  const reader = TranscriptReader.make({ decoders: Hosts.decoders })
  return {
    isNamed: true,
    push: (chunk) => void (reader.host() === null && reader.push(chunk)),
    host: () => {
      if (reader.host() === null) reader.end()
      return reader.host()
    }
  }
}

const undecoded = (
  file: string,
  reader: TranscriptReader.Reader,
  { bytes, look }: { readonly bytes: number; readonly look: Look }
): SessionError => {
  if (bytes === 0) return new SessionError({ file, reason: "empty", problem: "is empty" })
  const other = look.host()
  const named = reader.tried().join(", ")
  const isRecord = look.isNamed ? other === reader.host() : reader.host() !== null
  if (isRecord && isReadWhole(reader)) return unwritten(file)
  if (other !== null && other !== reader.host()) {
    const problem = `no session of ${named} found in it; it looks like one of ${other}: give --host ${other}, or leave --host out`
    return new SessionError({ file, reason: "undecoded", problem })
  }
  const rejected = reader.rejected() ?? eventless(reader)
  if (rejected !== null) return new SessionError({ file, reason: "undecoded", problem: rejected })
  const [first] = reader.warnings()
  const why = first === undefined ? "" : ` (line ${first.line}: ${first.message})`
  return new SessionError({
    file,
    reason: "undecoded",
    problem: `no session found in it; formats tried: ${named}${why}`
  })
}

/** What was read before the damage still counts. */
const isDamage = (error: { readonly _tag: string }): error is SessionError =>
  error._tag === "SessionError" && "reason" in error && error.reason === "damaged"

/** What the session's subagents did; where that cannot be read, the session's own record still counts. */
const subagentCalls = Effect.fnUntraced(function* ({ file, source }: Options, host: string | null) {
  const { cwd } = yield* CliProcess
  const read = Hosts.named(host)?.sessions.subagentCalls ?? null
  if (source === "-" || read === null) return []
  return yield* Effect.catchAll(read(resolve(cwd, source)), (error) =>
    Effect.as(Console.error(`reflexion: ${oneLine(file)}: its subagents were not read: ${oneLine(error.message)}`), [])
  )
})

interface Folding<A> {
  readonly fold: Fold<A>
  readonly merge: SubagentMerge.Merge
}

/**
 * A moment that somebody named lies after what is looked at: before it, silence and waiting mean nothing.
 *
 * @category programs
 */
export const ensureAfter = ({
  file,
  lastAt,
  now
}: {
  readonly file: string
  readonly lastAt: string | null
  readonly now: string | null
}): Effect.Effect<void, SessionError> => {
  if (now === null || lastAt === null || !(Date.parse(now) < Date.parse(lastAt))) return Effect.void
  const problem = `--now: ${now} is before the session's last event, at ${oneLine(lastAt)}: name a later time, or leave it out`
  return Effect.fail(new SessionError({ file, reason: "too_early", problem }))
}

/**
 * Reads a record to its end, folding its events as they come. `begin` makes the fold, once the session is known.
 *
 * @category programs
 */
export const read = Effect.fn("SessionReading.read")(function* <A>(
  options: Options,
  begin: (context: JudgmentContext) => Fold<A>
) {
  const { done, file, request } = options
  const reader = TranscriptReader.make({
    decoders: Hosts.decoders,
    ...(request.host !== null && { host: request.host })
  })
  const look = lookFor(request.host)
  const progress: { bytes: number; isUsed: boolean; folding: Folding<A> | null } = {
    bytes: 0,
    isUsed: false,
    folding: null
  }
  const take = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>) {
    if (events.length === 0) return
    const session = reader.session()
    progress.isUsed ||= events.some(isUsed)
    progress.folding ??= {
      fold: begin(yield* prepare(options, session)),
      merge: SubagentMerge.make(yield* subagentCalls(options, reader.host()))
    }
    const { fold, merge } = progress.folding
    fold.push(merge.push(events), session)
    yield* fold.settle ?? Effect.void
  })
  const reading = Stream.runForEach(Input.chunks(options.source, yield* CliProcess), (chunk) => {
    progress.bytes += chunk.length
    if (progress.folding === null) look.push(chunk)
    return take(reader.push(chunk))
  })
  const damage = yield* Effect.matchEffect(reading, {
    onFailure: (error) => (isDamage(error) ? Effect.succeed(error) : Effect.fail(error)),
    onSuccess: () => Effect.succeed(null)
  })
  yield* take(reader.end())
  const { parentSessionId } = reader.session()
  if (parentSessionId !== null && Hosts.named(reader.host())?.sessions.keepsAgentsApart === true)
    return yield* yield* subagent(options, parentSessionId)
  if (progress.folding === null) return yield* damage ?? undecoded(file, reader, { bytes: progress.bytes, look })
  if (!progress.isUsed && damage === null && isReadWhole(reader)) return yield* unwritten(file)
  if (damage !== null)
    yield* Console.error(`reflexion: ${oneLine(file)}: ${damage.problem}; ${done} as far as it could be read`)
  const { fold, merge } = progress.folding
  fold.push(merge.end(), reader.session())
  const value = fold.end(reader.session())
  yield* fold.settle ?? Effect.void
  const read: Read<A> = {
    value,
    warnings: reader.warnings(),
    warningCount: reader.warningCount()
  }
  return read
})
