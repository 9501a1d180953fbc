/** What follows from files that are there, kept until one of them changes. */
import * as Crypto from "node:crypto"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { ConfigSources, Taken } from "./ConfigSources.ts"
import * as TakenFile from "./TakenFile.ts"
import * as Trust from "./Trust.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"
import type { Options, Settled } from "./model.ts"

/** `env` has those variables alone that are set and say something here. */
interface Given extends Omit<Options, "env"> {
  readonly env: ConfigSources["env"]
}

const gather = ({ directories, env, host = {}, hostModels = [], own = null, root }: Given): ConfigSources => {
  const file = Path.join(directories.config, "config.json")
  const text = PlainFiles.read(file, { follow: true })
  return {
    user: text === null ? null : { file, text },
    host,
    hostModels,
    own,
    env,
    workspace: Trust.Workspace.at(directories, root),
    taken: takenIn(directories, root)
  }
}

const takenIn = (directories: UserDirectories, root: string): Taken | null => {
  const text = TakenFile.read(directories, root)
  return text === null ? null : { file: TakenFile.fileOf(directories, root), root, text }
}

/** With the texts that are used, and with those by which the user trusts them: what came of one trust is no other's. */
const keyOf = (build: string, { env, host, hostModels, own, taken, user, workspace }: ConfigSources): string =>
  Crypto.createHash("sha256")
    .update(JSON.stringify([build, env, host, hostModels, user, workspace?.configuration, taken, own]))
    .digest("hex")

const isSettled = (value: unknown): value is Settled =>
  typeof value === "object" && value !== null && "problem" in value && "config" in value && value.config !== undefined

const recall = (file: string): Settled | null => {
  const text = PlainFiles.read(file)
  const value: unknown = text === null ? null : JSON.parse(text)
  return isSettled(value) ? value : null
}

const maxKept = 64

const keep = (file: string, settled: Settled): void => {
  PlainFiles.write(file, JSON.stringify(settled))
  const folder = Path.dirname(file)
  const names = FS.readdirSync(folder)
  if (names.length <= maxKept) return
  for (const name of names) if (name !== Path.basename(file)) FS.rmSync(Path.join(folder, name), { force: true })
}

/** Only a cache: what goes wrong with it costs time and nothing else. */
const attempt = <A>(run: () => A): A | null => {
  try {
    return run()
  } catch {
    return null
  }
}

/**
 * What there is says, understood only where it is new. Throws where it cannot be read.
 *
 * @category configuration
 */
export const settle = (options: Given): Settled => {
  const sources = gather(options)
  const file = Path.join(options.directories.cache, "config", `${keyOf(options.build, sources)}.json`)
  const known = attempt(() => recall(file))
  if (known !== null) return known
  const found = options.settle(sources)
  attempt(() => keep(file, found))
  return found
}
