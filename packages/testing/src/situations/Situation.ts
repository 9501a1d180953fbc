/** A situation at an agent's stop: a project, the user's check, the agent's work, and the expected result. */
import * as Command from "@effect/platform/Command"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { Move } from "../contract/HostContract.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"

/** An `Edit` whose `before` is empty writes a file. */
export type Action =
  | Extract<Move, { readonly _tag: "Say" | "Shell" | "Edit" }>
  | { readonly _tag: "User"; readonly text: string }

export const user = (text: string): Action => ({ _tag: "User", text })

export const write = (file: string, after: string): Action => ({ _tag: "Edit", file, before: "", after })

/** `output` is the output in the host's record. `Told` is a message of reflexion to the agent. */
export interface Done {
  readonly at: Date
  readonly deed: Action | { readonly _tag: "Told"; readonly text: string }
  readonly output: string
  readonly exit: number
}

export interface Ending {
  readonly plan?: boolean
  readonly background?: boolean
}

/**
 * Missing fields are not checked. `nudge`: the text for the agent has these parts and does not match `unsaid`; null if
 * there is no nudge. `notice`: the text for the user. `logged`: the log's reason. `runs`: how often the check ran.
 */
export interface ExpectedStop {
  readonly nudge?: ReadonlyArray<string> | null
  readonly unsaid?: RegExp
  readonly notice?: RegExp
  readonly unnoticed?: RegExp
  readonly logged?: RegExp
  readonly runs?: number
}

export interface Stop {
  readonly deeds: ReadonlyArray<Action>
  readonly ending?: Ending
  readonly expected: ExpectedStop
}

/** `path` has the folders of the runner's programs. */
export interface Runner {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly isThere: boolean
}

/** `ignored` files are untracked. `dirty` are the user's uncommitted changes from before the task. */
export interface Situation {
  readonly name: string
  readonly runner: Runner
  readonly project: Sandbox.Project
  readonly ignored?: (workspace: string) => void
  readonly dirty?: Sandbox.Project
  readonly check: { readonly name: string; readonly command: string; readonly timeout?: number } | null
  readonly stops: ReadonlyArray<Stop>
  /** A known fault. The test reports when it no longer occurs. */
  readonly fault?: string
}

export interface World {
  readonly sandbox: Sandbox.Sandbox
  readonly sessionId: string
  readonly done: ReadonlyArray<Done>
}

export class SituationFailure extends Data.TaggedError("SituationFailure")<{ readonly detail: string }> {
  override get message() {
    return this.detail
  }
}

const minutesAgo = (count: number): Date => new Date(Date.now() - count * 60_000)

const put = (folder: string, files: Sandbox.Project, at: Date | null): void => {
  for (const [name, text] of Object.entries(files)) {
    const file = Path.join(folder, name)
    FS.mkdirSync(Path.dirname(file), { recursive: true })
    FS.writeFileSync(file, text)
    if (at !== null) FS.utimesSync(file, at, at)
  }
}

const configured = ({ check }: Situation): object => ({
  attended: false,
  ...(check !== null && { checks: [{ ...check, command: `echo ran >> "$RUNS"; ${check.command}` }] })
})

/** The project's files are an hour old. The user's changes in `dirty` are newer. */
export const make = Effect.fnUntraced(function* (situation: Situation) {
  const { dirty = {}, ignored, project, runner } = situation
  const made = yield* Sandbox.make({ name: "shop", project, begun: minutesAgo(60) })
  const root = FS.realpathSync(made.root)
  const at = (path: string): string => path.replace(made.root, root)
  const env = {
    ...made.env,
    ...runner.env,
    HOME: at(made.home),
    TMPDIR: at(made.env["TMPDIR"] ?? ""),
    PATH: [...runner.path, made.env["PATH"]].join(":"),
    RUNS: Path.join(root, "runs")
  }
  const sandbox: Sandbox.Sandbox = { root, home: at(made.home), workspace: at(made.workspace), env }
  ignored?.(sandbox.workspace)
  const packages = Path.join(sandbox.workspace, "node_modules")
  if (FS.existsSync(packages)) put(packages, { ".package-lock.json": "{}\n" }, minutesAgo(60))
  put(sandbox.workspace, dirty, minutesAgo(40))
  put(sandbox.home, { ".config/reflexion/config.json": JSON.stringify(configured(situation)) }, null)
  const world: World = { sandbox, sessionId: `01a200fd-2d61-7412-bd45-${root.slice(-6).padStart(12, "0")}`, done: [] }
  return world
})

