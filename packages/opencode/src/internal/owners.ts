/** Who reviews a directory, where the plugin was installed twice: by its file and by its name, or in two versions. */

const key = Symbol.for("reflexion.opencode.owners")

const isSet = (value: unknown): value is Set<string> => value instanceof Set

/** Of the process, for every copy of the plugin is a module of its own. */
const owned = (): Set<string> => {
  const known: unknown = Reflect.get(globalThis, key)
  if (isSet(known)) return known
  const fresh = new Set<string>()
  Reflect.set(globalThis, key, fresh)
  return fresh
}

/** Takes a directory, unless another has it. */
export const take = (directory: string): boolean => {
  const all = owned()
  if (all.has(directory)) return false
  all.add(directory)
  return true
}

export const release = (directory: string): void => {
  owned().delete(directory)
}
