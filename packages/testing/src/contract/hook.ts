/** The installed hook in a case of the host contract, and ways to change it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { orFault } from "./HostContract.ts"
import { appears, type World } from "./files.ts"

export const folder = (world: World) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const parent = path.join(world.data, "hooks", world.host.name)
    const [id = "missing"] = yield* fs.readDirectory(parent)
    return path.join(parent, id)
  }).pipe(orFault("the hook is not installed"))

/** At stops only, `atStop` runs before the installed hook. */
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

/** `began` completes when the first stop waits, and `release` lets all stops continue. */
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

export const killStops = (world: World) => wrapped(world, `process.kill(process.pid, "SIGKILL")`)
