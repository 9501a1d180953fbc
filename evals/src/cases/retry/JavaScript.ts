import type { RetryTask } from "../../retry/RetryTask.ts"

const cart = `export const total = (prices, discount = 0) => {
  const sum = prices.reduce((all, price) => all + price, 0)
  return sum - discount
}

export const label = (cents) => (cents / 100).toFixed(2) + " EUR"
`

/** A suite of node:test in which all but one of many tests pass. */
const manyTests = (failingAt: number): string =>
  [
    'import assert from "node:assert/strict"',
    'import { test } from "node:test"',
    'import { total } from "../src/cart.mjs"',
    "",
    ...Array.from({ length: 24 }, (_, index) =>
      index === failingAt
        ? [
            'test("a discount is a share of the sum", () => {',
            "  const sum = total([2000, 3000], 0.1)",
            "  assert.equal(sum, 4500)",
            "})"
          ]
        : [
            `test("adds up ${index + 1} prices", () => {`,
            `  assert.equal(total(Array(${index + 1}).fill(10)), ${(index + 1) * 10})`,
            "})"
          ]
    ).flat(),
    ""
  ].join("\n")

const nodeTests = `import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { label, total } from "../src/cart.mjs"

describe("cart", () => {
  it("adds up its prices", () => {
    assert.equal(total([1000, 250]), 1250)
  })

  it("takes the discount as a share", () => {
    const sum = total([2000, 3000], 0.1)
    assert.equal(sum, 4500)
  })

  it("shows cents", () => {
    assert.equal(label(1205), "12.05 EUR")
  })
})
`

const discountOfNode = {
  test: "takes the discount as a share",
  places: ["test/cart.test.mjs:10", "test/cart.test.mjs:12"],
  expected: "4500",
  received: "4999.9"
}

const mochaTests = `const assert = require("node:assert")
const { parse } = require("../src/duration.cjs")

describe("duration", () => {
  it("reads minutes", () => {
    assert.deepStrictEqual(parse("5m"), { value: 5, unit: "minutes" })
  })

  it("reads hours", () => {
    assert.deepStrictEqual(parse("2h"), { value: 2, unit: "hours" })
  })
})
`

const jestTests = `const { order } = require("./order")

describe("order", () => {
  test("keeps the customer's name", () => {
    expect(order({ name: "Ada", items: ["tea"] }).name).toBe("Ada")
  })

  test("counts its items", () => {
    const made = order({ name: "Ada", items: ["tea", "milk", "milk"] })
    expect(made).toEqual({ name: "Ada", count: 3, distinct: 2 })
  })
})
`

const jestOrder = `const distinct = (items) => new Set(items).size

exports.order = ({ name, items }) => ({ name, count: items.length, distinct: items.length })
exports.distinct = distinct
exports.cancelled = (made) => {
  if (made.count === 0) return null
  return { ...made, count: 0 }
}
`

