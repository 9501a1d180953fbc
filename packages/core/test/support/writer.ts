/** Adds reflections until it is killed, and says which were acknowledged. Now and then it forgets some. */
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { NodeContext } from "@effect/platform-node"
import { bare } from "./bare.ts"
import { say } from "./say.ts"

const [path = "", name = "", most = "100000"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const store = yield* ReflexionStore
  for (let number = 0; number < Number(most); number += 1) {
    const ids = [`${name}-${number}`, `${name}-${number}-more`]
    yield* store.append(ids.map((id) => bare({ id, tags: number % 3 === 0 ? ["doomed"] : [] })))
    if (number % 3 !== 0) yield* say(ids.join(" "))
    if (number % 7 === 3) yield* store.prune({ where: ({ tags }) => tags.includes("doomed") })
  }
}).pipe(
  Effect.catchAll((error) => say(`failed ${error.reason} ${error.detail}`)),
  Effect.provide(Layer.provide(ReflexionStore.Live({ path }), NodeContext.layer)),
  // The logger would print on standard output that it repaired a line of a killed process.
  Effect.provide(Logger.remove(Logger.defaultLogger))
)

void Effect.runPromise(Effect.orDie(program))
