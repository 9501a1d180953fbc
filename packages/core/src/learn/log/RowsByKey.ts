/**
 * Rows by a key, of which only a hash is kept: a table of buckets, each a chain of rows from the newest to the oldest.
 * Two keys may have one hash; whoever reads the row sees its key.
 */

export interface KeyChains {
  /** The hash of each row's key. */
  hashes: Uint32Array
  /** The newest row of each bucket, -1 where there is none; as many as a power of two. */
  heads: Int32Array
  /** The next older row of the same bucket, -1 at the end. */
  older: Int32Array
}

const buckets = (rows: number): number => 2 ** Math.max(4, Math.ceil(Math.log2(rows + 1)))

export const make = (capacity: number): KeyChains => ({
  hashes: new Uint32Array(capacity),
  heads: new Int32Array(buckets(capacity)).fill(-1),
  older: new Int32Array(capacity)
})

/** Puts a row, whose hash is there, before those of its bucket: rows in their order. */
export const link = ({ hashes, heads, older }: KeyChains, row: number): void => {
  const bucket = (hashes[row] ?? 0) & (heads.length - 1)
  older[row] = heads[bucket] ?? -1
  heads[bucket] = row
}

/** Rows are added in their order. */
export const add = (chains: KeyChains, row: number, hash: number): void => {
  chains.hashes[row] = hash
  link(chains, row)
}

/** Room for more rows; where the buckets grow too, every row is linked anew. */
export const grow = (chains: KeyChains, rows: number, capacity: number): void => {
  const hashes = new Uint32Array(capacity)
  const older = new Int32Array(capacity)
  hashes.set(chains.hashes)
  older.set(chains.older)
  chains.hashes = hashes
  chains.older = older
  if (buckets(capacity) === chains.heads.length) return
  chains.heads = new Int32Array(buckets(capacity)).fill(-1)
  for (let row = 0; row < rows; row += 1) link(chains, row)
}

/**
 * Looks at what is needed to link some rows, all of which lies somewhere in memory: the processor has it brought for many
 * rows at the same time, where linking them waits for each in turn.
 */
export const touch = ({ hashes, heads }: KeyChains, from: number, to: number): number => {
  let seen = 0
  for (let row = from; row < to; row += 1) seen ^= heads[(hashes[row] ?? 0) & (heads.length - 1)] ?? -1
  for (let row = from; row < to; row += 1) {
    const first = heads[(hashes[row] ?? 0) & (heads.length - 1)] ?? -1
    seen ^= hashes[Math.max(first, 0)] ?? 0
  }
  return seen
}

const matching = ({ hashes, older }: KeyChains, from: number, hash: number): number => {
  let row = from
  while (row >= 0 && hashes[row] !== hash) row = older[row] ?? -1
  return row
}

/** The newest row whose key has this hash, -1 where there is none. */
export const newest = (chains: KeyChains, hash: number): number =>
  matching(chains, chains.heads[hash & (chains.heads.length - 1)] ?? -1, hash)

/** The one that was added before a row. */
export const next = (chains: KeyChains, row: number, hash: number): number =>
  matching(chains, chains.older[row] ?? -1, hash)

/** The rows whose key has this hash, newest first. */
export const rowsOf = (chains: KeyChains, hash: number): Array<number> => {
  const found: Array<number> = []
  for (let row = newest(chains, hash); row >= 0; row = next(chains, row, hash)) found.push(row)
  return found
}
