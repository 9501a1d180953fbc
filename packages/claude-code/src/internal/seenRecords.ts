/**
 * Which records were read. The host writes some of them again, after a compaction or when a session is opened again, and a
 * copy changes nothing: what it tells happened where it was told first.
 *
 * A record is written once, whatever it is about: a call goes on by its own id, in other records. So the newest 4,000
 * ids or so are kept, as marks of some 56 bits, in a fixed number of rows that take the same time however long the session is.
 */
import * as KeyHash from "@reflexion/core/internal/base/system/KeyHash"
import * as Schema from "effect/Schema"

export const SeenRecords = Schema.Array(Schema.String)

export type SeenRecords = typeof SeenRecords.Type

export const initial: SeenRecords = []

const rows = 64
const lengthOfRow = 900
const end = ";"

interface Place {
  readonly row: number
  readonly mark: string
}

const placeOf = (id: string): Place => {
  const hash = KeyHash.ofText(id.slice(0, 100))
  return { row: hash % rows, mark: `${hash.toString(36)}${id.slice(-6).replaceAll(end, "_")}${end}` }
}

/** Whether a record was read before. One without an id is always new. */
export const has = (seen: SeenRecords, id: string | null): boolean => {
  if (id === null) return false
  const { mark, row } = placeOf(id)
  return seen[row]?.includes(`${end}${mark}`) === true
}

/** The oldest marks make room. */
const newest = (row: string): string =>
  row.length <= lengthOfRow ? row : row.slice(row.indexOf(end, row.length - lengthOfRow))

export const add = (seen: SeenRecords, id: string | null): SeenRecords => {
  if (id === null) return seen
  const { mark, row } = placeOf(id)
  const next = seen.length === rows ? seen.slice() : Array.from({ length: rows }, (_, at) => seen[at] ?? end)
  next[row] = newest(`${next[row] ?? end}${mark}`)
  return next
}
