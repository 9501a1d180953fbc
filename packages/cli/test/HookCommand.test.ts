import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { execFileSync } from "node:child_process"
import * as HookCommand from "../src/HookCommand.ts"

describe("HookCommand", () => {
  it("is read back as it was written, whatever is in a path", () => {
    const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\0\n]/u.test(text))
    fc.assert(
      fc.property(name, name, (one, other) => {
        const node = `/opt/${one}/node`
        const folder = `/home/${other}/hooks`
        const command = HookCommand.render({ node, hook: `${folder}/codex/1/hook.cjs`, event: "Stop" })
        assert.deepStrictEqual(HookCommand.parse(command, folder), { node, hook: `${folder}/codex/1/hook.cjs` })
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
    ["REFLEXION_DEBUG=1 /n/node /d/hooks/codex/1/hook.cjs Stop", true],
    ["'/n/node' '/d/hooks/codex/1/hook.cjs' Stop", true],
    ['"/n/node" "/d/hooks-of-mine/hook.cjs" Stop', false],
    ['"/n/node" "/d/hooks/codex/1/other.cjs"', false],
    ['echo "see /d/hooks/codex/1/hook.cjs"', false],
    ["", false]
  ])("%s", (command, expected) => {
    assert.strictEqual(HookCommand.parse(command, "/d/hooks") !== null, expected)
  })
})
