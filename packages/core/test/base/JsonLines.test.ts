import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const run = (input: Uint8Array, options: JsonLines.Options = {}, chunkSize = input.length || 1) => {
  const lines = JsonLines.make(options)
  const items: Array<JsonLines.Item> = []
  for (let at = 0; at < input.length; at += chunkSize) items.push(...lines.push(input.subarray(at, at + chunkSize)))
  return [...items, ...lines.end()]
}

const values = (items: ReadonlyArray<JsonLines.Item>) =>
  items.flatMap((item) => (item._tag === "value" ? [item.value] : []))

const warnings = (items: ReadonlyArray<JsonLines.Item>) =>
  items.flatMap((item) => (item._tag === "warning" ? [[item.line, item.message]] : []))

describe("JsonLines", () => {
  it("values have line numbers, with or without a final line break; skipped lines give none", () => {
    assert.deepStrictEqual(run(bytes('#{"a":0}\n{"a":1}\n\n[2]\n3'), { skip: (line) => line[0] === 35 }), [
      { _tag: "value", value: { a: 1 }, line: 2 },
      { _tag: "value", value: [2], line: 4 },
      { _tag: "value", value: 3, line: 5 }
    ])
    assert.deepStrictEqual(run(bytes("")), [])
  })

  it("the values are the same for any chunk size", () => {
    const json = fc.array(fc.jsonValue(), { maxLength: 6 })
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), (all, size) => {
        const input = bytes([...all, "häß 🤦🏻 日本"].map((value) => JSON.stringify(value)).join("\n"))
        assert.deepStrictEqual(run(input, {}, size), run(input))
        assert.deepStrictEqual(values(run(input, {}, size)).slice(0, -1), JSON.parse(JSON.stringify(all)))
      })
    )
  })

  it.each([
    ["array", bytes('{"a":')],
    ["Node buffer, whose slices share its memory", Buffer.from('{"a":')]
  ])("does not keep a reference to the caller's %s", (_, buffer) => {
    const lines = JsonLines.make()
    lines.push(buffer)
    buffer.fill(120)
    assert.deepStrictEqual(values(lines.push(bytes("1}\n"))), [{ a: 1 }])
  })

  it("several values in one line are decoded; a broken line causes only a warning", () => {
    const glued = run(bytes('{"a":"}{ \\" \\\\"}{"b":[1,{"c":2}]} [3]'))
    assert.deepStrictEqual(values(glued), [{ a: '}{ " \\' }, { b: [1, { c: 2 }] }, [3]])
    assert.deepStrictEqual(warnings(glued), [])
    const items = run(bytes('{"a":1}\n{"a":"cut\n{"a":[1,2\nnonsense\n{"a":tru}\n{"b":2}\n'))
    assert.deepStrictEqual(values(items), [{ a: 1 }, { b: 2 }])
    assert.deepStrictEqual(warnings(items), [
      [2, "truncated: the value at column 1 ends inside a string"],
      [3, "truncated: the value at column 1 is not closed"],
      [4, "not a JSON object or array at column 1"],
      [5, "malformed JSON in the value at column 1"]
    ])
  })

  it("a large value nested over 500 deep, whole or cut off, causes only a warning", () => {
    const large = JSON.stringify("[".repeat(1024 * 1024))
    const nested = (depth: number): string => `${"[".repeat(depth)}${large}${"]".repeat(depth)}`
    const items = run(bytes([nested(500), nested(501), nested(501).slice(0, -1), '{"b":2}', ""].join("\n")))
    assert.deepStrictEqual(values(items).slice(1), [{ b: 2 }])
    const found = warnings(items).map(([line]) => line)
    assert.deepStrictEqual(found, [2, 3])
  })

  it("a value appended to a cut-off one is read, but no part of the latter", () => {
    const torn = run(bytes('{"type":"user","mess{"type":"assistant","n":{"m":1}}\n'))
    assert.deepStrictEqual(values(torn), [{ type: "assistant", n: { m: 1 } }])
    assert.strictEqual(warnings(torn).length, 1)
    assert.deepStrictEqual(values(run(bytes('{"type":"user","message":{"type":"assistant"}\n'))), [])
  })

  it("drops a line over the limit with a warning and reads on", () => {
    const input = bytes(`{"a":1}\n{"long":"${"x".repeat(100)}"}\n{"b":2}\n{"long":"${"y".repeat(100)}"}`)
    for (const size of [1, 7, 1000]) {
      const items = run(input, { maxLineBytes: 50 }, size)
      assert.deepStrictEqual(values(items), [{ a: 1 }, { b: 2 }])
      const dropped = "line of 111 bytes dropped: the limit is 50"
      const found = warnings(items)
      assert.deepStrictEqual(
        found,
        [2, 4].map((line) => [line, dropped])
      )
    }
  })

  it("survives byte order marks, carriage returns, NULs, invalid UTF-8 and mangled bytes", () => {
    assert.deepStrictEqual(values(run(bytes('\uFEFF{"a":1}\r\n\r\n\u0000\u0000{"b":2}\u0000\n'))), [{ a: 1 }, { b: 2 }])
    const broken = new Uint8Array([...bytes('{"a":"'), 0xff, 0xc3, ...bytes('"}')])
    assert.deepStrictEqual(values(run(broken)), [{ a: "\uFFFD\uFFFD" }])
    const fragment = fc.constantFrom('{"a":', '{"b":1}', ...'"\\{}[]\n\u00001,é')
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 40 }), fc.uint8Array({ maxLength: 20 }), (parts, noise) => {
        const items = run(new Uint8Array([...bytes(parts.join("")), ...noise]))
        for (const item of items) assert.isAtLeast(item.line, 1)
      }),
      { numRuns: 60 }
    )
  })

  it.each(["{", "[", '{"', '"', "\\", '{"a":{}}', "}", "1"])("reads a megabyte of %s", (unit) => {
    // A quadratic scan would reach the test's time limit.
    assert.isNotNull(run(bytes(unit.repeat(Math.floor(1_000_000 / unit.length)))))
  })
})
