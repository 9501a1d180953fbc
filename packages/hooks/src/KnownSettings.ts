/**
 * What follows from files that are there, kept until one of them changes.
 *
 * @since 0.1.0
 */
import * as Crypto from "node:crypto"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as PlainFiles from "@reflexion/node/PlainFiles"
import type { Options, Settled, Sources } from "./Settings.ts"

const sha256 = (text: string): string => Crypto.createHash("sha256").update(text).digest("hex")

/** What the user trusted, or did not, beside the configuration itself: a change of it voids the trust. */
const trusted = ({ directories, root }: Options): ReadonlyArray<string | null> =>
  [Path.join(directories.state, "trust.json"), Path.join(root, ".reflection.md"), Path.join(root, "reflection.md")].map(
    (file) => PlainFiles.read(file)
  )

const keyOf = (options: Options, { env, host, user, workspace }: Sources): string => {
  const surroundings = workspace === null ? null : [options.root, ...trusted(options)]
  return sha256(JSON.stringify([options.build, env, host, user, workspace, surroundings]))
}

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
 * What the sources say, read only where they are new.
 *
 * @since 0.1.0
 * @category configuration
 */
export const settle = (options: Options, sources: Sources): Settled => {
  const file = Path.join(options.directories.cache, "config", `${keyOf(options, sources)}.json`)
  const known = attempt(() => recall(file))
  if (known !== null) return known
  const found = options.settle(sources)
  attempt(() => keep(file, found))
  return found
}
