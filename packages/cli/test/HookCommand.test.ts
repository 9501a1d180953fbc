import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { execFileSync } from "node:child_process"
import { join, normalize } from "node:path"
import * as HookCommand from "../src/install/HookCommand.ts"

describe("HookCommand", () => {
  it("is read back as it was written, whatever is in a path", () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\0\n]/u.test(text))
    fc.assert(
      fc.property(name, name, (one, other) => {
        const folder = normalize(`/home/${other}/hooks`)
        const given = { node: normalize(`/opt/${one}/node`), hook: join(folder, "codex/1/hook.cjs"), event: "Stop" }
        assert.deepStrictEqual(HookCommand.parse(HookCommand.render(given), folder), given)
      })
    )
  })

  it("means to a shell what it says", () => {
    const hook = '/a "b" $HOME `c` \\d\'/hook.cjs'
    const command = HookCommand.render({ node: "printf", hook, event: "Stop" })
    assert.strictEqual(
      execFileSync("/bin/sh", ["-c", command.replace('"printf"', "printf '%s|'")], { encoding: "utf8" }),
      `${hook}|Stop|`
    )
  })

  it.each([
    ['"/n/node" "/d/hooks/codex/1/hook.cjs" Stop', true],
    ['"/n/node" "/d/hooks/claude-code/0.1.0-rc.1+b-116a2257/hook.cjs" SubagentStop', true],
    ["/n/node /d/hooks/codex/1/hook.cjs Stop", false],
    ["'/n/node' '/d/hooks/codex/1/hook.cjs' Stop", false],
    ['REFLEXION_DEBUG=1 "/n/node" "/d/hooks/codex/1/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/1/hook.cjs" Stop; say done', false],
    ['"/n/node" "/d/hooks/codex/1/hook.cjs" Stop\n', false],
    ['"/n/node" "/d/hooks/codex/1/hook.cjs" Nothing', false],
    ['"/n/node" "/d/hooks/codex/1/hook.cjs"', false],
    ['"node" "/d/hooks/codex/1/hook.cjs" Stop', false],
    ['"/n/../n/node" "/d/hooks/codex/1/hook.cjs" Stop', false],
    ['"/n/$HOME/node" "/d/hooks/codex/1/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/../codex/1/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/../hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/../../a/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/1/more/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/emacs/1/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks-of-mine/codex/1/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/1/other.cjs" Stop', false],
    ["", false]
  ])("is ours to the letter or not at all: %j", (command, expected) => {
    assert.strictEqual(HookCommand.parse(command, "/d/hooks") !== null, expected)
  })

  it("a character more anywhere makes it another command", () => {
    const ours = '"/n/node" "/d/hooks/codex/1/hook.cjs" Stop'
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 4, unit: "binary" }), fc.nat(ours.length), (odd, at) => {
        const command = ours.slice(0, at) + odd + ours.slice(at)
        const parsed = HookCommand.parse(command, "/d/hooks")
        assert.isTrue(parsed === null || HookCommand.render(parsed) === command)
      }),
      { numRuns: 200 }
    )
  })

  it.each([
    ["REFLEXION_DEBUG=1 /n/node /d/hooks/codex/1/hook.cjs Stop", true],
    ['nice "/n/node" "/d/hooks/codex/1/hook.cjs" Stop; notify-send', true],
    ["x # '/d/hooks/../a/hook.cjs'", true],
    ['"/n/node" "/d/hooks/codex/1/hook.cjs" Stop', false],
    ['echo "see /d/hooks/codex/1/hook.cjs"', false],
    ["say done", false],
    ["", false]
  ])("knows a wrapper of somebody else's: %j", (command, expected) => {
    assert.strictEqual(HookCommand.wraps(command, "/d/hooks"), expected)
  })
})
