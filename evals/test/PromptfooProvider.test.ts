import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { assertion, Provider, tests, variable } from "../src/model/PromptfooProvider.ts"
import * as ScriptedServer from "../src/model/ScriptedServer.ts"

const done = JSON.stringify({ status: "complete", confidence: 0.95, remaining_work: [], next_steps: [] })

const unasked = (host: string) => `${host} is not asked: a run with a model reaches nobody else`

describe("promptfoo's custom provider", () => {
  it("puts a test's question to the model that the run names, by its interface", async () => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-provider-"))
    const server = await ScriptedServer.start([], { text: done })
    try {
      const file = Path.join(folder, "config.json")
      Fs.writeFileSync(
        file,
        JSON.stringify({ models: { providers: { scripted: { api: "chat-completions", url: server.url } } } })
      )
      const argv = ["--model", "scripted/large", "--config", file, "--suite", "cases", "--case", "chinese/answer"]
      const env = { [variable]: JSON.stringify([...argv, "--price", "3/15"]) }
      const [first, ...others] = tests(env)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(first?.vars, { suite: "cases", id: "chinese/answer" })
      const provider = new Provider(env)
      const answer = await provider.callApi("cases: chinese/answer", { vars: first?.vars ?? {}, repeatIndex: 1 })
      assert.strictEqual(provider.id(), "reflexion:scripted/large")
      assert.isTrue(assertion(answer.output).pass)
      assert.strictEqual(JSON.parse(answer.output).repeat, 1)
      assert.deepStrictEqual(answer.tokenUsage, { total: 1100, prompt: 1000, completion: 100, numRequests: 1 })
      assert.closeTo(answer.cost ?? 0, 0.0045, 1e-9)
      const strange = await provider.callApi("", { vars: { suite: "cases", id: "none" } }).then(
        () => "answered",
        (error: unknown) => String(error)
      )
      assert.include(strange, "there is no question")
      assert.strictEqual(server.asked.get(""), 1)
      await provider.close()
    } finally {
      await server.close()
      Fs.rmSync(folder, { recursive: true, force: true })
    }
  })

  it("says how a run is started where promptfoo was started without one", () => {
    assert.throws(() => tests({}), /npm run eval -- --model PROVIDER\/MODEL --promptfoo/)
  })

  it("lets promptfoo find its makers' hosts no more, and others still", () => {
    const quiet = new URL("../promptfoo/quiet.mjs", import.meta.url)
    const script = `
      const dns = await import("node:dns")
      for (const host of ["r.promptfoo.app", "api.promptfoo.dev", "localhost"])
        await new Promise((done) => dns.lookup(host, (error) => done(console.log(host, error ? error.message : "found"))))
      await fetch("https://r.promptfoo.app/").catch((error) => console.log("fetch", error.cause.message))`
    const args = ["--import", quiet.href, "--input-type=module", "--eval", script]
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: fileURLToPath(new URL(".", quiet)) })
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      `r.promptfoo.app ${unasked("r.promptfoo.app")}`,
      `api.promptfoo.dev ${unasked("api.promptfoo.dev")}`,
      "localhost found",
      `fetch ${unasked("r.promptfoo.app")}`
    ])
  })
})
