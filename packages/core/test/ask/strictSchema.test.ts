import { assert, describe, it } from "@effect/vitest"
import { JSONSchema, Schema } from "effect"
import { isStrict } from "../../src/ask/models/providers/strictSchema.ts"

const Inner = Schema.Struct({ ran: Schema.Boolean, commands: Schema.Array(Schema.String) })

describe("isStrict", () => {
  it.each<readonly [string, Schema.Schema.AnyNoContext, boolean]>([
    ["whole objects within each other", Schema.Struct({ tests: Inner, all: Schema.Array(Inner) }), true],
    [
      "what may be null, and choices",
      Schema.Struct({ status: Schema.Literal("a", "b"), at: Schema.NullOr(Schema.String) }),
      true
    ],
    ["a named part", Schema.Struct({ inner: Inner.annotations({ identifier: "Inner" }) }), true],
    ["a property called like a keyword", Schema.Struct({ not: Schema.String, required: Schema.String }), true],
    ["a property that may be missing", Schema.Struct({ tests: Schema.optional(Inner) }), false],
    [
      "one deep inside",
      Schema.Struct({ all: Schema.Array(Schema.Struct({ a: Schema.optional(Schema.String) })) }),
      false
    ],
    [
      "one in a named part",
      Schema.Struct({ i: Schema.Struct({ a: Schema.optional(Schema.String) }).annotations({ identifier: "I" }) }),
      false
    ],
    ["any properties", Schema.Struct({ more: Schema.Record({ key: Schema.String, value: Schema.String }) }), false]
  ])("knows %s", (_, schema, expected) => {
    assert.strictEqual(isStrict(JSONSchema.make(schema)), expected)
  })
})
