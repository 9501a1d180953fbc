import { assert, describe, it } from "@effect/vitest"
import * as ClaudeCodePresence from "@reflexion/claude-code/ClaudeCodePresence"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "reflexion-presence-"))
const env = { CLAUDE_CONFIG_DIR: folder, CLAUDE_PID: "7", CLAUDE_CODE_SESSION_ATTENDED: "1" }

const put = (text: string): void => {
  mkdirSync(join(folder, "sessions"), { recursive: true })
  writeFileSync(join(folder, "sessions", "7.json"), text)
}

const is = (status: string, since: number, sessionId = "s"): ClaudeCodePresence.Presence => ({
  sessionId,
  status,
  since
})

describe("ClaudeCodePresence", () => {
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it("reads the status from Claude Code's session file, and attendance from the environment", () => {
    put(JSON.stringify({ pid: 7, sessionId: "s", status: "idle", statusUpdatedAt: 5, more: [1] }))
    assert.deepStrictEqual(ClaudeCodePresence.read(env), is("idle", 5))
    assert.isTrue(ClaudeCodePresence.isAtScreen(env))
    assert.isFalse(ClaudeCodePresence.isAtScreen({ ...env, CLAUDE_CODE_SESSION_ATTENDED: "0" }))
  })

  it("a broken or missing session file → no presence", () => {
    for (const text of ["", "{", "[]", '{"sessionId":1}', '{"sessionId":"s","status":"idle"}']) {
      put(text)
      assert.isNull(ClaudeCodePresence.read(env), text)
    }
    rmSync(folder, { recursive: true })
    for (const more of [{}, { CLAUDE_PID: "../7" }, { CLAUDE_PID: "7" }]) {
      const given = { CLAUDE_CONFIG_DIR: folder, CLAUDE_CODE_SESSION_ATTENDED: "1", ...more }
      assert.isNull(ClaudeCodePresence.read(given))
      assert.isFalse(ClaudeCodePresence.isAtScreen(given))
    }
  })

  const wentOn = "the user has continued in the meantime"

  it.each([
    ["lasts while nothing happens", [is("busy", 1), is("idle", 2), is("idle", 2)], [null, null, null]],
    ["ends with a prompt", [is("idle", 2), is("busy", 3)], [null, wentOn]],
    ["ends with a turn that is over already", [is("idle", 2), is("idle", 9)], [null, wentOn]],
    ["ends with a menu", [is("idle", 2), is("waiting", 3), is("idle", 4)], [null, wentOn, wentOn]],
    ["ends with another session", [is("idle", 2), is("idle", 2, "t")], [null, "the user has moved to another session"]],
    ["ends with Claude Code", [is("idle", 2), null], [null, "Claude Code has ended, or its state is unknown"]]
  ] as const)("a rest %s", (_, seen, expected) => {
    let at = 0
    const { over } = ClaudeCodePresence.rest("s", () => seen[at] ?? null)
    const said = seen.map((_one, index) => {
      at = index
      return over()
    })
    assert.deepStrictEqual(said, [...expected])
  })
})
