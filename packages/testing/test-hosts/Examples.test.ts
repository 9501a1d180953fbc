import { Command, FileSystem, Path } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { say } from "../src/servers/ModelScript.ts"
import * as Recordings from "../src/scenarios/Recordings.ts"
import * as ScriptedAnthropic from "../src/servers/ScriptedAnthropic.ts"
import { CompiledExamples, exampleFile } from "./support/examples.ts"

const run = Effect.fnUntraced(function* (
  name: string,
  argument: string,
  env: Readonly<Record<string, string | undefined>>
) {
  const example = yield* Command.start(Command.env(Command.make(process.execPath, exampleFile(name), argument), env))
  return yield* Effect.all(
    {
      output: Stream.mkString(Stream.decodeText(example.stdout)),
      errors: Stream.mkString(Stream.decodeText(example.stderr)),
      exitCode: example.exitCode
    },
    { concurrency: "unbounded" }
  )
}, Effect.scoped)

const recorded = Effect.fnUntraced(function* (host: Recordings.Host, name: string) {
  const path = yield* Path.Path
  return path.join(Recordings.folder(host), `${name}.jsonl`)
})

const unable = { turns: [], rules: [{ name: "model", when: () => true, replies: [say("I cannot tell.")] as const }] }

layer(CompiledExamples, { timeout: "2 minutes", excludeTestServices: true })("an example", (it) => {
  it.effect("judges a session of Claude Code and prints what the agent would be told", () =>
    Effect.gen(function* () {
      const { errors, exitCode, output } = yield* run(
        "judge-session",
        yield* recorded("claude-code", "tests-before-edit"),
        {}
      )
      assert.deepStrictEqual([errors, exitCode], ["", 0])
      assert.match(output, /^incomplete: .*tests/)
      assert.include(output, "[reflexion 1/3]")
    })
  )

  it.scoped("asks a model about stops of work, and keeps evidence's verdict if it cannot tell", () =>
    Effect.gen(function* () {
      const { url } = yield* ScriptedAnthropic.make(unable)
      const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: url }
      const decided = yield* run("judge-with-model", yield* recorded("codex", "fixed-and-tested"), env)
      assert.deepStrictEqual([decided.errors, decided.exitCode], ["", 0])
      assert.match(decided.output, /^complete \(by evidence; model calls: 2\): .*tests passed/m)
    })
  )

  it.scoped("learns from its tests' output, and remembers the lessons in the next run", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const memory = `${yield* fs.makeTempDirectoryScoped()}/reflections.jsonl`
      const first = yield* run("retry-loop", memory, {})
      assert.deepStrictEqual([first.errors, first.exitCode], ["", 0])
      const attempts = first.output.split(/^Attempt \d+$/m).slice(1)
      assert.strictEqual(attempts.length, 3)
      const [blank = "", told = "", toldMore = ""] = attempts
      assert.strictEqual(blank.trim(), "")
      assert.include(told, '"takes ten percent off 100 and more"')
      assert.match(told, /expected: 90\s+actual: 100/)
      for (const test of ["takes nothing off less", "takes ten percent off 100 and more"])
        assert.include(toldMore, `"${test}"`)
      assert.match(toldMore, /expected: 50\s+actual: 45/)
      assert.match(toldMore, /The tests pass\.\s*$/)
      const again = yield* run("retry-loop", memory, {})
      assert.deepStrictEqual([again.errors, again.exitCode], ["", 0])
      assert.deepStrictEqual(again.output.match(/^Attempt \d+$/gm), ["Attempt 3"])
    })
  )

  it.scoped("pauses a fleet's broken task, explains the failure and proposes a change", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const { errors, exitCode, output } = yield* run("fleet-cycle", folder, {})
      assert.deepStrictEqual([errors, exitCode], ["", 0])
      assert.match(output, /^paused prices: Task prices .* failed 3 times in a row/m)
      assert.notMatch(output, /^paused (?:backup|report)/m)
      const [, after = ""] = output.split("What was found:")
      const found = [...after.matchAll(/^(\w+) \(([^)]+)\): /gm)].map(([, rule, subject]) => `${rule} ${subject}`)
      assert.includeMembers(found, ["consecutive_failures prices"])
      assert.notMatch(after, /\((?:backup|report|skills\/backup|skills\/report)/)
      const [proposal = ""] = yield* fs.readDirectory(`${folder}/.reflection/proposals`)
      assert.include(after, `Proposed in ${proposal}`)
      const text = yield* fs.readFileString(`${folder}/.reflection/proposals/${proposal}`)
      assert.include(text, "# A change of skills/prices.md")
    })
  )
})
