/** The rows of a log on disk: kept up with it line by line, and read back from it one by one. */
import * as Effectiveness from "./Effectiveness.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import type { LogFile } from "../log/LogDisk.ts"
import type { MemoryEvent } from "./MemoryEvent.ts"
import type { Reflection } from "../lessons/Reflection.ts"
import * as Chains from "../log/RowsByKey.ts"
import * as MemoryLine from "./line.ts"
import type { MemoryView, RowKey } from "./view.ts"
import * as Line from "./reflectionLine.ts"
import * as Rows from "./reflectionRows.ts"

/** Everything that is known of a log without reading it again. */
export interface Known {
  rows: Rows.ReflectionRows
  outcomes: Effectiveness.Fold
  /** The ids in `outcomes`, by their hashes. */
  ids: Map<number, string>
}

export interface MemoryRows {
  readonly view: MemoryView
  readonly known: () => Known
  /** Begins with another file, and with what is known of it. */
  readonly reset: (file: LogFile | null, known?: Known) => void
  readonly line: (chunk: Uint8Array, from: number, to: number, at: number) => void
  /** Links rows that were added, some milliseconds long; false where there are more. Whoever looks has them all linked. */
  readonly settle: () => boolean
  readonly offsetOf: (row: number) => number
}

export const unknown = (): Known => ({ rows: Rows.make(), outcomes: Effectiveness.initial(), ids: new Map() })

const decoder = new TextDecoder()

/** So many rows stay decoded, a power of two, unless their lines are longer than this: some 10 MB at most. */
const slots = 4096
const cachedBytes = 4096

/** To copy so many bytes takes about as long as to ask for others once more. */
const together = 16 * 1024

/** So many are linked in a few milliseconds, and of so many two lines are compared. */
const linkedAtOnce = 65_536
const comparedAtOnce = 128

const mostExpected = 4_000_000

const [opening, comma, closing] = [91, 44, 93]

/** Several callers get the same one. */
const frozen = (reflection: Reflection): Reflection => {
  Object.freeze(reflection.actionItems)
  Object.freeze(reflection.tags)
  return Object.freeze(reflection)
}

const decoded = (bytes: Uint8Array): Reflection | null => {
  const parsed = MemoryLine.parse(decoder.decode(bytes))
  return parsed._tag === "reflection" ? parsed.reflection : null
}

