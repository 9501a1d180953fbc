/** A situation at a stop of an agent: a project, the user's check of it, what the agent did, and what is to come of it. */
import * as Command from "@effect/platform/Command"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as FS from "node:fs"
import * as Path from "node:path"
import type { Move } from "../contract/HostContract.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import type { Runner } from "./Runners.ts"

/**
 * What happens in a session: the user speaks, or the agent does something. An `Edit` without a text of before writes a file.
 *
 * @category models
 */
export type Action =
  | Extract<Move, { readonly _tag: "Say" | "Shell" | "Edit" }>
  | { readonly _tag: "User"; readonly text: string }

export const user = (text: string): Action => ({ _tag: "User", text })

export const write = (file: string, after: string): Action => ({ _tag: "Edit", file, before: "", after })

/**
 * A deed that was done, with what the host keeps of it; `told` is what reflexion said to the agent.
 *
 * @category models
 */
export interface Done {
  readonly at: Date
  readonly deed: Action | { readonly _tag: "Told"; readonly text: string }
  readonly output: string
  readonly exit: number
}

/**
 * What the host makes of a stop besides: the mode it is in, and how much of the agent's work goes on.
 *
 * @category models
 */
export interface Ending {
  readonly plan?: boolean
  readonly background?: boolean
}

/**
 * What a stop comes to. `nudge`: what the agent is told holds these and not `unsaid`; null where it is told nothing; what is left out is not looked at. `notice`:
 * what the user is told, and not `unnoticed`. `logged`: what the decision log says of it. `runs`: how often the check was run.
 *
 * @category models
 */
