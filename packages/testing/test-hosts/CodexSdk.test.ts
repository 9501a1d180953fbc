import { Command, FileSystem, Path } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Schedule, Stream } from "effect"
import { codexHome } from "../src/hosts/CodexContract.ts"
import { script } from "../src/hosts/codexMoves.ts"
import { codexBinary } from "../src/sandbox/HostBinaries.ts"
import { HostFault, say } from "../src/contract/HostContract.ts"
import { green, fix, runTests, task } from "../src/contract/HostContractTask.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ScriptedResponses from "../src/servers/ScriptedResponses.ts"
import { broken } from "../src/sandbox/ShopProject.ts"
import { CompiledExamples, exampleFile } from "./support/examples.ts"

const config = (url: string) =>
  [
    `model = "gpt-5.5"`,
    `model_provider = "scripted"`,
    `model_providers.scripted = { name = "scripted", base_url = "${url}/v1", wire_api = "responses", env_key = "SCRIPTED_API_KEY", request_max_retries = 0, stream_max_retries = 0, supports_websockets = false }`,
    `sandbox_mode = "danger-full-access"`,
    "check_for_update_on_startup = false",
    "analytics.enabled = false"
  ].join("\n")

/** A `codex` for the PATH that says which process it is. */
const traced = (binary: string) => `#!/bin/sh
echo $$ > "$HOME/codex.pid"
exec '${binary}' "$@"
`

const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

/** Starts the loop in the shop. */
const start = Effect.fnUntraced(function* (
  script: ScriptedResponses.Script,
  options: { readonly codex?: "of the user" } = {}
) {
  const fs = yield* FileSystem.FileSystem
  const binary = yield* codexBinary
  const sandbox = yield* Sandbox.make({ name: "shop", project: broken, tools: { codex: traced(binary) } })
  const { requests, url } = yield* ScriptedResponses.make(script)
  const env = {
    ...(options.codex === "of the user" ? {} : { CODEX_PATH: binary }),
    CODEX_CONFIG: config(url),
    CODEX_HOME: codexHome(sandbox),
    SCRIPTED_API_KEY: "test"
  }
  yield* fs.makeDirectory(env.CODEX_HOME)
  const loop = yield* Command.start(Sandbox.command(sandbox, env, [process.execPath, exampleFile("codex-loop"), task]))
  const ended = Effect.all(
    {
      output: Stream.mkString(Stream.decodeText(loop.stdout)),
      errors: Stream.mkString(Stream.decodeText(loop.stderr)),
      exitCode: loop.exitCode
    },
    { concurrency: "unbounded" }
  )
  return { pid: loop.pid, ended, requests, sandbox }
})

const claim = say("Done: `discounted` in `src/cart.js` takes a percentage of the total now, and the tests pass.")

/** What the loop decided, stop by stop. */
const decisions = (output: string) => [...output.matchAll(/^decision: ([^:\n]+):/gm)].map(([, decision]) => decision)

const notices = (output: string) => output.split("\n").filter((text) => text.startsWith("reflexion: "))

const within = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.timeoutFail(effect, { duration: "20 seconds", onTimeout: () => new HostFault({ detail: what }) })

layer(CompiledExamples, { timeout: "2 minutes", excludeTestServices: true })("the loop over the Codex SDK", (it) => {
  it.scoped("nudges an agent that ran no tests once, and lets it stop when they are green", () =>
    Effect.gen(function* () {
      const { ended, requests, sandbox } = yield* start(script([[fix], [claim], [runTests], [green]]))
      const { errors, exitCode, output } = yield* ended
      assert.deepStrictEqual([errors, exitCode], ["", 0])
      assert.deepStrictEqual(decisions(output), ["nudge (incomplete)", "notice (complete)"])
      assert.match(output, /^reflexion nudged the agent to continue \(1 of 3\): .*tests/m)
      assert.match(notices(output).join(), /^reflexion: done, after nudging the agent once: .*tests/)
      const prompts = (yield* requests).map(({ lastUser }) => lastUser)
      assert.strictEqual(prompts.length, 4)
      assert.include(prompts[1], task)
      assert.include(prompts[2], "[reflexion 1/3]")
      const path = yield* Path.Path
      const fs = yield* FileSystem.FileSystem
      assert.isTrue(yield* fs.exists(path.join(sandbox.workspace, ".reflection")))
    })
  )

  it.scoped("ends the agent with the loop, and judges no turn that was aborted", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const slow: ScriptedResponses.Script = {
        turns: [{ content: [claim], delay: "5 minutes" }],
        before: () => Effect.asVoid(Deferred.succeed(asked, undefined))
      }
      const { ended, pid, requests, sandbox } = yield* start(slow, { codex: "of the user" })
      const ending = yield* Effect.fork(ended)
      yield* Deferred.await(asked)
      // The signal goes only to the loop, which itself must end the agent.
      yield* Effect.sync(() => process.kill(pid, "SIGINT"))
      const { errors, exitCode, output } = yield* within("the loop did not end", ending)
      assert.deepStrictEqual([errors, output, exitCode], ["", "", 130])
      assert.strictEqual((yield* requests).length, 1)
      const fs = yield* FileSystem.FileSystem
      const agent = Number(yield* fs.readFileString(`${sandbox.home}/codex.pid`))
      const gone = Effect.repeat(
        Effect.sync(() => isGone(agent)),
        { until: (it) => it, schedule: Schedule.spaced("20 millis") }
      )
      yield* within("the agent did not end", gone)
    })
  )
})
