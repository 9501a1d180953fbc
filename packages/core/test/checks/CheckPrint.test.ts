import * as NodeContext from "@effect/platform-node/NodeContext"
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CheckPrint from "../../src/checks/CheckPrint.ts"
import { writeAll } from "../support/nodeFiles.ts"

type Files = Readonly<Record<string, string>>

const isMovedBy = Effect.fnUntraced(
  function* (command: string, files: Files, change: Files) {
    const fs = yield* FileSystem.FileSystem
    const root = yield* fs.makeTempDirectoryScoped()
    writeAll(root, files)
    const before = yield* CheckPrint.of(root, command)
    assert.strictEqual(yield* CheckPrint.of(root, command), before)
    writeAll(root, change)
    return (yield* CheckPrint.of(root, command)) !== before
  },
  Effect.scoped,
  Effect.provide(NodeContext.layer)
)

const npm = (scripts: Files, more = {}): Files => ({ "package.json": JSON.stringify({ scripts, ...more }) })

const suite = { test: "npm run unit && sh ci/after.sh", unit: "node --test", dev: "vite" }

const all = npm(suite)

const make = (text: string): Files => ({ Makefile: text })

const many: Files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`unit/${at}.js`, "1"]))

type Row = readonly [title: string, command: string, files: Files, change: Files]

const moved: ReadonlyArray<Row> = [
  ["a script that it calls", "npm test", all, npm({ ...suite, unit: "true" })],
  ["what is run before it", "npm test", all, npm({ ...suite, pretest: "touch /tmp/x" })],
  ["a shell script that a script starts", "npm test", { ...all, "ci/after.sh": "exit 0" }, { "ci/after.sh": "x" }],
  ["one that a script starts", "./check", { check: "bash ci/lint.sh\n", "ci/lint.sh": "1" }, { "ci/lint.sh": "2" }],
  ["a script file that is named", "node tools/check.mjs --all", { "tools/check.mjs": "1" }, { "tools/check.mjs": "2" }],
  ["one that was not there", "python tools/check.py", {}, { "tools/check.py": "1" }],
  ["a recipe", "make test", make("test:\n\tpytest\n"), make("test:\n\ttrue\n")],
  ["a recipe's variable", "make test", make("RUN = pytest\ntest:\n\t$(RUN)\n"), make("RUN = x\ntest:\n\t$(RUN)\n")],
  ["an included makefile", "make test", { ...make("include ci/a.mk\n"), "ci/a.mk": "1" }, { "ci/a.mk": "2" }],
  ["a makefile that is named", "make -f ci/a.mk", { "ci/a.mk": "1" }, { "ci/a.mk": "2" }],
  ["the shell of scripts", "npm test", all, { ".npmrc": "script-shell=./x" }],
  ["a task of just", "just test", { justfile: "test:\n  cargo test\n" }, { justfile: "test:\n  true\n" }],
  ["hooks", "pre-commit run --all-files", { ".pre-commit-config.yaml": "a" }, { ".pre-commit-config.yaml": "b" }],
  ["another folder's manifest", "cd web && npm test", { "web/package.json": "{}" }, { "web/package.json": "[]" }]
]

const still: ReadonlyArray<Row> = [
  ["a script that it does not reach", "npm test", all, npm({ ...suite, dev: "vite --host" })],
  [
    "a script that only another recipe names",
    "make test",
    { ...make("test:\n\tpytest\ndev:\n\tnpm run dev\n"), ...all },
    npm({ ...suite, dev: "vite --host" })
  ],
  ["a folder", "node --test ./unit", { "unit/a.js": "1" }, many],
  ["a dependency", "npm test", all, npm(suite, { dependencies: { x: "1" } })],
  ["a test", "node --test test/a.test.js", { "test/a.test.js": "1" }, { "test/a.test.js": "2" }],
  ["what is checked", "ruff check app/main.py", { "app/main.py": "1" }, { "app/main.py": "2" }],
  ["the sources", "npm test", { ...all, "src/a.js": "1" }, { "src/a.js": "2" }]
]

describe("CheckPrint", () => {
  it.live.each(moved)("the print of a command changes with %s", ([, ...row]) =>
    Effect.map(isMovedBy(...row), (is) => assert.isTrue(is))
  )
  it.live.each(still)("the print of a command ignores a change of %s", ([, ...row]) =>
    Effect.map(isMovedBy(...row), (is) => assert.isFalse(is))
  )
})
