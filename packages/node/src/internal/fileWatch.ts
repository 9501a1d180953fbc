/** Tells when a file may have changed, by the folder that it is in: it may be made there, or put in another's place. */
import * as FS from "node:fs"
import * as Path from "node:path"

export interface Listener {
  readonly changed: () => void
  readonly failed: (cause: unknown) => void
}

/** A folder, which file it is, and its entry that leads to the file. */
interface Place {
  readonly folder: string
  readonly id: string | null
  readonly entry: string
}

const idOf = (folder: string): string | null => {
  const found = FS.statSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : null
}

/** The nearest folder above a path that is there. */
const nearest = (path: string): Place => {
  const folder = Path.dirname(path)
  const id = idOf(folder)
  if (id !== null || folder === path) return { folder, id, entry: Path.basename(path) }
  return nearest(folder)
}

const isSame = (one: Place, other: Place): boolean => one.folder === other.folder && one.id === other.id

/** Folders come and go while one is looked for, but not for ever. */
const mostTries = 20

/**
 * Until what it gives back is called. Where the folder is not there yet the one above it is watched, and so on. Throws what
 * the file system throws.
 */
export const watch = (path: string, { changed, failed }: Listener): (() => void) => {
  const home = Path.dirname(path)
  let watcher: FS.FSWatcher | null = null
  let isOver = false
  let telling: NodeJS.Immediate | null = null

  /** Once for all that the system tells in one go. */
  const tell = (): void => {
    telling ??= setImmediate(() => {
      telling = null
      if (!isOver) changed()
    })
  }

  const close = (): void => {
    watcher?.close()
    watcher = null
  }

  const watched = (place: Place): FS.FSWatcher => {
    const own = FS.watch(place.folder)
    const isStale = (): boolean => isOver || own !== watcher
    own.on("change", (event, name) => {
      if (isStale()) return
      const said = name === null ? null : String(name)
      // A folder that goes is named by itself; another in its place may have its number.
      const isGone = event === "rename" && said === Path.basename(place.folder)
      const isRenamed = event === "rename" || said === null
      if (isGone || (isRenamed && !isSame(place, nearest(path)))) again()
      else if (place.folder === home && (said === null || said === place.entry)) tell()
    })
    own.on("error", (cause) => {
      if (isStale()) return
      // On Windows a folder that goes is an error.
      if (isSame(place, nearest(path))) over(cause)
      else again()
    })
    return own
  }

  const over = (cause: unknown): void => {
    isOver = true
    close()
    failed(cause)
  }

  /** What happens between the look and the watch is seen by another look. */
  const arm = (): void => {
    for (let tries = 1; ; tries += 1) {
      close()
      const place = nearest(path)
      try {
        watcher = watched(place)
        if (isSame(place, nearest(path))) return
      } catch (cause) {
        if (tries === mostTries || isSame(place, nearest(path))) throw cause
      }
      if (tries === mostTries) throw new Error(`the folders above ${path} change all the time`)
    }
  }

  const again = (): void => {
    try {
      arm()
    } catch (cause) {
      return over(cause)
    }
    tell()
  }

  try {
    arm()
  } catch (cause) {
    close()
    throw cause
  }
  return () => {
    isOver = true
    close()
  }
}
