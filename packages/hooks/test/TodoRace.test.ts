import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import * as FS from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { place } from "./support/bundled.ts"

const contents = ["login", "parser", "cache", "store", "page", "module", "schema"].map(
  (name) => `Implement the ${name}`
)

const payload = (status: string, cwd: string): string =>
  JSON.stringify({
    session_id: "s1",
    cwd,
    prompt_id: "p1",
    hook_event_name: "PostToolUse",
    tool_name: "TodoWrite",
    tool_input: { todos: contents.map((content) => ({ content, status })) },
    tool_response: {}
  })

/** What a process of its own answers. */
const tell = (home: string, status: string): Promise<string> =>
  new Promise((done, fail) => {
    const env = { HOME: home, PATH: process.env["PATH"] }
    const child = spawn(process.execPath, [Path.join(home, "hook.cjs"), "TodoList"], { env })
    let said = ""
    child.stdout.on("data", (chunk) => (said += String(chunk)))
    child.on("error", fail)
    child.on("close", () => done(said))
    child.stdin.end(payload(status, home))
  })

/** By words that no other pattern has. */
const words = ["plan to write code yourself", "nothing of this is given", "long list", "all of it is done"]

describe("processes that tell of one todo list at the same time", () => {
  it("tell of each pattern once, and of none more often", async () => {
    const home = FS.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-todos-"))
    try {
      place("claude-code", home)
      FS.mkdirSync(Path.join(home, ".config", "reflexion"), { recursive: true })
      const config = { todos: { agents: ["main"] } }
      FS.writeFileSync(Path.join(home, ".config", "reflexion", "config.json"), JSON.stringify(config))
      const said: Array<string> = []
      for (const status of ["pending", "completed", "pending", "completed"]) {
        said.push(...(await Promise.all(Array.from({ length: 4 }, () => tell(home, status)))))
        // One that had to wait for too long told nothing; who comes later does.
        for (const again of [1, 2, 3]) said.push(await tell(home, status), String(again))
      }
      const times = words.map((one) => said.filter((text) => text.includes(one)).length)
      assert.deepStrictEqual(times, [1, 1, 1, 1])
    } finally {
      FS.rmSync(home, { recursive: true, force: true })
    }
  })
})