export interface ExpectedStop {
  readonly nudge?: ReadonlyArray<string | RegExp> | null
  readonly unsaid?: ReadonlyArray<string | RegExp>
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

/**
 * `project` is committed, with what `ignored` has untracked in it, and `dirty` is what the user changed and did not commit before the
 * task. `check`: the command that the user named for a gate; null where they named none.
 *
 * @category models
 */
export interface Situation {
  readonly name: string
  readonly runner: Runner
  readonly project: Sandbox.Project
  readonly ignored?: (workspace: string) => void
  readonly dirty?: Sandbox.Project
  readonly check: {
    readonly name: string
    readonly command: string
    readonly paths?: ReadonlyArray<string>
    readonly timeout?: number
  } | null
  readonly config?: object
  readonly stops: ReadonlyArray<Stop>
  /** A fault that is known: the test says so as soon as it is gone. */
  readonly fault?: string
}

/**
 * A situation under way, in a sandbox with a home and a project of its own.
 *
 * @category models
 */
export interface World {
  readonly sandbox: Sandbox.Sandbox
  readonly sessionId: string
  readonly done: ReadonlyArray<Done>
}

const minutes = (count: number): number => count * 60_000

export class SituationFailure extends Data.TaggedError("Broken")<{ readonly detail: string }> {
  override get message() {
    return this.detail
  }
}

/** Codex runs checks in its own sandbox: this stands for one that lets everything through. */
const codex = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
`

/**
 * The key of a configuration that names a check.
 *
 * @category combinators
 */
export const configured = ({ check, config }: Pick<Situation, "check" | "config">): object => ({
  attended: false,
  ...(check !== null && { checks: [{ ...check, command: `echo ran >> "$RUNS"; ${check.command}` }] }),
  ...config
})

const put = (folder: string, files: Sandbox.Project, at: Date | null): void => {
  for (const [name, text] of Object.entries(files)) {
    const file = Path.join(folder, name)
    FS.mkdirSync(Path.dirname(file), { recursive: true })
    FS.writeFileSync(file, text)
    if (at !== null) FS.utimesSync(file, at, at)
  }
}

/**
 * The project as it was an hour ago, with what the user changed since.
 *
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (situation: Situation) {
  const now = Date.now()
  const { dirty = {}, ignored, project, runner } = situation
  const begun = new Date(now - minutes(60))
  const made = yield* Sandbox.make({ name: "shop", project, tools: { codex }, begun })
  const root = FS.realpathSync(made.root)
  const at = (path: string): string => path.replace(made.root, root)
  const sandbox: Sandbox.Sandbox = {
    root,
    home: at(made.home),
    workspace: at(made.workspace),
    env: {
      ...made.env,
      ...runner.env,
      HOME: at(made.home),
      TMPDIR: at(made.env["TMPDIR"] ?? ""),
      PATH: [at(Path.join(made.home, "bin")), ...runner.path, made.env["PATH"]].join(":"),
      RUNS: Path.join(root, "runs")
    }
  }
  ignored?.(sandbox.workspace)
  const packages = Path.join(sandbox.workspace, "node_modules")
  if (FS.existsSync(packages)) put(packages, { ".package-lock.json": "{}\n" }, begun)
  put(sandbox.workspace, dirty, new Date(now - minutes(40)))
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
    const path = Path.join(workspace, file)
    const text = before === "" ? "" : FS.readFileSync(path, "utf8")
    if (!text.includes(before)) return new SituationFailure({ detail: `${file} has no ${before}` })
    put(workspace, { [file]: before === "" ? after : text.replace(before, () => after) }, null)
    return Effect.succeed({ output: `Updated ${file}.`, exit: 0 })
  })

/**
 * Does it, and keeps how it went. The task was given before the agent did anything.
 *
 * @category combinators
 */
export const perform = Effect.fnUntraced(function* (world: World, deed: Action) {
  const { done, sandbox } = world
  const nothing = { output: "", exit: 0 }
  const outcome =
    deed._tag === "Shell"
      ? yield* ran(sandbox, deed.command)
      : deed._tag === "Edit"
        ? yield* edited(sandbox.workspace, deed)
        : nothing
  const at = new Date(Date.now() - (done.length === 0 ? minutes(20) : 0))
  return { ...world, done: [...done, { at, deed, ...outcome }] }
})

/**
 * The agent was told something.
 *
 * @category combinators
 */
export const told = (world: World, text: string): World => ({
  ...world,
  done: [...world.done, { at: new Date(), deed: { _tag: "Told", text }, output: "", exit: 0 }]
})

/**
 * The decisions until now, as they were logged.
 *
 * @category accessors
 */
export const log = ({ sandbox: { home } }: World): string => {
  const file = Path.join(home, ".local", "state", "reflexion", "log.jsonl")
  return FS.existsSync(file) ? FS.readFileSync(file, "utf8") : ""
}

/**
 * How often the check was run until now.
 *
 * @category accessors
 */
export const runs = ({ sandbox }: World): number => {
  const file = sandbox.env["RUNS"] ?? ""
  return FS.existsSync(file) ? FS.readFileSync(file, "utf8").split("\n").length - 1 : 0
}

/** What tools write for themselves and git ignores, and our own records. */
const apart: ReadonlySet<string> = new Set([
  ".reflection",
  "node_modules",
  "target",
  "__pycache__",
  ".pytest_cache",
  "Cargo.lock"
])

/** What goes while it is looked at does not exist. */
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

/**
 * Every file of the project and of its repository, with its bytes and its mode.
 *
 * @category accessors
 */
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

/** Whether the environment of a process is the sandbox's; one that just ended has none. */
const isOf = (root: string, pid: string): boolean =>
  orGone(() => FS.readFileSync(`/proc/${pid}/environ`, "utf8").includes(root), false)

/**
 * The processes that were started in the sandbox and go on, where the system tells.
 *
 * @category accessors
 */
export const processesOf = ({ root }: Sandbox.Sandbox): ReadonlyArray<string> =>
  FS.existsSync("/proc") ? FS.readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOf(root, name)) : []

const namesIn = (folder: string): ReadonlyArray<string> => (FS.existsSync(folder) ? FS.readdirSync(folder) : [])

/**
 * What is left of a run in the user's own folders: work trees, locks and temporary files.
 *
 * @category accessors
 */
export const leftOf = ({ env, home }: Sandbox.Sandbox): ReadonlyArray<string> => {
  const checks = namesIn(Path.join(home, ".local", "state", "reflexion", "checks"))
  const temporary = namesIn(env["TMPDIR"] ?? "")
  return [
    ...checks.filter((name) => !name.endsWith(".json")),
    ...temporary.filter((name) => name.startsWith("reflexion-"))
  ]
}
