import { assert, describe, it } from "@effect/vitest"
import { isAccount, progress, stepIn } from "../../../scripts/progress.mjs"

/** All that is written to a terminal, or to what is none. */
const written = (isTTY: boolean, columns = 60) => {
  const out: Array<string> = []
  const shown = progress({ isTTY, columns, write: (text) => out.push(text) }, "setup:   ", () => 0)
  shown.say("core")
  shown.say("a \u001b[31mlong\u0007 name ".repeat(20))
  shown.end()
  return out
}

describe("what setup shows of a long step", () => {
  it("is one line on a terminal, within its width, which is gone in the end", () => {
    const [first, second, third, last] = written(true)
    assert.strictEqual(first, "\r\u001b[Ksetup:   0 s")
    assert.strictEqual(second, "\r\u001b[Ksetup:   0 s, core")
    assert.isAtMost(third?.slice("\r\u001b[K".length).length ?? 0, 59)
    assert.notMatch(third?.slice("\r\u001b[K".length) ?? "", /\p{Cc}/u)
    assert.strictEqual(last, "\r\u001b[K")
  })

  it("is nothing where there is no terminal", () => {
    assert.deepStrictEqual(written(false), [])
  })

  it.each([
    ["Progress: resolved 812, reused 3, downloaded 40, added 0", "43 of 812 packages here"],
    ["Progress: resolved 812, reused 3, downloaded 809, added 410, done", "410 of 812 packages installed"],
    ["[11:02:13 AM] Building project '/home/dev/reflexion/packages/core/tsconfig.json'...", "core"],
    ["11:02:13 AM - Building project '/home/dev/reflexion/packages/cli/tsconfig.json'...", "cli"],
    ["packages/core/src/a.ts(1,2): error TS2304: Cannot find name 'b'.", null]
  ])("is told by a line: %s", (line, step) => {
    assert.strictEqual(stepIn(line), step)
  })

  it.each([
    ["[11:02:13 AM] Project 'packages/core/tsconfig.json' is out of date because …", true],
    ["    * packages/core/tsconfig.json", true],
    ["packages/core/src/a.ts(1,2): error TS2304: Cannot find name 'b'.", false]
  ])("is no error: %s", (line, expected) => {
    assert.strictEqual(isAccount(line), expected)
  })
})
