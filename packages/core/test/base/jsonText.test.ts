import { assert, describe, it } from "@effect/vitest"
import { parseWithComments } from "../../src/base/json/JsonText.ts"

describe("JSON with comments", () => {
  it.each([
    ["{}", {}],
    [" [1, 2 , ] ", [1, 2]],
    ['{ "a": "// no comment", /* but this */ "b": 1 // and this\n}', { a: "// no comment", b: 1 }],
    ['["\\\\", // "\n "a,]",]', ["\\", "a,]"]],
    ["", undefined],
    ["// only a comment", undefined],
    ['{ "a": 1 } /* not closed', undefined],
    ['{ "a": 1,, }', undefined],
    ["{ a: 1 }", undefined],
    ["[1] x", undefined],
    ["[".repeat(100_000), undefined]
  ])("%j", (text, value) => assert.deepStrictEqual(parseWithComments(text), value))
})
