import type { RetryTask } from "../../retry/RetryTask.ts"

const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

/** Outputs as long as those of a project that has grown: what failed is one thing among much that did not. */
export const long: ReadonlyArray<RetryTask> = [
  {
    id: "long-pytest-warnings",
    why: "Two of 63 tests fail, and to be told of one is enough; a summary of warnings and the slowest tests follow the failure.",
    runner: "pytest -v, with warnings and durations",
    failureType: "test_failure",
    files: {
      "dates.py": `import warnings


def quarter(month):
    warnings.warn("quarter() will move to the module calendar", DeprecationWarning)
    return month // 3 + 1
`,
      "test_a_plain.py": range(60)
        .map((n) => `def test_plain_${n}():\n    assert ${n} + 1 == ${n + 1}\n`)
        .join("\n\n"),
      "test_dates.py": `from dates import quarter


def test_april_is_in_the_second_quarter():
    assert quarter(4) == 2


def test_december_is_in_the_fourth_quarter():
    assert quarter(12) == 4


def test_march_is_in_the_first_quarter():
    assert quarter(3) == 1
`
    },
    command: "python3 -m pytest -v --durations=10 --durations-min=0 -p no:cacheprovider",
    repeats: true,
    failures: [
      {
        test: "test_december_is_in_the_fourth_quarter",
        places: ["test_dates.py:9", "test_dates.py:8"],
        expected: "4",
        received: "5"
      },
      {
        test: "test_march_is_in_the_first_quarter",
        places: ["test_dates.py:13", "test_dates.py:12"],
        expected: "1",
        received: "2"
      }
    ]
  },
  {
    id: "long-jest-verbose",
    why: "Three files with 45 tests, listed one by one; the failure stands with its own file, before the others.",
    runner: "Jest --verbose, one worker",
    failureType: "test_failure",
    needs: ["jest@30.2.0"],
    files: {
      "package.json": "{}\n",
      "cart.test.js": `const total = (prices) => prices.reduce((sum, price) => sum + price)

test("an empty cart costs nothing", () => {
  expect(total([])).toBe(0)
})
`,
      "many.test.js": range(22)
        .map((n) => `test("number ${n} is kept", () => {\n  expect(${n}).toBe(${n})\n})\n`)
        .join("\n"),
      "more.test.js": range(22)
        .map((n) => `test("the square of ${n} is ${n * n}", () => {\n  expect(${n} * ${n}).toBe(${n * n})\n})\n`)
        .join("\n")
    },
    command: "npx jest --verbose --runInBand cart.test.js many.test.js more.test.js",
    repeats: true,
    failures: [
      {
        test: "an empty cart costs nothing",
        places: ["cart.test.js:1", "cart.test.js:3", "cart.test.js:4"],
        message: "Reduce of empty array with no initial value"
      }
    ]
  },
  {
    id: "long-node-tap-files",
    why: "Four files below one command, as node:test prints them where no terminal reads: the failure is in the first.",
    runner: "node --test, four files",
    failureType: "test_failure",
    files: {
      "test/a.test.mjs": `import assert from "node:assert/strict"
import { test } from "node:test"

const initials = (name) => name.split(" ").map((part) => part[0].toUpperCase()).join("")

test("initials of a name with two spaces", () => {
  assert.equal(initials("Ada  Lovelace"), "AL")
})

test("initials of nobody", () => {
  assert.equal(initials(""), "")
})
`,
      ...Object.fromEntries(
        ["b", "c", "d"].map((name) => [
          `test/${name}.test.mjs`,
          `import assert from "node:assert/strict"
import { test } from "node:test"

for (let n = 1; n <= 15; n++)
  test("${name} counts to " + n, () => {
    assert.equal(Array.from({ length: n }).length, n)
  })
`
        ])
      )
    },
    command: "node --test --test-reporter=tap test/",
    second: {
      "test/a.test.mjs": `import assert from "node:assert/strict"
import { test } from "node:test"

const initials = (name) => name.trim().split(/ +/).map((part) => part[0].toLowerCase()).join("")

test("initials of a name with two spaces", () => {
  assert.equal(initials("Ada  Lovelace"), "AL")
})
`
    },
    repeats: false,
    failures: [
      {
        test: "initials of a name with two spaces",
        places: ["test/a.test.mjs:4", "test/a.test.mjs:6", "test/a.test.mjs:7"],
        message: "Cannot read properties of undefined (reading 'toUpperCase')"
      },
      {
        test: "initials of nobody",
        places: ["test/a.test.mjs:4", "test/a.test.mjs:10", "test/a.test.mjs:11"],
        message: "Cannot read properties of undefined (reading 'toUpperCase')"
      }
    ]
  },
  {
    id: "long-unittest-log",
    why: "The tests are over and the failure is told; then a hundred lines of a log that is written at the end follow.",
    runner: "unittest, a log after it",
    failureType: "test_failure",
    files: {
      "test_stock.py": `import atexit
import sys
import unittest


def flush():
    for n in range(100):
        print(f"2026-03-02 09:00:{n % 60:02d} INFO pool: connection {n} closed", file=sys.stderr)


atexit.register(flush)


class StockTest(unittest.TestCase):
    def test_reserving_takes_from_the_stock(self):
        stock = {"tea": 20}
        stock["tea"] += 3
        self.assertEqual(stock["tea"], 17)


if __name__ == "__main__":
    unittest.main()
`
    },
    command: "python3 -m unittest",
    repeats: true,
    failures: [
      {
        test: "test_reserving_takes_from_the_stock",
        places: ["test_stock.py:18", "test_stock.py:15"],
        expected: "17",
        received: "23"
      }
    ]
  },
  {
    id: "long-vitest-verbose",
    why: "Forty tests by name in two files, the failure in the middle of them, and its details at the end.",
    runner: "Vitest, verbose",
    failureType: "test_failure",
    files: {
      "test/many.test.js": `import { expect, it } from "vitest"

const even = (n) => n % 2 === 0 && n !== 26

for (let n = 2; n <= 80; n += 2)
  it("says of " + n + " that it is even", () => {
    expect(even(n)).toBe(true)
  })
`
    },
    command: "npx vitest run --reporter=verbose",
    repeats: true,
    failures: [
      {
        test: "says of 26 that it is even",
        places: ["test/many.test.js:6", "test/many.test.js:7"],
        expected: "true",
        received: "false"
      }
    ]
  },
  {
    id: "long-npm-chain",
    why: "Type check, linter and tests below one script: the first of them fails, and the others run all the same and pass.",
    runner: "npm run all: tsc, then node:test",
    failureType: "verification_failed",
    files: {
      "package.json": `{
  "name": "shop",
  "version": "1.0.0",
  "type": "module",
  "scripts": {
    "check": "tsc -p .",
    "test": "node --test --test-reporter=spec test/",
    "all": "npm run check; checked=$?; npm test; tested=$?; exit $((checked + tested))"
  }
}
`,
      "tsconfig.json": `{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }
`,
      "src/price.ts": `export const price = (cents: number): string => (cents / 100).toFixed(2)

export const label: string = price("120")
`,
      "test/a.test.mjs": `import { test } from "node:test"

for (let n = 1; n <= 30; n++) test("passes " + n, () => {})
`
    },
    command: "npm run all",
    repeats: true,
    failures: [
      {
        places: ["src/price.ts:3"],
        message: "Argument of type 'string' is not assignable to parameter of type 'number'"
      }
    ]
  },
  {
    id: "long-cargo-many",
    why: "Fifty tests pass and one fails; the passing ones come before the failure's details.",
    runner: "cargo test, fifty tests",
    failureType: "test_failure",
    files: {
      "Cargo.toml": `[package]
name = "shop"
version = "0.1.0"
edition = "2021"
`,
      "src/lib.rs": `pub fn leap(year: u32) -> bool {
    year % 4 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_century_is_no_leap_year() {
        assert_eq!(leap(1900), false, "1900 has 365 days");
    }
${range(50)
  .map((n) => `\n    #[test]\n    fn year_${n}() {\n        assert_eq!(leap(${n}), ${n} % 4 == 0);\n    }\n`)
  .join("")}}
`
    },
    command: "cargo test --offline",
    repeats: true,
    failures: [
      {
        test: "a_century_is_no_leap_year",
        places: ["src/lib.rs:11", "src/lib.rs:10"],
        expected: "false",
        received: "true"
      }
    ]
  },
  {
    id: "long-node-shutdown",
    why: "A service dies of a missing setting; what its forty workers log as they stop comes before the exception.",
    runner: "node, an exception after a log",
    failureType: "runtime_error",
    files: {
      "server.mjs": `const settings = { port: 8080 }

const start = () => {
  const { host } = settings.database
  console.log("connecting to", host)
}

process.on("exit", () => {
  for (let worker = 1; worker <= 40; worker++) console.error("worker " + worker + " stopped")
})

start()
`
    },
    command: "node server.mjs",
    repeats: true,
    failures: [
      {
        places: ["server.mjs:4", "server.mjs:12"],
        message: "Cannot destructure property 'host' of 'settings.database' as it is undefined"
      }
    ]
  }
]