const ran = Effect.fnUntraced(function* (sandbox: Sandbox.Sandbox, line: string) {
  const process = yield* Command.start(Sandbox.command(sandbox, {}, ["/bin/sh", "-c", `exec 2>&1; ${line}`]))
  const output = yield* Stream.mkString(Stream.decodeText(process.stdout))
  return { output, exit: Number(yield* process.exitCode) }
}, Effect.scoped)

const edited = (workspace: string, { after, before, file }: Extract<Action, { readonly _tag: "Edit" }>) =>
  Effect.suspend(() => {
    const text = before === "" ? "" : FS.readFileSync(Path.join(workspace, file), "utf8")
    if (!text.includes(before)) return new SituationFailure({ detail: `${file} has no ${before}` })
    put(workspace, { [file]: before === "" ? after : text.replace(before, () => after) }, null)
    return Effect.succeed({ output: `Updated ${file}.`, exit: 0 })
  })

/** The first action was 20 minutes ago: the task begins before the agent's edits. */
export const perform = Effect.fnUntraced(function* (world: World, deed: Action) {
  const { done, sandbox } = world
  const outcome =
    deed._tag === "Shell"
      ? yield* ran(sandbox, deed.command)
      : deed._tag === "Edit"
        ? yield* edited(sandbox.workspace, deed)
        : { output: "", exit: 0 }
  return { ...world, done: [...done, { at: minutesAgo(done.length === 0 ? 20 : 0), deed, ...outcome }] }
})

export const told = (world: World, text: string): World => ({
  ...world,
  done: [...world.done, { at: new Date(), deed: { _tag: "Told", text }, output: "", exit: 0 }]
})

const textOrNone = (file: string): string => (FS.existsSync(file) ? FS.readFileSync(file, "utf8") : "")

export const log = ({ sandbox: { home } }: World): string =>
  textOrNone(Path.join(home, ".local", "state", "reflexion", "log.jsonl"))

export const runs = ({ sandbox }: World): number => textOrNone(sandbox.env["RUNS"] ?? "").split("\n").length - 1

/** Left out: our own records, and files that tools create and git ignores. */
const apart: ReadonlySet<string> = new Set(
  ".reflection node_modules target __pycache__ .pytest_cache Cargo.lock".split(" ")
)

/** A file or process may disappear while `look` reads it. */
const orGone = <A>(look: () => A, gone: A): A => {
  try {
    return look()
  } catch {
    return gone
  }
}

const textOf = (path: string): string => {
  const found = FS.lstatSync(path)
  if (found.isSymbolicLink()) return `link ${FS.readlinkSync(path)}`
  return found.isFile() ? `${found.mode} ${FS.readFileSync(path, "base64")}` : String(found.mode)
}

export const filesOf = (folder: string, below = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    orGone(() => FS.readdirSync(Path.join(folder, below), { withFileTypes: true }), [])
      .filter(({ name }) => !apart.has(name))
      .flatMap((entry): ReadonlyArray<readonly [string, string]> => {
        const name = Path.join(below, entry.name)
        if (!entry.isDirectory()) return [[name, orGone(() => textOf(Path.join(folder, name)), "gone")]]
        return [[`${name}/`, ""], ...Object.entries(filesOf(folder, name))]
      })
  )

const namesIn = (folder: string): ReadonlyArray<string> => (FS.existsSync(folder) ? FS.readdirSync(folder) : [])

/** A process that just ended has no environment. */
const isOf = (root: string, pid: string): boolean =>
  orGone(() => FS.readFileSync(`/proc/${pid}/environ`, "utf8").includes(root), false)

/** What a stop changed or left behind. */
export const traces = ({ sandbox }: World, before: ReturnType<typeof filesOf>): ReadonlyArray<string> => {
  const after = filesOf(sandbox.workspace)
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const checks = namesIn(Path.join(sandbox.home, ".local", "state", "reflexion", "checks"))
  return [
    ...[...names].filter((name) => before[name] !== after[name]).map((name) => `${name} is not as it was`),
    ...namesIn("/proc")
      .filter((name) => /^\d+$/.test(name) && isOf(sandbox.root, name))
      .map((pid) => `process ${pid} goes on`),
    ...checks.filter((name) => !name.endsWith(".json")).map((name) => `${name} is left`),
    ...namesIn(sandbox.env["TMPDIR"] ?? "")
      .filter((name) => name.startsWith("reflexion-"))
      .map((name) => `${name} is left`)
  ]
}
