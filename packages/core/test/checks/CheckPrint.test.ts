import * as NodeContext from "@effect/platform-node/NodeContext"
import { FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CheckPrint from "../../src/checks/CheckPrint.ts"

type Files = Readonly<Record<string, string>>

const write = Effect.fnUntraced(function* (root: string, files: Files) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    yield* fs.writeFileString(file, text)
  }
})

/** Whether the print of a command is another one after a change of these files. */
const isMovedBy = Effect.fnUntraced(
  function* (command: string, files: Files, change: Files) {
    const fs = yield* FileSystem.FileSystem
    const root = yield* fs.makeTempDirectoryScoped()
    yield* write(root, files)
    const before = yield* CheckPrint.of(root, command)
    assert.strictEqual(yield* CheckPrint.of(root, command), before)
    yield* write(root, change)
    return (yield* CheckPrint.of(root, command)) !== before
  },
  Effect.scoped,
  Effect.provide(NodeContext.layer)
)

const npm = (scripts: Files, more = {}): Files => ({ "package.json": JSON.stringify({ scripts, ...more }) })

const suite = { test: "npm run unit && sh ci/after.sh", unit: "node --test", dev: "vite" }

const moved: ReadonlyArray<readonly [title: string, command: string, files: Files, change: Files]> = [
  ["the script's text", "npm test", npm({ test: "node --test" }), npm({ test: "true" })],
  ["a script that it calls", "npm test", npm(suite), npm({ ...suite, unit: "true" })],
  ["what is run before it", "npm test", npm(suite), npm({ ...suite, pretest: "touch /tmp/x" })],
  [
    "a shell script that a script starts",
    "npm test",
    { ...npm(suite), "ci/after.sh": "exit 0" },
    { "ci/after.sh": "x" }
  ],
  [
    "a shell script that a shell script starts",
    "./check",
    { check: "#!/bin/sh\nbash ci/lint.sh\n", "ci/lint.sh": "eslint ." },
    { "ci/lint.sh": "true" }
  ],
  ["a script file that is named", "node tools/check.mjs --all", { "tools/check.mjs": "1" }, { "tools/check.mjs": "2" }],
  ["one that was not there", "python tools/check.py", {}, { "tools/check.py": "1" }],
  ["a recipe", "make test", { Makefile: "test:\n\tpytest\n" }, { Makefile: "test:\n\ttrue\n" }],
  [
    "a variable of a recipe",
    "make test",
    { Makefile: "RUN = pytest\ntest:\n\t$(RUN)\n" },
    { Makefile: "RUN = $(shell x)\ntest:\n\t$(RUN)\n" }
  ],
  ["a makefile that is included", "make test", { Makefile: "include ci/a.mk\n", "ci/a.mk": "1" }, { "ci/a.mk": "2" }],
  ["a makefile that is named", "make -f ci/a.mk", { "ci/a.mk": "1" }, { "ci/a.mk": "2" }],
  ["the shell of scripts", "npm test", npm(suite), { ".npmrc": "script-shell=./x" }],
  ["a task of just", "just test", { justfile: "test:\n  cargo test\n" }, { justfile: "test:\n  true\n" }],
  [
    "the configuration of hooks",
    "pre-commit run --all-files",
    { ".pre-commit-config.yaml": "a" },
    { ".pre-commit-config.yaml": "b" }
  ],
  [
    "the manifest of another folder",
    "cd web && npm test",
    { "web/package.json": "{}" },
    { "web/package.json": '{ "scripts": {} }' }
  ]
]

const still: ReadonlyArray<readonly [title: string, command: string, files: Files, change: Files]> = [
  ["a script that it does not reach", "npm test", npm(suite), npm({ ...suite, dev: "vite --host" })],
  [
    "a script that only another recipe names",
    "make test",
    { Makefile: "test:\n\tpytest\ndev:\n\tnpm run dev\n", ...npm(suite) },
    npm({ ...suite, dev: "vite --host" })
  ],
  [
    "a folder",
    "node --test ./unit",
    { "unit/a.js": "1" },
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`unit/${at}.js`, "1"]))
  ],
  ["a dependency", "npm test", npm(suite), npm(suite, { dependencies: { x: "1" } })],
  ["a test", "node --test test/a.test.js", { "test/a.test.js": "1" }, { "test/a.test.js": "2" }],
  ["what is checked", "ruff check app/main.py", { "app/main.py": "1" }, { "app/main.py": "2" }],
  ["the sources", "npm test", { ...npm(suite), "src/a.js": "1" }, { "src/a.js": "2" }]
]

describe("CheckPrint", () => {
  for (const [title, command, files, change] of moved)
    it.live(`changes with ${title}`, () => Effect.map(isMovedBy(command, files, change), (is) => assert.isTrue(is)))
  for (const [title, command, files, change] of still)
    it.live(`stays where ${title} changes`, () =>
      Effect.map(isMovedBy(command, files, change), (is) => assert.isFalse(is))
    )
})
