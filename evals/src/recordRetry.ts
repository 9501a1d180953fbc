/**
 * Runs the failing tasks, each in a folder of its own and twice, and keeps what they print. `node dist/recordRetry.js
 * [ID…]`; needs Node, Python with pytest, Rust and Java, and npm's registry where a task names packages.
 */
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as RetryOutputs from "./retry/RetryOutputs.ts"
import type { RetryTask } from "./retry/RetryTask.ts"
import { all } from "./retry/RetryTasks.ts"

const repository = fileURLToPath(new URL("../../", import.meta.url))

const scratch = Fs.realpathSync(Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-retry-")))

/** What changes how the tools print, such as the variables that npm gives its scripts. */
const ofTools = /^(?:npm_|FORCE_COLOR$|NODE_OPTIONS$|INIT_CWD$|RUST_|PYTEST_|VITEST)/iu

/** Nothing of whoever records: no colors, no settings of npm. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTools.test(name))),
  CI: "true",
  NO_COLOR: "1",
  TERM: "dumb",
  npm_config_userconfig: "/dev/null",
  npm_config_update_notifier: "false",
  PYTHONDONTWRITEBYTECODE: "1"
}

const shell = (command: string, cwd: string) =>
  spawnSync("bash", ["-c", `(${command}) 2>&1`], { cwd, env: environment, encoding: "utf8", maxBuffer: 2 ** 26 })

/** The packages' folder `node_modules`, installed once for each set; this repository's own where a task names none. */
const modulesFor = (needs: ReadonlyArray<string>): string => {
  if (needs.length === 0) return Path.join(repository, "node_modules")
  const folder = Path.join(scratch, needs.join("+").replaceAll(/[^\w.+-]/gu, "_"))
  if (!Fs.existsSync(folder)) {
    Fs.mkdirSync(folder)
    Fs.writeFileSync(Path.join(folder, "package.json"), "{}\n")
    const { status, stdout } = shell(`npm install --no-audit --no-fund --loglevel=error ${needs.join(" ")}`, folder)
    if (status !== 0) throw new Error(`npm cannot install ${needs.join(", ")}: ${stdout}`)
  }
  return Path.join(folder, "node_modules")
}

const lay = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    const file = Path.join(folder, name)
    Fs.mkdirSync(Path.dirname(file), { recursive: true })
    Fs.writeFileSync(file, text)
  }
}

/** Frames of Python's own library, which quote its source. */
const libraryFrame =
  /^(?: {2}File "[^"\n]{1,300}\/lib\/python[^"\n]{1,300}",.{0,200}|\S{1,300}\/lib\/python\S{1,300}:\d{1,6}: in .{1,200})\n(?: {4}.{0,300}\n){0,9}/gmu

/** The folders of this machine under the names that samples have. */
const neutral = (text: string, folder: string): string =>
  text
    .replaceAll(libraryFrame, "")
    .replaceAll(folder, "/repo")
    .replaceAll(scratch, "/scratch")
    .replaceAll(repository, "/repo/")
    .replaceAll(Os.homedir(), "/home/user")

const ran = ({ command, id }: RetryTask, folder: string): string => {
  const { status, stdout } = shell(command, folder)
  if (status === 0 || status === 127) throw new Error(`${id}: "${command}" ended with ${status}: ${stdout}`)
  return neutral(stdout, folder)
}

const record = (task: RetryTask): void => {
  const folder = Path.join(scratch, task.id)
  Fs.mkdirSync(folder)
  Fs.symlinkSync(modulesFor(task.needs ?? []), Path.join(folder, "node_modules"))
  lay(folder, task.files)
  RetryOutputs.write(task.id, 1, ran(task, folder))
  lay(folder, task.second ?? {})
  RetryOutputs.write(task.id, 2, ran(task, folder))
}

const wanted = process.argv.slice(2)

try {
  for (const task of all.filter(({ id }) => wanted.length === 0 || wanted.includes(id))) {
    process.stderr.write(`${task.id}\n`)
    record(task)
  }
} finally {
  Fs.rmSync(scratch, { recursive: true, force: true })
}
