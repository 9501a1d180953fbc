/**
 * A disk in memory that forgets what was not synchronised when its power is cut, and whose processes can be killed in the
 * middle of anything. What a cut leaves of the rest is drawn from a seed.
 */
import { type Disk, type FixedFile, LogDiskError, type LogFile } from "@reflexion/core/LogDisk"
import { Effect } from "effect"

interface Node {
  readonly number: number
  readonly isFixed: boolean
  now: Uint8Array
  kept: Uint8Array
}

export interface Machine {
  /** The disk as one process has it. */
  readonly process: () => Process
  /** Has the power fail after so many more operations of whatever process. */
  readonly failAfter: (operations: number) => void
  readonly isOff: () => boolean
  /** Starts it again, with what is left. */
  readonly restart: (draw: () => number) => void
  readonly contentOf: (path: string) => string | null
  readonly paths: () => ReadonlyArray<string>
}

export interface Process {
  readonly disk: Disk
  readonly killAfter: (operations: number) => void
  readonly isDead: () => boolean
}

const concat = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}

const gone = (path: string) => new LogDiskError({ path, operation: "any", code: "EIO", detail: "it is dead" })

const sector = 64

/** Of what was written over, each sector is the old one or the new one. */
const leftOfFixed = ({ kept, now }: Node, draw: () => number): Uint8Array => {
  const left = now.slice()
  for (let at = 0; at < left.length; at += sector) if (draw() < 0.5) left.set(kept.subarray(at, at + sector), at)
  return left
}

/** Of what was added, as much as went to the disk by itself, and sometimes zeros for more of it. */
const leftOfLog = ({ kept, now }: Node, draw: () => number): Uint8Array => {
  let same = 0
  while (same < Math.min(kept.length, now.length) && kept[same] === now[same]) same += 1
  if (same < kept.length && draw() < 0.5) return kept.slice()
  const length = same + Math.floor(draw() * (now.length - same + 1))
  const zeros = draw() < 0.3 ? Math.floor(draw() * (now.length - length + 1)) : 0
  return concat(now.slice(0, length), new Uint8Array(zeros))
}

