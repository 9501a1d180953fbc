import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as JsonAnswer from "../../src/base/json/JsonAnswer.ts"
import { triples, list } from "../support/rows.ts"
import * as Json from "../../src/base/json/Json.ts"
import { parseWithComments } from "../../src/base/json/JsonText.ts"

it.each(triples`
    bare :: {"a":1} :: {"a":1}
    in a fence :: Here it is:\n\`\`\`json\n{"a":{"b":[1]}}\n\`\`\`\nThat is all. :: {"a":{"b":[1]}}
    the last of two :: {"a":1} no, wait: {"a":2} :: {"a":2}
    before an empty one :: {"a":1} thanks {} :: {"a":1}
    before an empty one of several lines :: {"a":1}\n\`\`\`json\n{\n}\n\`\`\` :: {"a":1}
    behind an empty one :: {} so {"a":1} :: {"a":1}
    nothing but an empty one :: None: { } :: { }
    before braces that are no JSON :: {"a":1} as in {this} :: {"a":1}
    with braces and quotes in a string :: {"a":"} \\" {"} :: {"a":"} \\" {"}
    cut off :: {"a":1, "b":{"c":2}, "d": ::
    cut off in a string :: {"a":1} {"a":" ::
    a list :: [1, 2] ::
    words :: I cannot say. ::
  `)("JsonAnswer.lastObject reads an answer: %s", (_, text, expected) => {
  assert.strictEqual(JsonAnswer.lastObject(text) ?? "", expected)
})

describe("JsonAnswer.lastValue", () => {
  it.each<readonly [string, string, unknown]>([
    ...triples`
      trailing commas :: {"a":[1,2,],} :: {"a":[1,2]}
      comments :: {\n// why\n"a": 1, /* or 3 */ "b": 2} :: {"a":1,"b":2}
      single quotes :: {'a': 'it \\'is\\' so'} :: {"a":"it 'is' so"}
      curly quotes :: {“a”: “b”} :: {"a":"b"}
      bare keys :: {a: 1, b_c: true} :: {"a":1,"b_c":true}
      Python's literals :: {'a': True, 'b': None, 'c': False} :: {"a":true,"b":null,"c":false}
      a break in a string :: {"a": "one\ntwo"} :: {"a":"one\\ntwo"}
      a fence and words :: So:\n\`\`\`json\n{a: 1,}\n\`\`\`\nThat is all. :: {"a":1}
      the last of two :: {a: 1} or rather {a: 2} :: {"a":2}
      before braces that are no object :: {"a":1} as in {this} :: {"a":1}
      before an empty one :: {a: 1} thanks {} :: {"a":1}
      before an empty one with a comment :: {a: 1} {/* nothing */} :: {"a":1}
      nothing but an empty one :: {} :: {}
      a key of the prototype's :: {"__proto__": 1, b: 2} :: {"__proto__":1,"b":2}
      without a comma :: {a: 1 b: 2} :: {"a":1,"b":2}
      behind an object, code in braces :: {"a":1} { return 1 } :: {"a":1}
      cut off :: {a: 1, b: {c: 2}, d: ::
      cut off after another :: {a: 1} {b: ::
      words :: I cannot say. ::
    `.map(([name, text, json]) => [name, text, json === "" ? undefined : JSON.parse(json)] as const),
    ["what is too long to be repaired", `{a: "${"x".repeat(20_000)}"}`, undefined],
    ["a nesting that no answer has", `${"{a:".repeat(5000)}1${"}".repeat(5000)}`, undefined]
  ])("almost valid JSON: %s", (_, text, expected) => assert.deepStrictEqual(JsonAnswer.lastValue(text), expected))

  it("an object among words without braces is found, and no part of a cut-off one", () => {
    const words = fc.string().map((text) => text.replaceAll(/[{}]/g, ""))
    const object = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(words, object, words, fc.nat(), (before, value, after, cut) => {
        const json = JSON.stringify(value)
        assert.strictEqual(JsonAnswer.lastObject(`${before}${json}${after}`), json)
        assert.deepStrictEqual(JsonAnswer.lastValue(json), JSON.parse(json))
        const part = json.slice(0, cut % json.length)
        assert.isNull(JsonAnswer.lastObject(`${before}${part}`))
        assert.isUndefined(JsonAnswer.lastValue(part))
      })
    )
  })

  it("any text: the search ends, with an object, a list or nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(..."{}[]'\"`:,\\/*\n1aTrue “”".split(""))), (parts) => {
        const value = JsonAnswer.lastValue(parts.join(""))
        assert.isTrue(value === undefined || (typeof value === "object" && value !== null))
      })
    )
  })
})

describe("Json", () => {
  it("each reader returns its own type for any value", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        assert.isTrue(Json.isObject(Json.object(value)))
        assert.isTrue(Array.isArray(Json.list(value)))
        assert.isString(Json.text(value))
        assert.isString(Json.contentText(value))
        const status = Json.exitCode(value)
        assert.isTrue(status === null || (Number.isInteger(status) && status >= 0))
        for (const moment of [Json.time(value), Json.millis(value)]) {
          if (moment !== null) assert.isFalse(Number.isNaN(Date.parse(moment)))
        }
      })
    )
  })

  it("contentText joins the text parts of a content; clip keeps both ends of a text", () => {
    const parts = [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }]
    const texts = ["a", parts, { text: "a" }, { content: "a" }, null].map(Json.contentText)
    assert.deepStrictEqual(texts, ["a", "a\nb", "a", "a", ""])
    assert.strictEqual(Json.clip("abcdef", 3), "abcdef")
    assert.strictEqual(Json.clip("abcdefg", 3), "abc\n[1 characters left out]\nefg")
  })
})

describe("JSON with comments", () => {
  it.each([
    ["{}", {}],
    [" [1, 2 , ] ", [1, 2]],
    ['{ "a": "// no comment", /* but this */ "b": 1 // and this\n}', { a: "// no comment", b: 1 }],
    ['["\\\\", // "\n "a,]",]', ["\\", "a,]"]]
  ])("can be read: %j", (text, value) => assert.deepStrictEqual(parseWithComments(text), value))

  it.each([
    "",
    "[".repeat(100_000),
    ...list`// only a comment ¦ { "a": 1 } /* not closed ¦ { "a": 1,, } ¦ { a: 1 } ¦ [1] x`
  ])("cannot be read: %j", (text) => assert.isUndefined(parseWithComments(text)))
})
