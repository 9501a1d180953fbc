/**
 * A process that adds reflections in one turn of the event loop, so that it keeps the lock of the memory from one to the next,
 * and says which were acknowledged. It adds `most`, then exits in the middle of the turn if the last argument is "exit", or
 * waits there for a process of its own that adds one if it is "child"; with "full" it begins when
 * its reader has not read what fills the pipe between them; another last argument is the id of somebody else's reflection,
 * and it ends once it sees that. Bundled by the test, for Node 20 runs no TypeScript.
 */
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { execFileSync } from "node:child_process"
import { writeSync } from "node:fs"
import * as NodeLogDisk from "../../src/NodeLogDisk.ts"
import { bare } from "./bare.ts"
import { say } from "./say.ts"

const [, script = ""] = process.argv
const [path = "", name = "", most = "0", until = ""] = process.argv.slice(2)

const isAwaited = !["", "exit", "child", "full"].includes(until)

/** Until standard output takes no more. */
const fill = () => {
  try {
    for (;;) writeSync(1, "\n")
  } catch {
    return
  }
}

const program = Effect.gen(function* () {
  const store = yield* ReflexionStore
  if (until === "full") fill()
  for (let number = 0; number < Number(most); number += 1) {
    const id = `${name}-${number}`
    yield* store.append(bare({ id }))
    yield* say(id)
    if (isAwaited && (yield* Effect.isSuccess(store.get(until)))) return yield* say("seen")
  }
  if (until === "exit") process.exit(0)
  if (until === "child")
    yield* say(execFileSync(process.execPath, [script, path, "child", "1"], { encoding: "utf8" }).trim())
}).pipe(
  Effect.catchAll((error) => say(`failed ${error.reason} ${error.detail}`)),
  Effect.provide(Layer.provide(ReflexionStore.Live({ path }), NodeLogDisk.layer)),
  Effect.provide(Logger.remove(Logger.defaultLogger))
)

void Effect.runPromise(Effect.orDie(program))
