import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as TornLine from "../../src/learn/log/TornLine.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A file in memory that counts what is read of it. */
const tail = (begin: Uint8Array) => {
  let bytes = begin
  let read = 0
  const file: TornLine.Tail = {
    size: () => bytes.length,
    read: (at, length) => {
      read += length
      return bytes.slice(at, at + length)
    },
    append: (more) => {
      bytes = Uint8Array.from([...bytes, ...more])
    },
    truncate: (size) => {
      bytes = bytes.slice(0, size)
    }
  }
  return { file, text: () => new TextDecoder().decode(bytes), read: () => read }
}

const mended = (text: string) => {
  const { file, text: after } = tail(bytesOf(text))
  const aside: Array<string> = []
  const count = TornLine.mend(file, (torn) => aside.push(new TextDecoder().decode(torn)))
  return { count, after: after(), aside }
}

describe("TornLine.mend", () => {
  it.prop(
    "leaves whole lines, and gives the rest to whoever keeps it",
    [fc.array(fc.nat()), fc.string(), fc.nat()],
    ([all, text, cut]) => {
      const lines = all.map((value) => `{"value":${value}}\n`).join("")
      const line = JSON.stringify({ text })
      // Of an object all but the whole is torn.
      const torn = line.slice(0, 1 + (cut % (line.length - 1)))
      assert.deepStrictEqual(mended(lines + torn), { count: bytesOf(torn).length, after: lines, aside: [torn] })
      assert.deepStrictEqual(mended(lines), { count: 0, after: lines, aside: [] })
      assert.deepStrictEqual(mended(lines + line), { count: 0, after: `${lines}${line}\n`, aside: [] })
    }
  )

  it("finds the last line break however far back it is", () => {
    const length = 70 * 1024 * 1024
    const bytes = new Uint8Array(length)
    bytes.set(bytesOf('{"value":1}\n'))
    const { file, read, text } = tail(bytes)
    let kept = 0
    assert.strictEqual(
      TornLine.mend(file, (torn) => (kept += torn.length)),
      length - 12
    )
    assert.strictEqual(kept, length - 12)
    assert.strictEqual(text(), '{"value":1}\n')
    assert.isBelow(read(), 2.1 * length)
  })
})
