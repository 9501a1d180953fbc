import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { hosts } from "../../../scripts/bundle-hooks.mjs"
import { built, bundled } from "./support/bundled.ts"

const forbidden =
  /node_modules\/effect\/|@effect\/|yaml|packages\/core\/src\/.*\/(?:JudgeService|TurnReview|Artifacts|AgentHost|ReviewStates)\.ts/

const isNight = process.env["REFLEXION_TESTS"] === "night"

// Bundling the hook once more shows its parts. Both bundles have the same parts.
describe.each(Object.keys(hosts).slice(0, isNight ? 2 : 0))("the hook of %s", (host) => {
  const made = () => bundled(host)

  it("contains no service and no schema", async () => {
    const files = await made()
    for (const name of ["hook.cjs", "hook-main.cjs"]) {
      const inputs = Object.values(files[name]?.metafile.outputs ?? {}).flatMap((output) => Object.keys(output.inputs))
      assert.isAbove(inputs.length, 0)
      const found = inputs.filter((input) => forbidden.test(input))
      assert.deepStrictEqual(found, [])
    }
  })
})

describe.each(Object.keys(hosts))("the files of the hook of %s", (host) => {
  const files = Object.fromEntries(
    Fs.readdirSync(built(host))
      .filter((name) => name.endsWith(".cjs"))
      .map((name) => [name, { text: Fs.readFileSync(Path.join(built(host), name), "utf8") }])
  )

  it("are ASCII, because they are read without decoding, and name their build", () => {
    for (const { text } of Object.values(files)) assert.match(text ?? "", /^[\0-\x7f]+$/)
    const [, build] = /([0-9a-f]{16})-/.exec(files["hook.cjs"]?.text ?? "") ?? []
    assert.isDefined(build)
    assert.notStrictEqual(build, "0".repeat(16))
    assert.include(files["hook-main.cjs"]?.text, build)
  })

  it("load Effect only for a stop beyond evidence", () => {
    const parts = /"effect\/(?:Option|Either|Hash|Effect|Utils)/
    assert.match(files["hook-consult.cjs"]?.text ?? "", parts)
    for (const name of ["hook.cjs", "hook-main.cjs"]) assert.notMatch(files[name]?.text ?? "", parts)
  })
})
