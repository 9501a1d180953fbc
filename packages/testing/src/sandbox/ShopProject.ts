/** A small shop in JavaScript with real tests. The recorded sessions work on it. */
import type { Project } from "./Sandbox.ts"

const manifest = `{
  "name": "shop",
  "version": "1.4.0",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "node scripts/build.mjs",
    "import": "node scripts/import-catalogue.mjs",
    "test": "node --test"
  }
}
`

const cart = `/** The price of all items, in cents. */
export const total = (items) => items.reduce((sum, item) => sum + item.price * item.quantity, 0)

/** The total after a discount in percent, in whole cents. */
export const discounted = (items, percent) => Math.round(total(items) - percent)
`

const cartTest = `import assert from "node:assert/strict"
import { test } from "node:test"
import { discounted, total } from "../src/cart.js"

const items = [
  { name: "mug", price: 1250, quantity: 2 },
  { name: "poster", price: 2500, quantity: 1 }
]

test("adds up prices times quantities", () => {
  assert.equal(total(items), 5000)
})

test("takes ten percent off", () => {
  assert.equal(discounted(items, 10), 4500)
})

test("leaves an empty cart alone", () => {
  assert.equal(discounted([], 0), 0)
})
`

const orders = `import { discounted } from "./cart.js"

const orders = new Map()

/** Places an order and returns its number. */
export const placeOrder = (customer, items, percent = 0) => {
  const number = orders.size + 1
  orders.set(number, { customer, items, price: discounted(items, percent) })
  return number
}

export const findOrder = (number) => orders.get(number)
`

const build = `import { cpSync, rmSync } from "node:fs"

rmSync("dist", { recursive: true, force: true })
cpSync("src", "dist", { recursive: true })
console.log("built dist/")
`

const importCatalogue = `const pages = Number(process.argv[2] ?? 40)
for (let page = 1; page <= pages; page += 1) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  console.log(\`page \${page} of \${pages}\`)
}
console.log("imported")
`

const readme = `# shop

Carts, discounts and orders. Prices are whole cents. Run the tests with \`npm test\`.
`

/** A defect subtracts the discount as an amount instead of a percentage, so one of the three tests fails. */
export const broken: Project = {
  ".gitignore": "node_modules\ndist\n",
  "README.md": readme,
  "package.json": manifest,
  "scripts/build.mjs": build,
  "scripts/import-catalogue.mjs": importCatalogue,
  "src/cart.js": cart,
  "src/orders.js": orders,
  "test/cart.test.js": cartTest
}

export const defect = {
  before: "Math.round(total(items) - percent)",
  after: "Math.round(total(items) * (1 - percent / 100))"
}

export const sound: Project = { ...broken, "src/cart.js": cart.replace(defect.before, defect.after) }
