import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as vm from "node:vm"
import { bundle } from "../../../scripts/bundler.mjs"
import * as source from "./support/shellEntry.ts"

const entry = fileURLToPath(new URL("./support/shellEntry.ts", import.meta.url))

/** Runs a CommonJS bundle and answers with what it exports. */
const load = <Exports>(text: string | undefined, exports: Exports): Exports => {
  const module: { exports: Exports } = { exports }
  new vm.Script(`(module, exports) => {${text ?? ""}}`).runInThisContext()(module, module.exports)
  return module.exports
}

const bundled = bundle({ entry, format: "cjs", minify: true }).then(({ metafile, text }) => ({
  bytes: Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {}),
  exports: load(text, source)
}))

/** Every text in the tests of this package: commands of all kinds, and much that is none. */
const texts = (): ReadonlyArray<string> => {
  const folder = fileURLToPath(new URL(".", import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"))
  const literals = sources.flatMap((name) => readFileSync(folder + name, "utf8").match(/"(?:[^"\\\n]|\\.)*"/g) ?? [])
  return [...new Set(literals)].map((literal) => Function(`return ${literal}`)())
}

/** All that a parse says but the wording of its errors, which the bundle leaves out. */
const tree = (script: ReturnType<typeof source.parse>): string =>
  JSON.stringify(script, (key, value) => (key === "message" ? "" : value))

describe("a minified bundle's shell parser", () => {
  it("parses and reads every text of the tests as the source does", async () => {
    const { exports } = await bundled
    assert.notStrictEqual(exports.parse, source.parse)
    const commands = texts()
    assert.isAbove(commands.length, 300)
    const isNight = process.env["REFLEXION_TESTS"] === "night"
    for (const command of commands.filter((_, at) => isNight || at % 8 === 0)) {
      assert.strictEqual(tree(exports.parse(command)), tree(source.parse(command)), command)
      assert.deepStrictEqual(exports.analyze(command), source.analyze(command), command)
    }
  })
})
