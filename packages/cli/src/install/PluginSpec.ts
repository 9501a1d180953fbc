/**
 * What an item of a host's list of plugins names: our copy of the plugin, our package, or something of somebody else's.
 */
import type { Host } from "../host/Hosts.ts"
import * as Option from "effect/Option"
import { isAbsolute, join, normalize, relative, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/**
 * The file of a copy.
 *
 * @category constants
 */
export const entry = "server.js"

/**
 * What comes of two different copies, in the words in which every command says it.
 *
 * @category constants
 */
export const ofTwo = "of two copies the one that is loaded second does nothing"

export const render = (file: string): string => pathToFileURL(file).href

const pathOf = Option.liftThrowable((url: string) => fileURLToPath(url))

const fileOf = (spec: string): string | null => {
  if (spec.startsWith("file:")) return Option.getOrNull(pathOf(spec))
  return isAbsolute(spec) ? spec : null
}

const version = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,100}$/u

/**
 * The file that a spec loads, if it is a copy of ours: `folder` is that of all copies for this host. Any other spec is
 * somebody else's, whatever it mentions.
 *
 * @category parsing
 */
export const parse = (spec: string, folder: string): string | null => {
  const file = fileOf(spec)
  if (file === null || normalize(file) !== file) return null
  const [id = "", ...rest] = relative(folder, file).split(sep)
  return version.test(id) && rest.join(sep) === entry && file === join(folder, id, entry) ? file : null
}

/**
 * Whether a spec names our package, of whatever version.
 *
 * @category predicates
 */
export const isPackage = (spec: string, { installation: { plugin } }: Host): boolean =>
  plugin !== null && (spec === plugin.packageName || spec.startsWith(`${plugin.packageName}@`))
