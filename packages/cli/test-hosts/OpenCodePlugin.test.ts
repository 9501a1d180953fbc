import { assert, describe } from "@effect/vitest"
import { HostBinaries, HostContractWorld as World, OpenCodeContract, Sandbox } from "@reflexion/testing"
import * as Files from "@reflexion/testing/contract/files"
import { green, fixed, otherTask, rework, runTests, task, untested } from "@reflexion/testing/contract/HostContractTask"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as Registry from "./support/registry.ts"
import { live } from "../../testing/test-hosts/support/live.ts"

const { host } = OpenCodeContract

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const tested = [[runTests], [green]]

const first = { prompt: task, model: [...untested, ...tested] }

const configFile = ({ sandbox }: World.World): string => `${sandbox.home}/.config/opencode/opencode.json`

const withPlugin = (spec: string): string =>
  `${JSON.stringify({ $schema: "https://opencode.ai/config.json", plugin: [spec] }, null, 2)}\n`

/** A turn that is nudged once, and reviewed again. */
const nudged = (world: World.World, { model, prompt } = first, env: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const outcome = yield* World.play(world, { model, env, prompts: [prompt] })
    assert.deepStrictEqual(outcome.nudges, ["1/3"])
    assert.deepStrictEqual(World.kinds(outcome), ["nudge", "notice"])
  })

const doctor = ({ sandbox }: World.World) =>
  Effect.flatMap(HostBinaries.openCodeBinary, (binary) =>
    Sandbox.execute(sandbox, "env", `OPENCODE_BIN=${binary}`, process.execPath, World.bin, "doctor", host.name)
  )

describe("OpenCode with the plugin", () => {
  live("installs the package by name from a registry, and does not need the registry again", function* () {
    const world = yield* World.bare(host)
    const registry = yield* Registry.serve(fileURLToPath(new URL("../../opencode", import.meta.url)))
    yield* Files.write({ [configFile(world)]: withPlugin("@reflexion/opencode") })
    yield* nudged(world, first, { npm_config_registry: registry.url })
    const archives = registry.asked.filter((path) => path.endsWith(".tgz"))
    assert.deepStrictEqual(archives, ["/@reflexion/opencode/-/package.tgz"])

    const again = yield* World.reflexion(world, "install", host.name)
    assert.include(bare(again), "names the package @reflexion/opencode, which OpenCode downloads itself")
    assert.strictEqual(yield* Files.textOf(configFile(world)), withPlugin("@reflexion/opencode"))
    assert.include(bare(yield* doctor(world)), "(all your projects), as the package @reflexion/opencode")

    yield* nudged(world, { prompt: otherTask, model: [[rework(2)], [fixed], ...tested] })
  })

  live("loads the installed copy, and no longer after uninstalling", function* () {
    const world = yield* World.bare(host)
    yield* World.reflexion(world, "install", host.name)
    assert.include(yield* Files.textOf(configFile(world)), `"file://${world.data}/hooks/opencode/`)
    const before = yield* doctor(world)
    assert.match(before, /binary +\d+\.\d+\.\d+/)
    assert.include(bare(before), "loaded and started, and printed nothing")
    assert.include(before, "All is well.")

    const text = yield* Files.textOf(configFile(world))
    yield* nudged(world)
    assert.strictEqual(yield* Files.textOf(configFile(world)), text)
    assert.include(bare(yield* doctor(world)), "no failure in the last 2 decisions")

    yield* World.reflexion(world, "uninstall", host.name)
    assert.isNull(yield* Files.textOf(configFile(world)))
    const silent = yield* World.play(world, { model: untested, prompts: [task] })
    assert.strictEqual(silent.requests, 2)
    assert.lengthOf(silent.decisions, 0)
  })
})
