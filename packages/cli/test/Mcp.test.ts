import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder } from "./runCli.ts"
import { live } from "../../core/test/support/works.ts"

const program = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

const recording = (name: string) =>
  fileURLToPath(new URL(`../../testing/recordings/claude-code/${name}.jsonl`, import.meta.url))

/** A client of the built program, in a project with an empty home. */
const served = Effect.gen(function* () {
  const home = yield* folder({ "shop/package.json": "{}", "shop/.git/HEAD": "ref: refs/heads/main\n" })
  const cwd = join(home, "shop")
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" }
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], cwd, env })
  const client = new Client({ name: "test", version: "1" })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect(transport)),
    () => Effect.promise(() => client.close())
  )
  const call = (name: string, input: Record<string, unknown> = {}) =>
    Effect.map(
      Effect.promise(() => client.callTool({ name, arguments: input })),
      ({ content, isError }) => ({ isError, text: JSON.stringify(content) })
    )
  return { call, client, cwd }
})

describe.concurrent("reflexion mcp", () => {
  live("offers four tools, and only reflect writes", function* () {
    const { client } = yield* served
    const { tools } = yield* Effect.promise(() => client.listTools())
    const offered = tools.map(({ annotations, inputSchema: { properties, required = [] }, name }) => {
      const inputs = Object.keys(properties ?? {}).map((input) => `${input}${required.includes(input) ? "!" : ""}`)
      return `${name} ${annotations?.readOnlyHint}: ${inputs.join(" ")}`
    })
    assert.deepStrictEqual(offered, [
      "judge true: session",
      "stuck true: session",
      "recall true: query taskId limit",
      "reflect false: taskId! subtaskId failureType! errorOutput! analysis suggestion"
    ])
  })

  live("judges a session, says whether it is stuck, and writes nothing", function* () {
    const { call, cwd } = yield* served
    const judged = yield* call("judge", { session: recording("claim-contradicted") })
    assert.isFalse(judged.isError)
    assert.include(judged.text, String.raw`\"status\": \"incomplete\"`)
    const stuck = yield* call("stuck", { session: recording("claim-contradicted") })
    assert.include(stuck.text, String.raw`\"stuck\": true`)
    const none = yield* call("judge")
    assert.isTrue(none.isError)
    assert.include(none.text, "no session")
    assert.isFalse(existsSync(join(cwd, ".reflection")))
  })

  live("keeps the agent's own words as a lesson, without secrets, and recalls them", function* () {
    const { call, cwd } = yield* served
    const failure = { taskId: "t1", failureType: "test_failure", errorOutput: "1 failed: rounds half up" }
    const secret = ["sk", "ant", "api03", "a1B2c3D4".repeat(8)].join("-")
    const analysis = `The total was rounded before the discount, with ${secret}.`
    const kept = yield* call("reflect", { ...failure, analysis, suggestion: "Round once, at the end." })
    assert.isFalse(kept.isError)
    assert.include(kept.text, "1 lesson added")
    assert.notInclude(readFileSync(join(cwd, ".reflection", "reflections.jsonl"), "utf8"), secret)
    const { text } = yield* call("recall", { taskId: "t1" })
    assert.include(text, "rounded before the discount")
    assert.include(text, "Round once, at the end.")
  })

  live("names the input that is wrong, and a tool that does not exist", function* () {
    const { call, cwd } = yield* served
    const said = [
      yield* call("recall", { limit: 0 }),
      yield* call("reflect", { taskId: "t", failureType: "bad luck", errorOutput: "" }),
      yield* call("judge", { file: "a" }),
      yield* call("judge", { session: "missing.jsonl" }),
      yield* call("stuck", { session: "/dev/zero" }),
      yield* call("forget")
    ]
    assert.deepStrictEqual([...new Set(said.map(({ isError }) => isError))], [true])
    const parts = ["limit: Expected a number between 1 and 100", "failureType: Expected", "file: is unexpected"]
    for (const [at, part] of [...parts, "missing.jsonl", "not a regular file", "there is no tool forget"].entries())
      assert.include(said[at]?.text, part)
    assert.isFalse(existsSync(join(cwd, ".reflection")))
  })
})
