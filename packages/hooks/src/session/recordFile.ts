/** A session's record on disk: read in chunks, and told apart from another by samples. */
import * as FS from "node:fs"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as Checksum from "../places/Checksum.ts"

export interface RecordFile {
  readonly path: string
  /** In bytes, when it was opened: what is appended meanwhile is for the next time. */
  readonly size: number
  readonly chunk: (at: number) => Uint8Array
  /** A checksum over samples of the first `length` bytes. */
  readonly prints: (length: number) => string
  readonly close: () => void
}

const chunkBytes = 256 * 1024
const sampleBytes = 64
const samples = 24
const edgeBytes = 2048

/** Where samples are taken: the beginning, the end, and places between. */
const places = (length: number): ReadonlyArray<readonly [at: number, bytes: number]> => [
  [0, Math.min(edgeBytes, length)],
  ...Array.from({ length: samples }, (_, index): readonly [number, number] => {
    const at = Math.floor((length / samples) * index)
    return [at, Math.min(sampleBytes, length - at)]
  }),
  [Math.max(0, length - edgeBytes), Math.min(edgeBytes, length)]
]

const openForReading = (path: string): number | null => {
  try {
    // Without O_NONBLOCK, a pipe in the file's place would be waited for.
    return FS.openSync(path, FS.constants.O_RDONLY | FS.constants.O_NONBLOCK)
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return null
    throw cause
  }
}

/** Null where there is no such file, or something else in its place. */
export const open = (path: string): RecordFile | null => {
  const descriptor = openForReading(path)
  if (descriptor === null) return null
  const found = FS.fstatSync(descriptor)
  if (!found.isFile()) {
    FS.closeSync(descriptor)
    return null
  }
  const { size } = found
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(edgeBytes, size)))
  return {
    path,
    size,
    chunk: (at) => {
      const wanted = buffer.subarray(0, Math.min(buffer.length, size - at))
      return wanted.subarray(0, PlainFiles.readAt(descriptor, wanted, at))
    },
    prints: (length) => {
      const sums = places(length).map(([at, bytes]) => {
        const sample = buffer.subarray(0, bytes)
        return Checksum.ofBytes(sample.subarray(0, PlainFiles.readAt(descriptor, sample, at)))
      })
      return Checksum.ofText(`${length} ${sums.join(" ")}`)
    },
    close: () => FS.closeSync(descriptor)
  }
}
