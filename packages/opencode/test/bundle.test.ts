import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bundlePlugin } from "../../../scripts/bundle-opencode.mjs"

/** Far more than it has, and less than it would have with one provider's package. */
const most = 1_728_000

describe("the plugin's one file", () => {
  it.effect("needs no package beside it, and brings none of a provider's along", () =>
    Effect.gen(function* () {
      const { metafile, text } = yield* Effect.promise(bundlePlugin)
      const inputs = Object.keys(metafile.inputs)
      assert.isTrue(inputs.some((input) => input.endsWith("core/src/ask/models/providers/AnthropicModel.ts")))
      const unwanted = /node_modules\/(?:@effect\/ai-(?:anthropic|openai)\/|effect\/dist\/esm\/Micro\.js$)/
      assert.deepStrictEqual(
        inputs.filter((input) => unwanted.test(input)),
        []
      )
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))
      assert.deepStrictEqual(
        imports.filter((path) => !path.startsWith("node:")),
        []
      )
      assert.isBelow(text.length, most)
    })
  )
})
