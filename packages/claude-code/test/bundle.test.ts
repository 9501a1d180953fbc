import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import * as vm from "node:vm"
import { bundle } from "../../../scripts/bundler.mjs"
import * as source from "./support/judgeEntry.ts"

/** What the judge may weigh. A hook may have 483,000 bytes in all; there the reader of TOML lies in a file beside it. */
const maxBytes = 746_000

const entry = fileURLToPath(new URL("./support/judgeEntry.ts", import.meta.url))

const bundled = bundle({ entry, format: "cjs", minify: true }).then(({ metafile, text = "" }) => ({
  ...Object.values(metafile.outputs)[0],
  text
}))

/** Runs a CommonJS bundle and answers with what it exports. */
const load = (text: string): typeof source => {
  const module: { exports: typeof source } = { exports: source }
  const run = new vm.Script(`(module, exports, require) => {${text}}`).runInThisContext()
  run(module, module.exports, createRequire(import.meta.url))
  return module.exports
}

const files = {
  cwd: "/repo",
  answer: ({ path, want }: { readonly path: string; readonly want: string }) => {
    if (path === "/repo/package.json")
      return want === "read"
        ? '{ "scripts": { "test": "vitest" } }'
        : want === "stat"
          ? { kind: "file" as const, size: 1 }
          : path
    if (path !== "/repo") return null
    return want === "list" ? ["package.json"] : want === "stat" ? { kind: "folder" as const, size: 0 } : path
  }
}

describe("the judge in one minified file", () => {
  it("is small, and without what only services and schemas need", async () => {
    const { bytes = 0, inputs = {} } = await bundled
    const heavy =
      /\/effect\/dist\/.*\/(?:Effect|Layer|Schema|SchemaAST|ParseResult|internal\/(?:core|fiberRuntime))\.js$/
    const unwanted = Object.keys(inputs).filter(
      (file) => heavy.test(file) || /@effect\/|jsonc-parser|Schema\.ts$/.test(file)
    )
    assert.deepStrictEqual(unwanted, [])
    assert.isAbove(Object.keys(inputs).length, 100)
    assert.isBelow(bytes, maxBytes)
  })

  it.effect("judges the recorded sessions as the source does", () =>
    Effect.gen(function* () {
      const { text } = yield* Effect.promise(() => bundled)
      const exported = load(text)
      assert.notStrictEqual(exported.judge, source.judge)
      for (const { file, name } of yield* Recordings.list("claude-code")) {
        const transcript = readFileSync(file, "utf8")
        const given = yield* Effect.promise(() => exported.run(transcript, files))
        assert.isNotNull(given, name)
        assert.deepStrictEqual(given, source.judge(transcript, files), name)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
