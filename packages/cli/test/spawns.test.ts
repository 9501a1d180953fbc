import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const packages = fileURLToPath(new URL("../../", import.meta.url))

/** `testing` is never published, and runs hosts in a sandbox of its own. */
const sources = readdirSync(packages)
  .filter((name) => name !== "testing")
  .flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && entry.name.endsWith(".ts") ? [join(entry.parentPath, entry.name)] : []
    )
  )
  .map((file) => ({ name: relative(packages, file).split(sep).join("/"), text: readFileSync(file, "utf8") }))

/** Nothing else can start a program. */
const starts =
  /["'](?:node:)?child_process["']|["'](?:node:)?cluster["']|@effect\/platform\/Command["']|\b(?:Bun|Deno)\.(?:spawn|Command|\$)/

const isType = /^import type .*(?:child_process|Command)["'];?$/gm

/** An import of the modules that look for the user's own program. */
const resolves = /\/(?:Own)?Programs(?:\.ts)?"/

/** Modules that start a program that they are given, and why it is never a project's program. */
const given: Readonly<Record<string, string>> = {
  "core/src/checks/keeper.ts": "a shell of the system's, for the git that QuietGit found",
  "cli/src/process/Spawn.ts": "what it is given: its callers are held to it below",
  "core/src/base/system/ProcessGroup.ts":
    "the command that it is given, by modules that make one and are held to it themselves"
}

/** These modules give `Spawn.run` a path and an environment; `probe` gets both from its callers. */
const callers = [
  "cli/src/doctor/Doctor.ts",
  "cli/src/doctor/hooks.ts",
  "cli/src/doctor/probe.ts",
  "cli/src/install/Install.ts",
  "cli/src/install/nodeBinary.ts"
]

const passedOn = ["Probe.hook", "Probe.plugin"]

const literal = /(?:\b(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)|\bCommand\.make)\(\s*["'`](?!\/)/
const named = /\bprogram:\s*["'`](?!\/)/

describe("programs that the packages start", () => {
  const starting = sources.filter(({ text }) => starts.test(text.replaceAll(isType, "")))

  it("are found only by the rule that skips a project's programs", () => {
    const without = starting.filter(({ text }) => !resolves.test(text)).map(({ name }) => name)
    assert.sameMembers(without, Object.keys(given))
    assert.isAbove(starting.length, 7)
  })

  it("are never named for PATH to find", () => {
    for (const { name, text } of starting) assert.notMatch(text, literal, name)
    for (const { name, text } of sources) if (text.includes("Spawn.run(")) assert.notMatch(text, named, name)
  })

  it("are started with an environment that leads back to no project's program", () => {
    const calling = sources.filter(({ text }) => text.includes("Spawn.run("))
    assert.deepStrictEqual(calling.map(({ name }) => name).toSorted(), callers.toSorted())
    const passing = sources.filter(({ text }) => passedOn.some((call) => text.includes(`${call}(`)))
    assert.isAbove(passing.length, 1)
    for (const { name, text } of passing) assert.include(text, "Programs.environment(", name)
  })
})
