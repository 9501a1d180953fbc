import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as WholeObject from "../src/input/wholeObject.ts"

/** What is seen at the end of the pieces, or as soon as it is no longer that more is to come. */
const seen = (...pieces: ReadonlyArray<Uint8Array>): WholeObject.Seen => {
  const look = WholeObject.make()
  return pieces
    .map((piece) => () => look(piece))
    .reduce<WholeObject.Seen>((last, next) => (last === "more" ? next() : last), "more")
}

const bytes = (text: string): Uint8Array => Buffer.from(text)

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue())

const nested = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth)

const listed = (values: number): string => `{"a":[${"0,".repeat(values - 2)}0]}`

describe("a whole object", () => {
  it("is seen at its last byte and not before, in whatever pieces it comes", () => {
    fc.assert(
      fc.property(object, fc.array(fc.nat(), { maxLength: 5 }), (value, cuts) => {
        const all = bytes(JSON.stringify(value))
        assert.strictEqual(seen(all.subarray(0, -1)), "more")
        const places = [0, ...cuts.map((cut) => cut % all.length).toSorted((one, other) => one - other), all.length]
        const pieces = places.slice(1).map((place, index) => all.subarray(places[index], place))
        assert.strictEqual(seen(...pieces), "whole")
        assert.strictEqual(seen(...[...all].map((byte) => Uint8Array.of(byte))), "whole")
      })
    )
  })

  it.each([
    ["", "more"],
    [" \n\t", "more"],
    ["\uFEFF", "more"],
    ['\uFEFF {"a":1}', "whole"],
    ["{}\n", "whole"],
    ['{"a":"\\\\"}', "whole"],
    ['{"a":"\\"}', "more"],
    ['{"a":"}', "more"],
    ['{"a":[}', "more"],
    ["[1]", "none"],
    ["null", "none"],
    ['"{}"', "none"],
    ["\0{}", "none"]
  ] as const)("%j: %s", (text, expected) => {
    assert.strictEqual(seen(bytes(text)), expected)
  })

  it("is not deeper and has no more values than can be parsed safely", () => {
    assert.strictEqual(seen(bytes(nested(WholeObject.maxDepth))), "whole")
    assert.strictEqual(seen(bytes(nested(WholeObject.maxDepth + 1))), "deep")
    assert.strictEqual(seen(bytes(listed(WholeObject.maxValues))), "whole")
    assert.strictEqual(seen(bytes(listed(WholeObject.maxValues + 1))), "many")
  })
})
