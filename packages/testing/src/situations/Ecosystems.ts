/** The same small shop in the words of each runner: `a` and `b`, which add, with a test each. */
import * as Runners from "./Runners.ts"
import { edit } from "../contract/HostContract.ts"
import type { Situation } from "./Situation.ts"

/** A change that breaks `b`, and one that does not. The failing test is known by this name, and the other by that. */
interface Shop extends Pick<Situation, "check" | "ignored" | "project" | "runner"> {
  readonly broken: Situation["project"]
  readonly wrongly: ReturnType<typeof edit>
  readonly rightly: ReturnType<typeof edit>
  readonly a: string
  readonly b: string
}

const tests = (command: string): Situation["check"] => ({ name: "tests", command })

const manifest = (scripts: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "shop", private: true, type: "module", scripts }, null, 2)}\n`

const inJs = (name: string): string => `export const ${name} = (one, other) => one + other\n`

const ofJs = (name: string, head: string, equals: string): string =>
  `${head}\nimport { ${name} } from "../src/${name}.js"\n\ntest("${name} adds", () => ${equals})\n`

const nodeTest = (name: string): string =>
  ofJs(
    name,
    'import assert from "node:assert/strict"\nimport { test } from "node:test"',
    `assert.equal(${name}(1, 2), 3)`
  )

const js = {
  ".gitignore": "node_modules\n",
  "src/a.js": inJs("a"),
  "src/b.js": inJs("b")
}

const changes = (file: string) => ({
  wrongly: edit(file, "one + other", "one * other * 2"),
  rightly: edit(file, "one + other", "other + one")
})

export const node: Shop = {
  runner: Runners.node,
  project: {
    ...js,
    "package.json": manifest({ test: "node --test" }),
    "test/a.test.js": nodeTest("a"),
    "test/b.test.js": nodeTest("b")
  },
  broken: { "src/a.js": inJs("a").replace("+", "-") },
  check: tests("npm test"),
  ...changes("src/b.js"),
  a: "a adds",
  b: "b adds"
}

const expecting = (name: string, head: string): string => ofJs(name, head, `expect(${name}(1, 2)).toBe(3)`)

const imports = 'import { expect, test } from "vitest"'

export const vitest: Shop = {
  ...node,
  runner: Runners.vitest,
  ignored: Runners.installed({ vitest: ["vitest", "vitest.mjs"] }),
  project: {
    ...js,
    "package.json": manifest({ test: "vitest run" }),
    "test/a.test.js": expecting("a", imports),
    "test/b.test.js": expecting("b", imports)
  }
}

export const jest: Shop = {
  ...node,
  runner: Runners.jest,
  project: {
    ...js,
    "package.json": manifest({ test: "NODE_OPTIONS=--experimental-vm-modules jest" }),
    "test/a.test.js": expecting("a", ""),
    "test/b.test.js": expecting("b", "")
  }
}

const inPython = (name: string): string => `def ${name}(one, other):\n    return one + other\n`

const python = { "shop/__init__.py": "", "shop/a.py": inPython("a"), "shop/b.py": inPython("b") }

const pytestOf = (name: string): string =>
  `from shop.${name} import ${name}\n\n\ndef test_${name}_adds():\n    assert ${name}(1, 2) == 3\n`

export const pytest: Shop = {
  runner: Runners.pytest,
  project: {
    ...python,
    "conftest.py": "",
    "tests/test_a.py": pytestOf("a"),
    "tests/test_b.py": pytestOf("b")
  },
  broken: { "shop/a.py": inPython("a").replace("+", "-") },
  check: tests("pytest"),
  ...changes("shop/b.py"),
  a: "test_a_adds",
  b: "test_b_adds"
}

const unittestOf = (name: string): string => `import unittest

from shop.${name} import ${name}


class Test${name.toUpperCase()}(unittest.TestCase):
    def test_${name}_adds(self):
        self.assertEqual(${name}(1, 2), 3)
`

export const unittest: Shop = {
  ...pytest,
  runner: Runners.unittest,
  project: {
    ...python,
    "tests/__init__.py": "",
    "tests/test_a.py": unittestOf("a"),
    "tests/test_b.py": unittestOf("b")
  },
  check: tests("python3 -m unittest")
}

const inRust = (name: string): string => `pub fn ${name}(one: i64, other: i64) -> i64 {
    one + other
}

#[cfg(test)]
mod tests {
    #[test]
    fn ${name}_adds() {
        assert_eq!(super::${name}(1, 2), 3);
    }
}
`

export const cargo: Shop = {
  runner: Runners.cargo,
  project: {
    ".gitignore": "target\nCargo.lock\n",
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a.rs": inRust("a"),
    "src/b.rs": inRust("b")
  },
  broken: { "src/a.rs": inRust("a").replace("one + other", "one - other") },
  check: tests("cargo test"),
  ...changes("src/b.rs"),
  a: "a_adds",
  b: "b_adds"
}

const inShell = (name: string): string => `${name}() { echo $(($1 + $2)); }\n`

/** Without names of tests: the targets of make are all that is known. */
const made = (name: string): string =>
  `\t@. ./${name}.sh; got=$$(${name} 1 2); [ "$$got" = 3 ] || { echo "${name} adds: got $$got"; exit 1; }`

export const make: Shop = {
  runner: Runners.make,
  project: {
    "a.sh": inShell("a"),
    "b.sh": inShell("b"),
    Makefile: `.PHONY: test test-a test-b\ntest: test-a test-b\ntest-a:\n${made("a")}\ntest-b:\n${made("b")}\n`
  },
  broken: { "a.sh": inShell("a").replace("+", "-") },
  check: tests("make --keep-going test"),
  wrongly: edit("b.sh", "$1 + $2", "$1 * $2 * 2"),
  rightly: edit("b.sh", "$1 + $2", "$2 + $1"),
  a: "a adds|test-a",
  b: "b adds"
}

const inPerl = (name: string): string => `sub ${name} { my ($one, $other) = @_; return $one + $other; }\n1;\n`

const perlOf = (name: string): string =>
  `use Test::More tests => 1;\nrequire "./lib/${name}.pl";\nis(${name}(1, 2), 3, "${name} adds");\n`

export const prove: Shop = {
  runner: Runners.prove,
  project: {
    "lib/a.pl": inPerl("a"),
    "lib/b.pl": inPerl("b"),
    "t/a.t": perlOf("a"),
    "t/b.t": perlOf("b")
  },
  broken: { "lib/a.pl": inPerl("a").replace("+", "-") },
  check: tests("prove"),
  wrongly: edit("lib/b.pl", "$one + $other", "$one * $other * 2"),
  rightly: edit("lib/b.pl", "$one + $other", "$other + $one"),
  a: "a adds|Result: FAIL",
  b: "b adds"
}

export const all = [node, vitest, jest, pytest, unittest, cargo, make, prove]
