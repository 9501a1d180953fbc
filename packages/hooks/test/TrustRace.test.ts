import { assert, describe } from "@effect/vitest"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as FileSwaps from "@reflexion/testing/sandbox/FileSwaps"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { live, works } from "../../core/test/support/works.ts"
import * as OpenCodeSettings from "../src/config/OpenCodeSettings.ts"
import * as Settings from "../src/config/Settings.ts"
import * as ConfigSources from "../src/config/ConfigSources.ts"
import * as Trust from "../src/config/Trust.ts"
import { place } from "./support/bundled.ts"
import { configure, scratch, session } from "./support/session.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** Settings that count only in a trusted workspace, each with a word that says whose it is. */
const configuration = (whose: string): string =>
  JSON.stringify({
    maxAttempts: whose === "user" ? 3 : 2,
    model: `local/${whose}`,
    models: { providers: { local: { api: "chat-completions", url: `https://${whose}.example/v1`, keyEnv: "KEY" } } },
    checks: [{ name: "tests", command: `${whose} test` }],
    gates: [{ name: "e2e", command: `${whose} e2e` }]
  })

/** A project that the user trusts as it is. `own` is the user's own configuration. */
const trusted = Effect.fnUntraced(function* (own: object) {
  const scratched = yield* scratch
  const { root } = scratched
  const { directories } = scratched.hook
  const covered: ReadonlyArray<FileSwaps.SwappedFile> = [
    { file: join(root, ".reflection/config.json"), user: configuration("user"), stranger: configuration("stranger") },
    { file: join(root, ".reflection.md"), user: "Mind the user.", stranger: "Mind the stranger." },
    { file: join(root, "reflection.md"), user: "user", stranger: "stranger" }
  ]
  configure(scratched, own)
  mkdirSync(join(root, ".reflection"))
  const swaps = yield* FileSwaps.make(covered)
  swaps.put("user")
  Trust.trust(directories, Trust.Workspace.at(directories, root))
  let build = 0
  const asked = () => ({ directories, env: {}, root, build: `build-${build}` })
  const hook = Effect.sync(() => Settings.load({ ...asked(), settle: ConfigSources.settle }))
  const plugin = Effect.sync(() => OpenCodeSettings.load({ ...asked(), options: { maxAttempts: 1 } }))
  /** Another build reads the files again, because each build has its own cache. */
  const again = Effect.sync(() => {
    build += 1
  })
  const guidance = Effect.sync(
    () => Trust.Workspace.at(directories, scratched.root).guidance?.map((one) => one.trim()) ?? null
  )
  return { covered, swaps, hook, plugin, again, guidance, scratched }
})

/** Whose settings a configuration has of those that need trust. */
const givenBy = ({ config, problem }: Settings.EffectiveConfig): string => {
  assert.isNull(problem)
  const { checks, gates, maxAttempts, model, models }: ReflexionConfig = config
  const told = gates.filter(({ untrusted }) => untrusted !== true)
  const text = JSON.stringify([model, models, checks, told])
  const whose = ["user", "stranger"].filter((one) => text.includes(one))
  return [...whose, maxAttempts].join(" ")
}

const nobodys = "1"
const users = "user 3"

/** Swaps files like `FileSwaps`, but in a process of its own, before each file is opened. */
const swapping = `
const fs = require("node:fs")
const { around, files, from, looks, to } = JSON.parse(process.env.SWAPS)
const other = around === "user" ? "stranger" : "user"
const { openSync, writeFileSync } = fs
let look = 0
const put = (side) => { for (const one of files) writeFileSync(one.file, one[side].padEnd(Math.max(one.user.length, one.stranger.length))) }
put(around)
fs.openSync = (path, ...rest) => {
  if (files.some(({ file }) => file === path)) {
    put(look >= from && look < to ? other : around)
    look += 1
  }
  return openSync(path, ...rest)
}
process.on("exit", () => writeFileSync(looks, String(look)))
`

describe("files that are swapped while they are read", () => {
  for (const which of ["hook", "plugin"] as const)
    works(`give a ${which} no stranger's settings, now or from the cache`, function* () {
      const { [which]: load, again, swaps } = yield* trusted({ maxAttempts: 1 })
      const settled = (side: FileSwaps.Side) => {
        swaps.put(side)
        return Effect.map(load, givenBy)
      }
      const runs = yield* FileSwaps.everyWindow(swaps, Effect.zipRight(again, load), (found, window) =>
        Effect.gen(function* () {
          assert.include([nobodys, users], givenBy(found), window)
          assert.strictEqual(yield* settled("user"), users, window)
          assert.strictEqual(yield* settled("stranger"), nobodys, window)
        })
      )
      assert.isAbove(runs, 20)
    })

  works("give a model no stranger's guidance", function* () {
    const { guidance, swaps } = yield* trusted({})
    const all = yield* guidance
    assert.deepStrictEqual(all, ["Mind the user.", "user"])
    const runs = yield* FileSwaps.everyWindow(swaps, guidance, (found, window) =>
      Effect.sync(() => {
        if (found !== null) assert.deepStrictEqual(found, all, window)
      })
    )
    assert.isAbove(runs, 20)
  })

  live("give the published hook no stranger's settings", function* () {
    const { covered, scratched } = yield* trusted({ maxAttempts: 1 })
    const { home, root } = scratched
    place("claude-code", home)
    const preload = join(home, "preload.cjs")
    writeFileSync(preload, swapping)
    scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
    let count = 0
    const said = "Done, and all tests pass."
    /** The number of reminders that the hook would send; it notes its looks at the files in another file. */
    const stop = (around: FileSwaps.Side, from = 0, to = 0): string => {
      count += 1
      const agent = session(scratched, `s${count}`).user("Fix it and make sure that the tests pass.")
      agent.edits("src/total.js").says(said)
      const swaps = JSON.stringify({ files: covered, around, from, to, looks: join(home, "looks") })
      const payload = { session_id: `s${count}`, transcript_path: agent.file, cwd: root, permission_mode: "default" }
      const { stderr, stdout } = spawnSync(process.execPath, ["--require", preload, join(home, "hook.cjs"), "Stop"], {
        env: { HOME: home, SWAPS: swaps },
        encoding: "utf8",
        input: JSON.stringify({ ...payload, hook_event_name: "Stop", last_assistant_message: said })
      })
      assert.strictEqual(stderr, "")
      return /\[reflexion 1\/(\d)\]/.exec(stdout)?.[1] ?? "none"
    }
    const again = (): void => rmSync(join(home, ".cache", "reflexion", "config"), { recursive: true, force: true })
    for (const around of ["user", "stranger"] as const) {
      again()
      assert.strictEqual(stop(around), { user: "3", stranger: "1" }[around])
      const looks = Number(readFileSync(join(home, "looks"), "utf8"))
      assert.isAbove(looks, 0)
      for (let look = isNight ? 0 : looks >> 1; look < looks; look += isNight ? 1 : looks) {
        again()
        const window = `${around}, but for look ${look}`
        assert.include(["1", "3"], stop(around, look, look + 1), window)
        // Nothing of the swapped files stays, not even in the cache.
        assert.deepStrictEqual([stop("user"), stop("stranger")], ["3", "1"], window)
      }
    }
  })
})
