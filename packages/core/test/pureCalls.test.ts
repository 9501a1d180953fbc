import { assert, describe, it } from "@effect/vitest"
import { markedText, withoutExamples } from "../../../scripts/bundlerPureCalls.mjs"

describe("what the bundler is told has no effect", () => {
  it.each([
    ["const a = f(1)", "const a = /* @__PURE__ */ f(1)"],
    ["const a = f(g())", "const a = /* @__PURE__ */ f(/* @__PURE__ */ g())"],
    ["const a = f(...b)", "const a = /* @__PURE__ */ (() => (f(...b)))()"],
    ["const a = f(b.c)", "const a = /* @__PURE__ */ (() => (f(b.c)))()"],
    ['import * as b from "b"\nconst a = f(b.c)', 'import * as b from "b"\nconst a = /* @__PURE__ */ f(b.c)'],
    ["class A extends f()<A>() {}", "class A extends /* @__PURE__ */ f()<A>() {}"],
    ["class A { static b = f() }", "class A { static b = /* @__PURE__ */ f() }"]
  ])("is what %j makes while it loads", (text, marked) => {
    assert.strictEqual(markedText(text), marked)
  })

  it.each([
    "const a = () => f()",
    "f()",
    "class A { b = f() }",
    "function a() { return f() }",
    "for (const a of b) f(a)"
  ])("is not what %j does", (text) => {
    assert.strictEqual(markedText(text), text)
  })
})

describe("a row in a bundle", () => {
  const importing = 'import { row } from "../../ground/text/Rows.ts"\n'

  it("has no examples", () => {
    const text = `${importing}const a = row("b|c", /b|c/i, "b it", 'not "d"', "de")`
    assert.strictEqual(withoutExamples(text), `${importing}const a = row("b|c", /b|c/i, "", "", "de")`)
  })

  it("of another kind keeps what is no example", () => {
    const text = `${importing}const a = gateRow("ci", "b", /b/, "b", "c")`
    assert.strictEqual(withoutExamples(text), `${importing}const a = gateRow("ci", "b", /b/, "", "")`)
  })

  it.each([
    'const a = row("b", /b/, "b", "c")',
    `${importing}const a = arrow("b", /b/, "b", "c")`,
    `${importing}const a = row("b", /b/, c, d)`
  ])("is not what %j has", (text) => {
    assert.strictEqual(withoutExamples(text), text)
  })
})
