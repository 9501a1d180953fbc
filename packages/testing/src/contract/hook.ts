/** The installed hook of a host contract's case: where it is, and what a case does to it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { orFault } from "./HostContract.ts"
import { appears } from "./files.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import type { World } from "./model.ts"

/**
 * The folder of the installed hook.
 *
 * @category accessors
 */
export const folder = (world: World) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const parent = path.join(world.data, "hooks", world.host.name)
    const [id = "missing"] = yield* fs.readDirectory(parent)
    return path.join(parent, id)
  }).pipe(orFault("the hook is not installed"))

/**
 * The number of a process that was, and is no more.
 *
 * @category accessors
 */
export const deadProcess = ({ sandbox }: World) =>
  Effect.map(Sandbox.execute(sandbox, "sh", "-c", "echo $$"), (text) => text.trim()).pipe(
    orFault("no process could be started")
  )

/** Puts a program before the installed hook's own; it runs at stops alone. */
const wrapped = (world: World, atStop: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const place = yield* folder(world)
    yield* fs.rename(path.join(place, "hook.cjs"), path.join(place, "hook-own.cjs"))
    const lines = [
      `const fs = require("node:fs")`,
      `if (process.argv[2] === "Stop" || process.argv[2] === "StopNow") { ${atStop} }`,
      `require("./hook-own.cjs")`
    ]
    yield* fs.writeFileString(path.join(place, "hook.cjs"), lines.join("\n"))
  }).pipe(orFault("the hook could not be wrapped"))

/**
 * Keeps stops waiting while `held` is there: `began` appears at the first, and `release` lets them all go on.
 *
 * @category combinators
 */
export const holdStops = (world: World) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const began = path.join(world.sandbox.root, "stop-began")
    const held = path.join(world.sandbox.root, "stop-held")
    yield* orFault("the stop could not be held")(fs.writeFileString(held, ""))
    const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)"
    const [first, last] = [JSON.stringify(began), JSON.stringify(held)]
    yield* wrapped(world, `fs.writeFileSync(${first}, ""); while (fs.existsSync(${last})) ${wait}`)
    return { began: appears(began), release: orFault("the stop could not be released")(fs.remove(held)) }
  })

/**
 * Every stop's judge fails until `repair`: it asks for the time, and who asks first for a time that is not the record's gets none.
 *
 * @category combinators
 */
export const failJudges = (world: World) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const failing = `${world.sandbox.root}/judge-fails`
    yield* orFault("the judge could not be made to fail")(fs.writeFileString(failing, ""))
    const lines = [
      `const [began, real] = [Date.now(), Date.prototype.toISOString]`,
      `Date.prototype.toISOString = function () {`,
      `  if (this.getTime() < began) return real.call(this)`,
      `  Date.prototype.toISOString = real`,
      `  throw new Error("there is no time")`,
      `}`
    ]
    yield* wrapped(world, `if (fs.existsSync(${JSON.stringify(failing)})) { ${lines.join("\n")} }`)
    return { repair: orFault("the judge could not be repaired")(fs.remove(failing)) }
  })

/** The file with the user's own hooks, in the one form that all hosts share. */
const settingsFile = ({ host, sandbox }: World): string => {
  const name = Object.keys(host.settings).find((file) => file.endsWith(".json")) ?? "hooks.json"
  return `${sandbox.home}/${name}`
}

/**
 * Keeps the host's compactions waiting in a hook of the user's own: `began` appears at the first, and `release` lets them
 * all go on. To be called before a session begins.
 *
 * @category combinators
 */
export const holdCompactions = (world: World) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const [began, held] = [`${world.sandbox.root}/compaction-began`, `${world.sandbox.root}/compaction-held`]
    yield* fs.writeFileString(held, "")
    const file = settingsFile(world)
    const settings = JSON.parse(yield* fs.readFileString(file))
    const command = `touch ${began}; while [ -e ${held} ]; do sleep 0.05; done`
    settings.hooks.PreCompact = [{ hooks: [{ type: "command", command, timeout: 60 }] }]
    yield* fs.writeFileString(file, JSON.stringify(settings))
    return { began: appears(began), release: orFault("the compaction could not be released")(fs.remove(held)) }
  }).pipe(orFault("the compaction could not be held"))

/**
 * Every stop's hook ends as one does that is killed.
 *
 * @category combinators
 */
export const killStops = (world: World) => wrapped(world, `process.kill(process.pid, "SIGKILL")`)