export const make = (): MemoryRows => {
  let file: LogFile | null = null
  let known = unknown()
  let epoch = 0
  let buffer = new Uint8Array(4096)
  let list = new Uint8Array(4096)
  const slotRows = new Int32Array(slots).fill(-1)
  const slotAsked = new Int32Array(slots).fill(-1)
  const slotReflections = Array.from<unknown, Reflection | null>({ length: slots }, () => null)
  const row: Rows.Row = { offset: 0, length: 0, attempt: 0, createdAt: 0, mark: 0, id: 0, task: 0, subtask: 0 }

  /** They stay until the next are read. */
  const bytesOf = (from: number, to: number): Uint8Array => {
    if (buffer.length < to - from) buffer = new Uint8Array((to - from) * 2)
    const target = buffer.subarray(0, to - from)
    const filled = file === null ? 0 : file.readInto(target, from)
    return target.subarray(0, filled)
  }

  const offsetOf = (at: number): number => known.rows.offsets[at] ?? 0
  const endOf = (at: number): number => offsetOf(at) + (known.rows.lengths[at] ?? 0)

  const kept = (at: number): Reflection | null => {
    const slot = at & (slots - 1)
    return slotRows[slot] === at ? (slotReflections[slot] ?? null) : null
  }

  /** What is asked for once is not kept: the collector would have to move every one of them. */
  const keep = (at: number, found: Reflection | null): Reflection | null => {
    if (found === null || (known.rows.lengths[at] ?? 0) > cachedBytes) return found
    const slot = at & (slots - 1)
    if (slotAsked[slot] !== at) {
      slotAsked[slot] = at
      return found
    }
    slotRows[slot] = at
    slotReflections[slot] = frozen(found)
    return found
  }

  const reflection = (at: number): Reflection | null => kept(at) ?? keep(at, decoded(bytesOf(offsetOf(at), endOf(at))))

  /** Parsed as one list: JSON's parser knows the fields of all but the first from the one before. */
  const decodedTogether = (
    bytes: Uint8Array,
    all: ReadonlyArray<number>,
    from: number
  ): ReadonlyArray<Reflection> | null => {
    const most = all.length + 1 + all.reduce((sum, at) => sum + endOf(at) - offsetOf(at), 0)
    if (list.length < most) list = new Uint8Array(most * 2)
    let end = 0
    for (const at of all) {
      list[end] = end === 0 ? opening : comma
      list.set(bytes.subarray(offsetOf(at) - from, endOf(at) - from), end + 1)
      end += 1 + endOf(at) - offsetOf(at)
    }
    list[end] = closing
    return MemoryLine.parseList(decoder.decode(list.subarray(0, end + 1)), all.length)
  }

  const reflections: MemoryView["reflections"] = (all) => {
    let [from, to] = [Number.POSITIVE_INFINITY, 0]
    for (const at of all) {
      from = Math.min(from, offsetOf(at))
      to = Math.max(to, endOf(at))
    }
    if (to - from > together) return all.map(reflection)
    let bytes: Uint8Array | null = null
    if (all.length > 1 && all.every((at) => kept(at) === null)) {
      bytes = bytesOf(from, to)
      const found = bytes.length === to - from ? decodedTogether(bytes, all, from) : null
      if (found !== null) return found.map((one, index) => keep(all[index] ?? -1, one))
    }
    return all.map((at) => {
      const known = kept(at)
      if (known !== null) return known
      bytes ??= bytesOf(from, to)
      return keep(at, decoded(bytes.subarray(offsetOf(at) - from, endOf(at) - from)))
    })
  }

  /** How many rows the file has, by those that are known; a little more, that some can be added. */
  const expected = (): number =>
    file === null || row.offset === 0
      ? 0
      : Math.min(mostExpected, Math.ceil((known.rows.count / row.offset) * file.size() * 1.01))

  let compared = 0
  const isSame = (older: number, newer: number): boolean => {
    compared += 1
    const id = reflection(newer)?.id
    return id !== undefined && reflection(older)?.id === id
  }

  const addEvent = (event: MemoryEvent): void => {
    Effectiveness.step(known.outcomes, event)
    for (const id of event.reflectionIds) known.ids.set(KeyHash.ofText(id), id)
  }

  const addParsed = (line: MemoryLine.Line, length: number): void => {
    if (line._tag === "event") addEvent(line.event)
    if (line._tag !== "reflection") return
    const { attemptNumber, category, createdAt, id, source, subtaskId, taskId } = line.reflection
    row.length = length
    row.attempt = Math.min(attemptNumber, 0xffff_ffff)
    row.createdAt = Date.parse(createdAt)
    row.mark = Line.markOf(category, source)
    row.id = KeyHash.ofText(id)
    row.task = KeyHash.ofText(taskId)
    row.subtask = KeyHash.ofText(subtaskId)
    Rows.add(known.rows, row, expected)
  }

  const line: MemoryRows["line"] = (chunk, from, to, at) => {
    row.offset = at
    addParsed(MemoryLine.parse(decoder.decode(chunk.subarray(from, to))), to - from)
  }

  const chainsOf = (key: RowKey): Chains.KeyChains => {
    const { ids, subtasks, tasks } = known.rows
    return key === "id" ? ids : key === "taskId" ? tasks : subtasks
  }

  const view: MemoryView = {
    get epoch() {
      return epoch
    },
    get count() {
      return known.rows.count
    },
    get outcomes() {
      return known.outcomes
    },
    isAlive: (at) => Rows.isAlive(known.rows, at),
    rowsOf: (key, value) => Chains.rowsOf(chainsOf(key), KeyHash.ofText(value)),
    attemptOf: (at) => known.rows.attempts[at] ?? 0,
    createdAtOf: (at) => known.rows.createdAt[at] ?? Number.NaN,
    markOf: (at) => known.rows.marks[at] ?? 0,
    reflection,
    reflections,
    recordOf: (at) => {
      const id = known.ids.get(known.rows.ids.hashes[at] ?? 0)
      return id === undefined ? undefined : known.outcomes.byId.get(id)
    },
    taskOf: (at) => known.rows.tasks.hashes[at] ?? 0,
    subtaskOf: (at) => known.rows.subtasks.hashes[at] ?? 0
  }

  return {
    known: () => {
      Rows.link(known.rows, isSame)
      return known
    },
    reset: (next, given = unknown()) => {
      file = next
      known = given
      epoch += 1
      slotRows.fill(-1)
      slotAsked.fill(-1)
      slotReflections.fill(null)
    },
    line,
    settle: () => {
      const { rows } = known
      const [linked, asked] = [rows.linked, compared]
      Rows.link(rows, isSame, () => rows.linked - linked < linkedAtOnce && compared - asked < comparedAtOnce)
      return rows.linked === rows.count
    },
    offsetOf,
    get view() {
      Rows.link(known.rows, isSame)
      return view
    }
  }
}