export const machine = (journal: Disk["journal"]): Machine => {
  let boots = 1
  const processes: Array<{ readonly isDead: () => boolean; readonly opened: Set<Node> }> = []
  let left = Number.POSITIVE_INFINITY
  let nodes = new Map<string, Node>()
  let kept = new Map<string, Node>()
  /** What became of names since their folder was synchronised. */
  let changes: Array<(names: Map<string, Node>) => void> = []
  let locks = new Map<string, Process>()

  const change = (work: (names: Map<string, Node>) => void): void => {
    work(nodes)
    changes.push(work)
  }

  const syncFolder = (): void => {
    kept = new Map(nodes)
    changes = []
  }

  /** A file system gives the numbers of files that are gone to new ones. */
  const freeNumber = (): number => {
    const open = processes.filter((one) => !one.isDead()).flatMap((one) => [...one.opened])
    const used = new Set([...nodes.values(), ...kept.values(), ...open].map((node) => node.number))
    for (let number = 1; ; number += 1) if (!used.has(number)) return number
  }

  const made = (isFixed: boolean, now = new Uint8Array()): Node => ({
    number: freeNumber(),
    isFixed,
    now,
    kept: new Uint8Array(now.length)
  })

  const process = (): Process => {
    const born = boots
    let rest = Number.POSITIVE_INFINITY
    const isDead = (): boolean => rest <= 0 || left <= 0 || born !== boots
    const opened = new Set<Node>()
    processes.push({ isDead, opened })

    /** One operation; `half` is done where the process dies in its middle. */
    const step = <A>(path: string, work: () => A, half?: () => void): A => {
      if (isDead()) throw gone(path)
      rest -= 1
      left -= 1
      if (!isDead()) return work()
      half?.()
      throw gone(path)
    }

    const sync = (path: string, node: Node): void =>
      step(path, () => {
        node.kept = node.now.slice()
      })

    const idOf = (node: Node): string => `${boots}:${node.number}`

    const fileOf = (path: string, node: Node): LogFile => {
      opened.add(node)
      const read = (at: number, length: number): Uint8Array => {
        if (isDead()) throw gone(path)
        return node.now.slice(at, at + length)
      }
      const endsAt = (end: number): boolean => node.now.length === end && node.now[end - 1] === 10
      const append = (bytes: Uint8Array): void => {
        node.now = concat(node.now, bytes)
      }
      return {
        id: idOf(node),
        lasting: String(node.number),
        isThere: () => nodes.get(path) === node,
        size: () => node.now.length,
        endsAt,
        isUnchanged: (end) => nodes.get(path) === node && endsAt(end),
        read,
        readInto: (target, at) => {
          const bytes = read(at, target.length)
          target.set(bytes)
          return bytes.length
        },
        readAhead: () => undefined,
        append: (bytes) =>
          step(
            path,
            () => append(bytes),
            () => append(bytes.subarray(0, Math.floor(bytes.length / 2)))
          ),
        sync: () => sync(path, node),
        truncate: (size) =>
          step(path, () => {
            node.now = node.now.slice(0, size)
          }),
        close: () => opened.delete(node)
      }
    }

    const fixedOf = (path: string, node: Node): FixedFile => {
      opened.add(node)
      const write = (bytes: Uint8Array, at: number): void => {
        node.now = node.now.slice()
        node.now.set(bytes, at)
      }
      return {
        id: idOf(node),
        size: node.now.length,
        read: (at, length) => node.now.slice(at, at + length),
        write: (bytes, at) =>
          step(
            path,
            () => write(bytes, at),
            () => write(bytes.subarray(0, Math.floor(bytes.length / 2)), at)
          ),
        sync: () => sync(path, node),
        close: () => opened.delete(node)
      }
    }

    const create = (path: string, node: Node): Node => {
      step(path, () => change((names) => names.set(path, node)))
      step(path, () => {
        node.kept = node.now.slice()
        syncFolder()
      })
      return node
    }

    const tryLock = (path: string): (() => void) | null => {
      if (isDead()) throw gone(path)
      const holder = locks.get(path)
      if (holder !== undefined && !holder.isDead()) return null
      locks.set(path, self)
      // What the one before did with names is not synchronised where it was killed.
      if (holder !== undefined) step(path, syncFolder)
      return () => {
        if (locks.get(path) === self && !isDead()) locks.delete(path)
      }
    }

    const disk: Disk = {
      journal,
      open: (path, options) => {
        if (isDead()) throw gone(path)
        const node = nodes.get(path) ?? (options.create ? create(path, made(false)) : null)
        return node === null ? null : fileOf(path, node)
      },
      find: (path) => {
        if (isDead()) throw gone(path)
        const node = nodes.get(path)
        return node === undefined ? null : { id: idOf(node), size: node.now.length }
      },
      has: (path) => {
        if (isDead()) throw gone(path)
        return nodes.has(path)
      },
      fixed: (path, options) => {
        if (isDead()) throw gone(path)
        const node =
          nodes.get(path) ?? (options.create === null ? null : create(path, made(true, new Uint8Array(options.create))))
        return node === null ? null : fixedOf(path, node)
      },
      remove: (path) => {
        step(path, () => change((names) => names.delete(path)))
        step(path, syncFolder)
      },
      replace: (path) => {
        const node = step(path, () => made(false))
        return {
          write: (bytes) =>
            step(path, () => {
              node.now = concat(node.now, bytes)
            }),
          commit: () => {
            sync(path, node)
            step(path, () => change((names) => names.set(path, node)))
            step(path, syncFolder)
          },
          abandon: () => undefined
        }
      },
      tryLock,
      leave: () => undefined,
      lock: (path) =>
        Effect.gen(function* () {
          for (;;) {
            const release = yield* Effect.try({ try: () => tryLock(path), catch: () => gone(path) })
            if (release !== null) return yield* Effect.addFinalizer(() => Effect.sync(release))
            yield* Effect.yieldNow()
          }
        }),
      // Nobody else writes here.
      watch: () => () => undefined,
      pause: Effect.yieldNow()
    }
    const self: Process = {
      disk,
      isDead,
      killAfter: (operations) => {
        if (!isDead()) rest = operations
      }
    }
    return self
  }

  return {
    process,
    failAfter: (operations) => {
      left = operations
    },
    isOff: () => left <= 0,
    restart: (draw) => {
      for (const one of changes.slice(0, Math.floor(draw() * (changes.length + 1)))) one(kept)
      nodes = new Map(kept)
      for (const node of new Set(nodes.values())) {
        node.now = node.isFixed ? leftOfFixed(node, draw) : leftOfLog(node, draw)
        node.kept = node.now.slice()
      }
      changes = []
      locks = new Map()
      boots += 1
      left = Number.POSITIVE_INFINITY
    },
    contentOf: (path) => {
      const node = nodes.get(path)
      return node === undefined ? null : new TextDecoder().decode(node.now)
    },
    paths: () => [...nodes.keys()]
  }
}
