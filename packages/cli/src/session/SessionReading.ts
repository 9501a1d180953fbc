/** Reads one session's record and folds its events as they arrive. */
import type { JudgmentContext } from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Condition } from "@reflexion/core/internal/session/donewhen/DoneWhen"
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
import * as Settings from "../process/Settings.ts"

export interface Fold<out A> {
  readonly push: (events: ReadonlyArray<TranscriptEvent>, session: SessionInfo) => void
  readonly end: (session: SessionInfo) => A
  /** Runs after each push and at the end, for asynchronous work. */
  readonly settle?: Effect.Effect<void>
}

export interface Reading<out A> {
  readonly value: A
  readonly warnings: ReadonlyArray<TranscriptReader.Warning>
  readonly warningCount: number
}

export interface ReadingRequest {
  /** The host's name. Null detects it from the content. */
  readonly host: string | null
  /** Null uses the session's own directory. */
  readonly cwd: string | null
  /** Null uses the configuration. */
  readonly profile: ReflexionConfig.Profile | null
  /** Whether a user is present. Null uses the configuration. */
  readonly attended?: ReflexionConfig.Attended | null
  /** In addition to the configuration's conditions. */
  readonly conditions?: ReadonlyArray<Condition>
}

export interface Options {
  /** The session's name. */
  readonly file: string
  /** `-` means standard input. */
  readonly source: string
  readonly request: ReadingRequest
  /** The user's own configuration. */
  readonly config: ReflexionConfig.ReflexionConfig
  /** A verb for messages, for example "judged". */
  readonly done: string
}

/** Reads the signals of the working copy if the session's directory exists. */
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

const undecoded = (file: string, problem: string): SessionError =>
  new SessionError({ file, reason: "undecoded", problem })

const unwritten = (file: string): SessionError => {
  const problem =
    "this session has no message of the user yet, so there is nothing to judge; name another session's file"
  return new SessionError({ file, reason: "unwritten", problem })
}

const isReadWhole = (reader: TranscriptReader.Reader): boolean =>
  reader.host() !== "transcript" && reader.warningCount() === 0

/** Some records, such as the output of `codex exec --json`, contain only the agent's work. */
const isUsed = (event: TranscriptEvent): boolean =>
  event.type === "assistant_message" ||
  event.type === "tool_call" ||
  (event.type === "user_message" && !event.synthetic)

/** Looks for the parent session in the folder of the subagent's record and the two folders above. */
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

/** A subagent is judged only together with its session. */
const subagent = Effect.fnUntraced(function* ({ file, source }: Options, sessionId: string) {
  const record = resolve((yield* CliProcess).cwd, source)
  const own = source === "-" ? null : yield* fileOf(record, sessionId)
  if (own !== null && own === record) return unwritten(file)
  const session = own === null ? `the file of the session ${oneLine(sessionId)}` : oneLine(own)
  const problem = `this is a subagent's record, which is read together with its session: judge ${session}`
  return new SessionError({ file, reason: "subagent", problem })
})

/** If the user named a host, `other` is a reader that tried the formats of all hosts. */
const nothing = (
  file: string,
  reader: TranscriptReader.Reader,
  other: TranscriptReader.Reader | null
): SessionError => {
  const named = reader.tried().join(", ")
  const like = other?.host() ?? null
  const isRecord = other === null ? reader.host() !== null : like === reader.host()
  if (isRecord && isReadWhole(reader)) return unwritten(file)
  if (like !== null && like !== reader.host())
    return undecoded(
      file,
      `this is no session of ${named}; it looks like a session of ${like}: give --host ${like}, or omit --host`
    )
  const isEmpty =
    reader.host() === "transcript" && reader.warningCount() === 0 && Object.keys(reader.skipped()).length === 0
  const eventless = '"events" is empty: a session needs the user\'s message and what followed'
  const rejected = reader.rejected() ?? (isEmpty ? eventless : null)
  if (rejected !== null) return undecoded(file, rejected)
  const [first] = reader.warnings()
  const why = first === undefined ? "" : ` (line ${first.line}: ${first.message})`
  return undecoded(file, `no session found in it; formats tried: ${named}${why}`)
}

/** If this fails, only the session's own record is used. */
const subagentCalls = Effect.fnUntraced(function* ({ file, source }: Options, host: string | null) {
  const { cwd } = yield* CliProcess
  const read = Hosts.named(host)?.sessions.subagentCalls ?? null
  if (source === "-" || read === null) return []
  return yield* Effect.catchAll(read(resolve(cwd, source)), (error) =>
    Effect.as(Console.error(`reflexion: ${oneLine(file)}: its subagents were not read: ${oneLine(error.message)}`), [])
  )
})

/** `begin` makes the fold when the session is known. */
export const read = Effect.fn("SessionReading.read")(function* <A>(
  options: Options,
  begin: (context: JudgmentContext) => Fold<A>
) {
  const { done, file, request } = options
  const { decoders } = Hosts
  const reader = TranscriptReader.make({ decoders, ...(request.host !== null && { host: request.host }) })
  const other = request.host === null ? null : TranscriptReader.make({ decoders })
  let bytes = 0
  let used = false
  let folding: { readonly fold: Fold<A>; readonly merge: SubagentMerge.Merge } | null = null
  const take = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>) {
    if (events.length === 0) return
    const session = reader.session()
    used ||= events.some(isUsed)
    folding ??= {
      fold: begin(yield* prepare(options, session)),
      merge: SubagentMerge.make(yield* subagentCalls(options, reader.host()))
    }
    folding.fold.push(folding.merge.push(events), session)
    yield* folding.fold.settle ?? Effect.void
  })
  const reading = Stream.runForEach(Input.chunks(options.source, yield* CliProcess), (chunk) => {
    bytes += chunk.length
    if (folding === null && other?.host() === null) other.push(chunk)
    return take(reader.push(chunk))
  })
  // If bytes are damaged, the events before them count.
  const damage = yield* Effect.matchEffect(reading, {
    onFailure: (error) =>
      error._tag === "SessionError" && error.reason === "damaged" ? Effect.succeed(error) : Effect.fail(error),
    onSuccess: () => Effect.succeed(null)
  })
  yield* take(reader.end())
  const { parentSessionId } = reader.session()
  if (parentSessionId !== null && Hosts.named(reader.host())?.sessions.keepsAgentsApart === true)
    return yield* yield* subagent(options, parentSessionId)
  if (folding === null) {
    if (other?.host() === null) other.end()
    const empty = new SessionError({ file, reason: "empty", problem: "is empty" })
    return yield* damage ?? (bytes === 0 ? empty : nothing(file, reader, other))
  }
  if (!used && damage === null && isReadWhole(reader)) return yield* unwritten(file)
  if (damage !== null)
    yield* Console.error(`reflexion: ${oneLine(file)}: ${damage.problem}; ${done} as far as it could be read`)
  const { fold, merge }: { readonly fold: Fold<A>; readonly merge: SubagentMerge.Merge } = folding
  fold.push(merge.end(), reader.session())
  const value = fold.end(reader.session())
  yield* fold.settle ?? Effect.void
  return { value, warnings: reader.warnings(), warningCount: reader.warningCount() } satisfies Reading<A>
})
