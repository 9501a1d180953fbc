/** The same small shop for each test runner: two functions `a` and `b`, with one test each. */
import { spawnSync } from "node:child_process"
import * as FS from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { edit } from "../contract/HostContract.ts"
import type { Runner, Situation } from "./Situation.ts"

/** `wrongly` is a change that breaks `b`. `rightly` is a change that does not. */
interface Shop extends Pick<Situation, "check" | "ignored" | "project" | "runner"> {
  readonly broken: Situation["project"]
  readonly wrongly: ReturnType<typeof edit>
  readonly rightly: ReturnType<typeof edit>
  readonly a: string
  readonly b: string
}

const nodeRunner: Runner = { name: "node:test", path: [], env: {}, isThere: true }

const modules = fileURLToPath(new URL("../../../../node_modules", import.meta.url))

/** Uses this repository's Vitest. */
const installed = (workspace: string): void => {
  const folder = Path.join(workspace, "node_modules")
  FS.mkdirSync(Path.join(folder, ".bin"), { recursive: true })
  FS.symlinkSync(Path.join(modules, "vitest"), Path.join(folder, "vitest"))
  FS.symlinkSync("../vitest/vitest.mjs", Path.join(folder, ".bin", "vitest"))
}

export const manifest = (scripts: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", private: true, type: "module", scripts }, null, 2)}\n`

const changes = (file: string) => ({
  wrongly: edit(file, "one + other", "one * other * 2"),
  rightly: edit(file, "one + other", "other + one")
})

const inJs = (name: string): string => `export const ${name} = (one, other) => one + other\n`

const ofJs = (name: string, head: string, equals: string): string =>
  `${head}\nimport { ${name} } from "../src/${name}.js"\n\ntest("${name} adds", () => ${equals})\n`

export const testIn = (name: string): string =>
  ofJs(
    name,
    'import assert from "node:assert/strict"\nimport { test } from "node:test"',
    `assert.equal(${name}(1, 2), 3)`
  )

const js = { ".gitignore": "node_modules\n", "src/a.js": inJs("a"), "src/b.js": inJs("b") }

export const node: Shop = {
  runner: nodeRunner,
  project: {
    ...js,
    "package.json": manifest({ test: "node --test" }),
    "test/a.test.js": testIn("a"),
    "test/b.test.js": testIn("b")
  },
  broken: { "src/a.js": inJs("a").replace("+", "-") },
  check: { name: "tests", command: "npm test" },
  ...changes("src/b.js"),
  a: "a adds",
  b: "b adds"
}

const expecting = (name: string): string =>
  ofJs(name, 'import { expect, test } from "vitest"', `expect(${name}(1, 2)).toBe(3)`)

export const vitest: Shop = {
  ...node,
  runner: { ...nodeRunner, name: "vitest" },
  ignored: installed,
  project: {
    ...js,
    "package.json": manifest({ test: "vitest run" }),
    "test/a.test.js": expecting("a"),
    "test/b.test.js": expecting("b")
  }
}

const inPython = (name: string): string => `def ${name}(one, other):\n    return one + other\n`

const pytestOf = (name: string): string =>
  `from shop.${name} import ${name}\n\n\ndef test_${name}_adds():\n    assert ${name}(1, 2) == 3\n`

/** Plugins of this machine could write into the project. A version manager's shims need the user's home directory. */
const env = { PYTHONDONTWRITEBYTECODE: "1", PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" }

const { status, stdout } = spawnSync("python3", ["-c", "import sys, pytest; print(sys.prefix)"], { encoding: "utf8" })

const path = status === 0 ? [Path.join(stdout.trim(), "bin")] : []

const pytestRunner: Runner = { name: "pytest", env, path, isThere: status === 0 }

export const pytest: Shop = {
  runner: pytestRunner,
  project: {
    "shop/__init__.py": "",
    "shop/a.py": inPython("a"),
    "shop/b.py": inPython("b"),
    "conftest.py": "",
    "tests/test_a.py": pytestOf("a"),
    "tests/test_b.py": pytestOf("b")
  },
  broken: { "shop/a.py": inPython("a").replace("+", "-") },
  check: { name: "tests", command: "pytest" },
  ...changes("shop/b.py"),
  a: "test_a_adds",
  b: "test_b_adds"
}
