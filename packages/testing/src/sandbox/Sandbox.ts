/** A temporary home directory and git working copy for one host session, removed with the scope. */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Process from "node:process"

/** The texts of files, by path. */
export type Project = Readonly<Record<string, string>>

export interface Sandbox {
  readonly root: string
  readonly home: string
  readonly workspace: string
  /** The complete environment of programs in the sandbox. */
  readonly env: Readonly<Record<string, string>>
}

const author = {
  GIT_AUTHOR_NAME: "Dev",
  GIT_AUTHOR_EMAIL: "dev@example.com",
  GIT_COMMITTER_NAME: "Dev",
  GIT_COMMITTER_EMAIL: "dev@example.com",
  GIT_CONFIG_NOSYSTEM: "1"
}

/** Uses `env -i`, because a child would otherwise inherit this process's environment. */
export const command = (sandbox: Sandbox, env: Readonly<Record<string, string>>, argv: ReadonlyArray<string>) =>
  Command.make(
    "env",
    "-i",
    ...Object.entries({ ...sandbox.env, ...env }).map(([key, value]) => `${key}=${value}`),
    ...argv
  ).pipe(Command.workingDirectory(sandbox.workspace))

export const execute = (sandbox: Sandbox, ...argv: ReadonlyArray<string>) => Command.string(command(sandbox, {}, argv))

/** Makes a git repository with one commit on `main`, and a bare `origin` with the same commit. */
export const make = Effect.fn("Sandbox.make")(function* (options: {
  readonly name: string
  readonly project: Project
  /** Shell scripts that replace tools with network access, such as `gh`. */
  readonly tools?: Readonly<Record<string, string>>
  /** The default is now. */
  readonly begun?: Date
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-host-" })
  const home = path.join(root, "home")
  const workspace = path.join(home, options.name)
  const sandbox: Sandbox = {
    root,
    home,
    workspace,
    env: {
      ...author,
      HOME: home,
      LANG: "C.UTF-8",
      PATH: [path.join(home, "bin"), path.dirname(Process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      TMPDIR: path.join(root, "tmp"),
      CLAUDE_CODE_TMPDIR: path.join(root, "tmp"),
      npm_config_update_notifier: "false"
    }
  }
  yield* fs.makeDirectory(workspace, { recursive: true })
  yield* fs.makeDirectory(path.join(root, "tmp"))
  for (const [name, content] of Object.entries(options.project)) {
    const file = path.join(workspace, name)
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, content)
  }
  for (const [name, script] of Object.entries(options.tools ?? {})) {
    yield* fs.makeDirectory(path.join(home, "bin"), { recursive: true })
    yield* fs.writeFileString(path.join(home, "bin", name), script, { mode: 0o755 })
  }
  const origin = path.join(home, "origin.git")
  const date = options.begun?.toISOString()
  const dated = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const git = (...words: ReadonlyArray<string>) => Command.string(command(sandbox, dated, ["git", ...words]))
  yield* git("init", "--quiet", "--bare", "--initial-branch=main", origin)
  yield* git("init", "--quiet", "--initial-branch=main")
  yield* git("add", "--all")
  yield* git("commit", "--quiet", "--message=Begin the project")
  yield* git("remote", "add", "origin", origin)
  yield* git("push", "--quiet", "--set-upstream", "origin", "main")
  return sandbox
})
