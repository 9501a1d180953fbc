/**
 * The line that a host shows while its hook runs at a stop: it says which model may be asked, where the host lets a line be
 * changed. Kept in step with what the user says of the model after the installation. Every session there reads it, so that
 * it says what holds for all of them: by the user's own files, in a project's file by the project's, and no shell's variables.
 */
import * as Trust from "@reflexion/hooks/config/Trust"
import * as StatusLine from "./StatusLine.ts"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dirname } from "node:path"
import * as Installation from "./installation.ts"
import * as FileChange from "./FileChange.ts"
import * as HooksDocument from "./HooksDocument.ts"
import * as InstallFile from "./InstallFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import { explain } from "../process/FileProblem.ts"
import type { Host } from "../host/Hosts.ts"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as OwnStanding from "../models/OwnStanding.ts"
import type { Standing } from "../models/model.ts"
import { wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"

const modelOf = (host: Host, standing: Standing): string | null => {
  if (!OwnStanding.isAsked(standing)) return null
  if (standing.state !== "named") return OwnModels.nameOf(host.name)
  return standing.model === "auto" ? "a model" : standing.model
}

/** Which host's line, and the project whose files alone show it, null where all do. */
type Asked = Pick<InstallFile.Request, "host" | "scope" | "where">

const standingOf = ({ host, scope, where }: Asked) =>
  OwnStanding.lasting(host.name, scope === "project" ? where.root : null)

const lineOf = (host: Host, standing: Standing): string =>
  StatusLine.text(host.installation.approves ? null : modelOf(host, standing))

/**
 * The line of a host as it stands now. What cannot be told of the model is told elsewhere.
 *
 * @category accessors
 */
export const of = (asked: Asked) =>
  Effect.map(
    Effect.orElseSucceed(standingOf(asked), (): Standing => ({ state: "unasked" })),
    (standing) => lineOf(asked.host, standing)
  )

/**
 * The line as it is to be, where one of ours stands in its place and says something else; null for all others, and where
 * that cannot be told.
 *
 * @category accessors
 */
export const wanted = (asked: Asked, shown: string) =>
  asked.host.installation.approves || !StatusLine.isOwn(shown)
    ? Effect.succeed(null)
    : Effect.match(standingOf(asked), {
        onFailure: () => null,
        onSuccess: (standing) => {
          const line = lineOf(asked.host, standing)
          return line === shown ? null : line
        }
      })

/** The scope of a file that was written to, here or elsewhere, and the project that it is in. */
const placeOf = ({ host, where }: InstallFile.Request, file: string): Asked =>
  host.installation.places("global", where).some(([, global]) => global === file)
    ? { host, scope: "global", where }
    : { host, scope: "project", where: { ...where, root: Trust.rootOf(dirname(dirname(file))) } }

/** The file, if it is still where an installation wrote it; null for another one. */
const documentOf = (record: InstallRecord.InstallRecord, { scope, where }: Asked): InstallFile.Document | null => {
  const found = FileChange.find(record.file, scope === "project" ? where.root : null)
  return found.text === null || found.real !== record.real ? null : { kind: "json", found, record }
}

const changesOf = (
  request: InstallFile.Request,
  one: InstallFile.Document,
  line: string
): ReadonlyArray<InstallFile.Change> => {
  const next = Either.getOrNull(HooksDocument.relabel(one.found.text ?? "", { isOurs: request.isOurs, line }))
  if (next === null || next === one.found.text) return []
  return InstallFile.put(request, one, { next, commands: one.record?.commands ?? [] })
}

const tried = <A>(look: () => A) => Effect.try({ try: look, catch: (cause) => explain(cause) })

const stays = ({ problem }: { readonly problem: string }) =>
  Console.error(`reflexion: the line that the hook shows stays as it was: ${problem}`)

/** The line where it was changed. One file that cannot be read is named, and keeps no other from being changed. */
const relabel = Effect.fnUntraced(
  function* (request: InstallFile.Request, record: InstallRecord.InstallRecord) {
    const place = placeOf(request, record.file)
    const one = yield* tried(() => documentOf(record, place))
    if (one === null) return []
    const line = yield* of(place)
    const changes = yield* tried(() => changesOf(request, one, line))
    yield* Effect.forEach(changes, (change) => tried(() => Installation.apply(request, change)))
    return changes.length > 0 ? [line] : []
  },
  Effect.catchAll((error) => Effect.as(stays(error), []))
)

const print = (text: string) => Effect.flatMap(Terminal.style, ({ width }) => Console.log(wrap(text, width).join("\n")))

const changed = ({ title }: Host, line: string): string =>
  `While the hook runs ${title} shows "${line}", in sessions that start from now on.`

const kept = ({ title }: Host, line: string): string =>
  `While it is asked ${title} shows "${line}" as before: you approved the hook with that line, and would have to approve it again with another.`

/**
 * Puts the line as it stands now into what is installed of a host, and says so where it is another; or that it stays, to
 * whoever agreed.
 *
 * @category programs
 */
export const update = Effect.fn("HookLine.update")(function* (request: InstallFile.Request) {
  const { directories, host } = request
  if (host.installation.form === "plugin") return
  if (host.installation.approves) {
    const standing = yield* standingOf(request)
    const isTold = standing.state === "said" && standing.asked && InstallRecord.all(directories, host.name).length > 0
    return isTold ? yield* print(kept(host, lineOf(host, standing))) : undefined
  }
  const records = yield* tried(() => InstallRecord.all(directories, host.name))
  const json = records.filter(({ real }) => real.endsWith(".json"))
  const lines = yield* Effect.forEach(json, (record) => relabel(request, record))
  yield* Effect.forEach(new Set(lines.flat()), (line) => print(changed(host, line)))
}, Effect.catchAll(stays))
