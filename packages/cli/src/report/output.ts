/** Where a report's page goes. What is there and is no report is never replaced. */
import * as ProgramPath from "@reflexion/core/internal/base/system/ProgramPath"
import * as ReviewFolder from "@reflexion/core/internal/review/records/ReviewFolder"
import * as ProjectRoot from "@reflexion/hooks/places/ProjectRoot"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Programs from "@reflexion/core/internal/base/system/Programs"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { closeSync, constants, lstatSync, openSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { ReportError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { ReportData } from "./model.ts"
import * as ReportHtml from "./page.ts"

/**
 * `given`: it was named on the command line.
 *
 * @category models
 */
export interface Place {
  readonly path: string
  readonly root: string
  readonly given: boolean
}

type Env = Readonly<Record<string, string | undefined>>

const fail = (problem: string) => Effect.fail(new ReportError({ problem: oneLine(problem) }))

const isReport = (path: string): boolean => {
  const head = new Uint8Array(ReportHtml.signature.length)
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    PlainFiles.readAt(descriptor, head, 0)
  } finally {
    closeSync(descriptor)
  }
  return new TextDecoder().decode(head) === ReportHtml.signature
}

/** Why nothing can be written there, null where it can. */
const hindrance = ({ given, path, root }: Place, env: Env): string | null => {
  const option = given ? "--out: " : ""
  const folder = join(root, ".reflection")
  if (!given && !ProjectRoot.isWorkspace(root, env))
    return `${root}: it is no project; run this in the folder of one, or name a file with --out`
  if (!given && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return `${folder}: it is a symbolic link, which is not followed here; name another file with --out`
  if (given && lstatSync(dirname(path), { throwIfNoEntry: false }) === undefined)
    return `--out: ${dirname(path)}: there is no such folder; make it, or name another`
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (found.isDirectory()) return `${option}${path}: it is a folder; name a file in it, such as report.html`
  if (!found.isFile()) return `${option}${path}: it is no plain file; name another`
  return isReport(path)
    ? null
    : `${option}${path}: it is no report, and is not replaced; name another file, or move it away`
}

/**
 * The place of the page, looked at before anything is read.
 *
 * @category accessors
 */
export const placeOf = Effect.fnUntraced(function* (root: string, out: string | null, format: string | null) {
  const place: Place = { path: out ?? join(root, ".reflection", "report.html"), root, given: out !== null }
  if (format === "text") return place
  const { env } = yield* CliProcess
  const problem = yield* Effect.try({
    try: () => hindrance(place, env),
    catch: (cause) =>
      new ReportError({ problem: `${place.given ? "--out: " : ""}${explain(cause, place.path).problem}` })
  })
  return problem === null ? place : yield* fail(problem)
})

/** The build puts them beside the hooks. */
const assets = Effect.flatMap(CliProcess, ({ program }) => {
  const folder = join(dirname(program.hooks), "page")
  return Effect.try({
    try: (): ReportHtml.Assets => ({
      script: readFileSync(join(folder, "page.js"), "utf8"),
      style: readFileSync(join(folder, "page.css"), "utf8")
    }),
    catch: (cause) => new ReportError({ problem: `${explain(cause, folder).problem} Install reflexion again.` })
  })
})

/**
 * Writes the page in one step, and says where it is.
 *
 * @category writing
 */
export const write = Effect.fn("ReportOutput.write")(function* ({ given, path, root }: Place, data: ReportData) {
  const html = ReportHtml.render(data, yield* assets)
  yield* Effect.try({
    try: () => {
      if (!given) ReviewFolder.make(root)
      PlainFiles.write(path, html)
    },
    catch: (cause) => new ReportError({ problem: `${given ? "--out: " : ""}${explain(cause, path).problem}` })
  })
  const { env, stdout } = yield* CliProcess
  // In a pipe it is for a program, which knows no `~`.
  yield* Console.log(stdout.isTerminal ? Terminal.tilde(env, path) : path)
})

const opener = (): readonly [program: string, ...words: Array<string>] => {
  if (process.platform === "darwin") return ["open"]
  return process.platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"]
}

/** A browser may go on as long as the page is looked at; one that could not be had ends at once. */
const patience = "3 seconds"

/** Whether it runs, or did its part. It goes on when the command line is done. */
const started = (program: string, words: ReadonlyArray<string>, env: Env) =>
  Effect.async<boolean>((resume) => {
    const child = spawn(program, [...words], { env, detached: true, stdio: "ignore" })
    child.on("error", () => resume(Effect.succeed(false)))
    child.on("exit", (code) => resume(Effect.succeed(code === 0)))
    child.on("spawn", () => child.unref())
  }).pipe(Effect.timeoutTo({ duration: patience, onSuccess: (isWell) => isWell, onTimeout: () => true }))

/**
 * Shows the page in the user's browser, and says where that cannot be done; the page is there all the same.
 *
 * @category programs
 */
export const open = Effect.fn("ReportOutput.open")(function* (path: string) {
  const where = yield* CliProcess
  const [name, ...words] = opener()
  const found = Programs.make(where).find(name)
  const [program] = found.own
  const env = Programs.environment(where)
  if (program !== undefined && (yield* started(program, [...words, pathToFileURL(path).href], env))) return true
  const missing = found.passedOver.length > 0 ? ProgramPath.problemOf(name, found) : `there is no ${name}`
  const why = program === undefined ? missing : `${name} did not find one`
  yield* Console.error(`reflexion: no browser shows the page, for ${why}; open it yourself`)
  return false
})
