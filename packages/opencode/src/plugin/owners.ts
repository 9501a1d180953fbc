/** Who reviews a directory, where the plugin was installed twice: by its file and by its name, or in two versions. */

const key = Symbol.for("reflexion.opencode.owners")

/** Who has a directory; `gone` is settled when its owner is on its way out, and null before. */
interface Owner {
  gone: Promise<void> | null
}

type Owners = Map<string, Owner>

const isMap = (value: unknown): value is Owners => value instanceof Map

/** Of the process, for every copy of the plugin is a module of its own. */
const owned = (): Owners => {
  const known: unknown = Reflect.get(globalThis, key)
  if (isMap(known)) return known
  const fresh: Owners = new Map()
  Reflect.set(globalThis, key, fresh)
  return fresh
}

/** Takes a directory, once whoever leaves it is gone; null where another has it and stays. */
export const take = async (directory: string): Promise<Owner | null> => {
  for (let other = owned().get(directory); other !== undefined; other = owned().get(directory)) {
    if (other.gone === null) return null
    await other.gone
  }
  const owner: Owner = { gone: null }
  owned().set(directory, owner)
  return owner
}

/** Gives it back when what is still to be done is done, however that ends. */
export const leave = (directory: string, owner: Owner, work: () => Promise<void>): Promise<void> => {
  const release = (): void => {
    if (owned().get(directory) === owner) owned().delete(directory)
  }
  const done = work().then(release, release)
  owner.gone = done
  return done
}
