import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as DoneWhen from "../../src/session/donewhen/DoneWhen.ts"
import { maxItems, maxText } from "../../src/session/donewhen/model.ts"
import { list, pairs } from "../support/rows.ts"

const read = (text: string) => DoneWhen.conditions(text).map(({ command, text }) => [text, command])

describe("conditions for being done", () => {
  it("each line or list item is one condition, without marks and headings", () => {
    const text = `# Done when

- the README names the flag
* [ ] \`npm test\` passes
1. old sessions
   can still be read
2) $ npm run e2e -- --ci
`
    assert.deepStrictEqual(read(text), [
      ["the README names the flag", null],
      ["`npm test` passes", "npm test"],
      ["old sessions can still be read", null],
      ["npm run e2e -- --ci", "npm run e2e -- --ci"]
    ])
  })

  it("semicolons separate conditions in one line, but not within a command", () => {
    const both = [
      ["`npm test` passes", "npm test"],
      ["the docs say so", null]
    ]
    assert.deepStrictEqual(read("`npm test` passes; the docs say so"), both)
    assert.deepStrictEqual(read("$ cd pkg; npm test"), [["cd pkg; npm test", "cd pkg; npm test"]])
    assert.deepStrictEqual(read("run `cd pkg; npm test`"), [["run `cd pkg; npm test`", "cd pkg; npm test"]])
    assert.deepStrictEqual(read("It is done when:\n- the page loads"), [["the page loads", null]])
  })

  const commands = pairs`
    \`pytest\` passes :: pytest ¦ \`cargo test --workspace\` must pass :: cargo test --workspace ¦ \`go vet ./...\` exits 0 :: go vet ./...
    \`make lint\` exits with status 0 :: make lint ¦ \`npm run build\` succeeds without warnings :: npm run build ¦ \`./check.sh\` returns 0 :: ./check.sh
    \`CI=1 npm test\` is green :: CI=1 npm test ¦ \`tsc --noEmit\` reports no errors :: tsc --noEmit ¦ verified by running \`make e2e\` :: make e2e
    \`mvn verify\` runs clean on Java 21 :: mvn verify
  `

  for (const [text, command] of commands)
    it(`the command is found in: ${text}`, () => assert.deepStrictEqual(read(text), [[text, command]]))

  const names = list`
    \`total()\` passes the id on ¦ \`Cart\` is gone ¦ the \`total\` of the cart is right ¦ \`npm test\` fails without the patch
    \`npm test\` does not pass any more ¦ \`timeout\` works ¦ \`parse(text)\` returns 0 for an empty text ¦ nobody runs \`rm -rf dist\` not even CI
    the docs mention \`npm run e2e\` ¦ \`retries\` is 3
  `

  for (const text of names)
    it(`no command is found in: ${text}`, () => assert.deepStrictEqual(read(text), [[text, null]]))

  it("conditions are few, short, unique and never without words", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("- a", "```", "# b", "$ npm test", "`make` passes", "  c", ""))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const items = DoneWhen.parse(lines.join("\n"))
        assert.isAtMost(items.length, maxItems)
        assert.strictEqual(new Set(items.map(({ text }) => text)).size, items.length)
        for (const [at, item] of items.entries()) {
          assert.strictEqual(item.id, `d${at + 1}`)
          assert.isAtMost(item.text.length, maxText)
          assert.notInclude(item.text, "\n")
          assert.match(item.text, /[\p{L}\p{N}]/u)
        }
      })
    )
  })

  it("long texts are read in linear time", () => {
    for (const part of ["` ", "- ", "a`b ", "`npm test` ", ";", "run `", "$ "]) {
      // A quadratic scan would reach the test's time limit.
      assert.isAtMost(DoneWhen.parse(part.repeat(40_000)).length, maxItems, part)
    }
  })
})
