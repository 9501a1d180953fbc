import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { Effect } from "effect"
import * as GeminiSessions from "../src/GeminiSessions.ts"
import * as GeminiTranscript from "../src/GeminiTranscript.ts"
import * as Look from "../src/internal/look.ts"

it.each(Decoding.rows(new URL("decoder.rows.jsonl", import.meta.url)))("%s", (_, row) => {
  assert.deepStrictEqual(Decoding.ofRow(GeminiTranscript.decoder, row), row.to)
})

it.scoped("a folder's sessions are those with its path in `.project_root`, and with a message", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const geminiFolder = yield* fs.makeTempDirectoryScoped()
    const prompt = `{"id":"u","type":"user","content":[{"text":"Go."}]}`
    for (const [name, root, file, line] of [
      ["shop", "/repo", "session-1-00000001.jsonl", prompt],
      ["shop", "/repo", "session-2-00000002.jsonl", prompt.replace("Go.", "<session_context>")],
      ["shop-1", "/other/shop", "session-3-00000003.jsonl", prompt]
    ] as const) {
      const folder = path.join(geminiFolder, "tmp", name)
      yield* fs.makeDirectory(path.join(folder, "chats"), { recursive: true })
      yield* fs.writeFileString(path.join(folder, ".project_root"), root)
      yield* fs.writeFileString(path.join(folder, "chats", file), line)
    }
    const found = yield* GeminiSessions.recent({ cwd: "/repo", geminiFolder, limit: 5 })
    assert.match(found.join(), /^[^,]*session-1-00000001\.jsonl$/)
  }).pipe(Effect.provide(NodeContext.layer))
)

it.each([
  [{}, null],
  [{ "/repo": "TRUST_FOLDER", "/repo/src": "DO_NOT_TRUST" }, "DO_NOT_TRUST"],
  [{ "/repo/lib": "TRUST_PARENT", "/repo/src/a": "DO_NOT_TRUST" }, "TRUST_PARENT"],
  [{ "/rep": "TRUST_FOLDER", "/other": "TRUST_FOLDER" }, null]
])("the longest matching rule decides about trust: %o → %s", (rules, expected) => {
  assert.strictEqual(Look.ruleFor(rules, "/repo/src"), expected)
})
