/**
 * The line that a host shows while its hook runs at a stop: it says which model may be asked, where the host lets a line be
 * changed. Kept in step with what the user says of the model after the installation.
 */
import * as StatusLine from "@reflexion/hooks/stop/StatusLine"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Installation from "./installation.ts"
import * as FileChange from "./FileChange.ts"
import * as HooksDocument from "./HooksDocument.ts"
import * as InstallFile from "./InstallFile.ts"
import * as InstallRecord from "./InstallRecord.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import type { HookHost } from "../host/HookHosts.ts"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as OwnStanding from "../models/OwnStanding.ts"
import type { Standing } from "../models/model.ts"
import { wrap } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"

const modelOf = (host: HookHost, standing: Standing): string | null => {
  if (!OwnStanding.isAsked(standing)) return null
  if (standing.state !== "named") return OwnModels.nameOf(host.name)
  return standing.model === "auto" ? "a model" : standing.model
}

/** What cannot be told of the model is told elsewhere. */
const standingOf = ({ name }: HookHost) =>
  Effect.flatMap(CliProcess, ({ cwd }) =>
    Effect.orElseSucceed(OwnStanding.at(name, cwd), (): Standing => ({ state: "unasked" }))
  )

const lineOf = (host: HookHost, standing: Standing): string =>
  StatusLine.text(host.approvesLine ? null : modelOf(host, standing))

/**
 * The line of a host as it stands now.
 *
 * @category accessors
 */
export const of = (host: HookHost) => Effect.map(standingOf(host), (standing) => lineOf(host, standing))

/** Those that an installation wrote, and that are still where it wrote them. */
const written = ({ directories, host }: InstallFile.Request): ReadonlyArray<InstallFile.Document> =>
  InstallRecord.all(directories, host.name).flatMap((record) => {
    if (!record.real.endsWith(".json")) return []
    const found = FileChange.find(record.file, null)
    return found.text === null || found.real !== record.real ? [] : [{ kind: "json" as const, found, record }]
  })

const changesOf = (request: InstallFile.Request, line: string): ReadonlyArray<InstallFile.Change> =>
  written(request).flatMap((one) => {
    const next = Either.getOrNull(HooksDocument.relabel(one.found.text ?? "", { isOurs: request.isOurs, line }))
    if (next === null || next === one.found.text) return []
    return InstallFile.put(request, one, { next, commands: one.record?.commands ?? [] })
  })

const print = (text: string) => Effect.flatMap(Terminal.style, ({ width }) => Console.log(wrap(text, width).join("\n")))

const changed = ({ title }: HookHost, line: string): string =>
  `While the hook runs ${title} shows "${line}", in sessions that start from now on.`

const kept = ({ title }: HookHost, line: string): string =>
  `While it is asked ${title} shows "${line}" as before: you approved the hook with that line, and would have to approve it again with another.`

/**
 * Puts the line as it stands now into what is installed of a host, and says so where it is another; or that it stays, to
 * whoever agreed.
 *
 * @category programs
 */
export const update = Effect.fn("HookLine.update")(
  function* (request: InstallFile.Request) {
    const { directories, host } = request
    const standing = yield* standingOf(host)
    const line = lineOf(host, standing)
    if (host.approvesLine) {
      const isTold = standing.state === "said" && standing.asked && InstallRecord.all(directories, host.name).length > 0
      return isTold ? yield* print(kept(host, line)) : undefined
    }
    const changes = yield* Effect.try({ try: () => changesOf(request, line), catch: (cause) => explain(cause) })
    yield* Effect.forEach(changes, (change) =>
      Effect.try({ try: () => Installation.apply(request, change), catch: (cause) => explain(cause) })
    )
    if (changes.length > 0) yield* print(changed(host, line))
  },
  Effect.catchAll(({ problem }) => Console.error(`reflexion: the line that the hook shows stays as it was: ${problem}`))
)