/** JavaScript's runners of tests, with and without noise around the failure. */
export const javaScript: ReadonlyArray<RetryTask> = [
  {
    id: "node-spec",
    why: "One test of three fails; the name, the place and both values stand in the last section of the output.",
    runner: "node:test, spec",
    failureType: "test_failure",
    files: { "src/cart.mjs": cart, "test/cart.test.mjs": nodeTests },
    command: "node --test --test-reporter=spec test/cart.test.mjs",
    repeats: true,
    failures: [discountOfNode]
  },
  {
    id: "node-tap-early",
    why: "The second of 24 tests fails. In TAP its details stand where it ran, and 22 passing tests follow.",
    runner: "node:test, TAP",
    failureType: "test_failure",
    files: { "src/cart.mjs": cart, "test/many.test.mjs": manyTests(1) },
    command: "node --test --test-reporter=tap test/many.test.mjs",
    repeats: true,
    failures: [
      {
        test: "a discount is a share of the sum",
        places: ["test/many.test.mjs:8", "test/many.test.mjs:10"],
        expected: "4500",
        received: "4999.9"
      }
    ]
  },
  {
    id: "node-second-fault",
    why: "The first attempt adds no VAT; the second adds it and forgets the discount. The same test fails, for another reason.",
    runner: "node:test, spec",
    failureType: "test_failure",
    files: {
      "src/invoice.mjs": `export const invoice = (net) => ({ net, gross: net })
`,
      "test/invoice.test.mjs": `import assert from "node:assert/strict"
import { test } from "node:test"
import { invoice } from "../src/invoice.mjs"

test("a large order has VAT and five percent off", () => {
  const { gross } = invoice(100000)
  assert.equal(gross, 113050)
})
`
    },
    command: "node --test --test-reporter=spec test/invoice.test.mjs",
    second: {
      "src/invoice.mjs": `export const invoice = (net) => ({ net, gross: Math.round(net * 1.19) })
`
    },
    repeats: false,
    failures: [
      {
        test: "a large order has VAT and five percent off",
        places: ["test/invoice.test.mjs:5", "test/invoice.test.mjs:7"],
        expected: "113050",
        received: "100000"
      }
    ]
  },
  {
    id: "node-timeout",
    why: "A promise that is never settled: the runner ends the test after 200 ms. There are no two values, only the time-out.",
    runner: "node:test, a timeout",
    failureType: "test_failure",
    files: {
      "test/queue.test.mjs": `import { test } from "node:test"

const drained = () => new Promise((resolve) => setTimeout(resolve, 60_000).unref())

test("an empty queue is drained at once", { timeout: 200 }, async () => {
  const alive = setInterval(() => {}, 50)
  await drained().finally(() => clearInterval(alive))
})
`
    },
    command: "timeout 20 node --test --test-reporter=spec --test-force-exit test/queue.test.mjs",
    repeats: true,
    failures: [
      {
        test: "an empty queue is drained at once",
        places: ["test/queue.test.mjs:5", "test/queue.test.mjs:7"],
        message: "timed out after 200ms"
      }
    ]
  },
  {
    id: "node-script",
    why: "No runner at all: a script of assertions ends with an exception, which names its line and both values.",
    runner: "node, a script of assertions",
    failureType: "test_failure",
    files: {
      "src/slug.mjs": `export const slug = (title) => title.toLowerCase().replaceAll(" ", "-")
`,
      "check.mjs": `import assert from "node:assert/strict"
import { slug } from "./src/slug.mjs"

assert.equal(slug("Green tea"), "green-tea")
assert.equal(slug("Tea, green"), "tea-green")
console.log("all good")
`
    },
    command: "node check.mjs",
    repeats: true,
    failures: [{ places: ["check.mjs:5"], expected: "tea-green", received: "tea,-green" }]
  },
  {
    id: "node-type-error",
    why: "The program dies of a missing value; the line that takes it for granted is the first of its own frames.",
    runner: "node, an exception",
    failureType: "runtime_error",
    files: {
      "src/users.mjs": `const users = new Map([["ada", { mail: { address: "ada@shop.example" } }]])

export const addressOf = (name) => users.get(name).mail.address
`,
      "main.mjs": `import { addressOf } from "./src/users.mjs"

for (const name of ["ada", "bob"]) console.log(name, addressOf(name))
`
    },
    command: "node main.mjs",
    repeats: true,
    failures: [
      { places: ["src/users.mjs:3", "main.mjs:3"], message: "Cannot read properties of undefined (reading 'mail')" }
    ]
  },
  {
    id: "npm-wrapped",
    why: "The tests run below npm, whose own lines about the failed script come last.",
    runner: "npm test over node:test",
    failureType: "test_failure",
    files: {
      "package.json": `{ "name": "shop", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test --test-reporter=tap test/" } }
`,
      "src/cart.mjs": cart,
      "test/cart.test.mjs": nodeTests
    },
    command: "npm test",
    repeats: true,
    failures: [discountOfNode]
  },
  {
    id: "vitest-object",
    why: "The difference of two objects: one field is wrong. What the reader needs is the field and its two values.",
    runner: "Vitest",
    failureType: "test_failure",
    files: {
      "src/parse.js": `export const parse = (text) => {
  const [key, value] = text.split("=")
  return { key, value, quoted: false }
}
`,
      "test/parse.test.js": `import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.js"

describe("parse", () => {
  it("reads a plain value", () => {
    expect(parse("a=1")).toEqual({ key: "a", value: "1", quoted: false })
  })

  it("takes the quotes off", () => {
    expect(parse('a="x y"')).toEqual({ key: "a", value: "x y", quoted: true })
  })
})
`
    },
    command: "npx vitest run",
    repeats: true,
    failures: [
      {
        test: "takes the quotes off",
        places: ["test/parse.test.js:9", "test/parse.test.js:10"],
        expected: '"quoted": true',
        received: '"quoted": false'
      }
    ]
  },
  {
    id: "vitest-noise",
    why: "Three files; one test fails, and what the others print to the console stands around it.",
    runner: "Vitest, with console output",
    failureType: "test_failure",
    files: {
      "src/stock.js": `export const reserve = (stock, name, count) => {
  console.log("reserving", count, "of", name)
  return { ...stock, [name]: stock[name] + count }
}
`,
      "test/a.test.js": `import { expect, it } from "vitest"

for (let n = 1; n <= 12; n++)
  it("numbers " + n, () => {
    console.log("Error: this is only printed, attempt " + n)
    expect(n).toBeLessThan(13)
  })
`,
      "test/stock.test.js": `import { expect, it } from "vitest"
import { reserve } from "../src/stock.js"

it("takes what is reserved out of the stock", () => {
  const after = reserve({ tea: 20 }, "tea", 3)
  expect(after.tea).toBe(17)
})
`,
      "test/z.test.js": `import { expect, it } from "vitest"

it("is last", () => {
  console.warn("warning: nothing to see")
  expect("z").toBe("z")
})
`
    },
    command: "npx vitest run",
    repeats: true,
    failures: [
      {
        test: "takes what is reserved out of the stock",
        places: ["test/stock.test.js:4", "test/stock.test.js:6"],
        expected: "17",
        received: "23"
      }
    ]
  },
  {
    id: "vitest-import",
    why: "The module under test is imported by a wrong path: no test ran, and the missing module is what there is to mend.",
    runner: "Vitest, a file that cannot be loaded",
    failureType: "test_failure",
    files: {
      "src/parser.js": `export const parse = (text) => text.split(",")
`,
      "test/parser.test.js": `import { expect, it } from "vitest"
import { parse } from "../src/parse.js"

it("splits at commas", () => {
  expect(parse("a,b")).toEqual(["a", "b"])
})
`
    },
    command: "npx vitest run",
    repeats: true,
    failures: [{ places: ["test/parser.test.js:2"], message: "../src/parse.js" }]
  },
  {
    id: "jest-object",
    why: "Two objects differ in one field. Jest shows both, and the line of the assertion.",
    runner: "Jest",
    failureType: "test_failure",
    needs: ["jest@30.2.0"],
    files: { "package.json": "{}\n", "order.js": jestOrder, "order.test.js": jestTests },
    command: "npx jest",
    repeats: true,
    failures: [
      {
        test: "counts its items",
        places: ["order.test.js:8", "order.test.js:10"],
        expected: '"distinct": 2',
        received: '"distinct": 3'
      }
    ]
  },
  {
    id: "jest-coverage",
    why: "The same with coverage: a table of files and the runner's summary come after the failure.",
    runner: "Jest, with coverage",
    failureType: "test_failure",
    needs: ["jest@30.2.0"],
    files: {
      "package.json": "{}\n",
      "order.js": jestOrder,
      "order.test.js": jestTests,
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [
          `part${index + 1}.js`,
          `exports.part = (n) => (n > ${index} ? n : ${index})\n`
        ])
      )
    },
    command: "npx jest --coverage --collectCoverageFrom='*.js'",
    repeats: true,
    failures: [
      {
        test: "counts its items",
        places: ["order.test.js:8", "order.test.js:10"],
        expected: '"distinct": 2',
        received: '"distinct": 3'
      }
    ]
  },
  {
    id: "mocha-deep",
    why: "Two objects differ in one field; Mocha shows them as a difference of lines.",
    runner: "Mocha",
    failureType: "test_failure",
    needs: ["mocha@11.7.4"],
    files: {
      "package.json": "{}\n",
      "src/duration.cjs": `exports.parse = (text) => ({ value: Number.parseInt(text, 10), unit: "minutes" })
`,
      "test/duration.spec.cjs": mochaTests
    },
    command: "npx mocha test/*.spec.cjs",
    repeats: true,
    failures: [
      {
        test: "reads hours",
        places: ["test/duration.spec.cjs:9", "test/duration.spec.cjs:10"],
        expected: "hours",
        received: "minutes"
      }
    ]
  },
  {
    id: "mocha-many",
    why: "All eight tests fail for themselves; to be told of one of them is enough to go on.",
    runner: "Mocha, eight failures",
    failureType: "test_failure",
    needs: ["mocha@11.7.4"],
    files: {
      "package.json": "{}\n",
      "test/roman.spec.cjs": `const assert = require("node:assert")

const roman = (n) => "I".repeat(n)

describe("roman", () => {
  for (const [n, text] of [[4, "IV"], [5, "V"], [6, "VI"], [9, "IX"], [10, "X"], [40, "XL"], [50, "L"], [90, "XC"]])
    it("writes " + n, () => {
      assert.strictEqual(roman(n), text)
    })
})
`
    },
    command: "npx mocha test/*.spec.cjs",
    second: {
      "test/roman.spec.cjs": `const assert = require("node:assert")

const roman = (n) => {
  throw new RangeError("no numeral for " + n)
}

describe("roman", () => {
  for (const [n, text] of [[4, "IV"], [5, "V"], [6, "VI"], [9, "IX"], [10, "X"], [40, "XL"], [50, "L"], [90, "XC"]])
    it("writes " + n, () => {
      assert.strictEqual(roman(n), text)
    })
})
`
    },
    repeats: false,
    failures: [
      [4, "IV", "IIII"],
      [5, "V", "IIIII"],
      [6, "VI", "IIIIII"],
      [9, "IX", "IIIIIIIII"],
      [10, "X", "IIIIIIIIII"],
      [40, "XL", "I".repeat(40)],
      [50, "L", "I".repeat(50)],
      [90, "XC", "I".repeat(90)]
    ].map(([n, expected, received]) => ({
      test: `writes ${n}`,
      places: ["test/roman.spec.cjs:7", "test/roman.spec.cjs:8"],
      expected: String(expected),
      received: String(received)
    }))
  }
]
