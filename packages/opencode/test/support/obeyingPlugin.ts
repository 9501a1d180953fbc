import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer } from "effect"
import { Guidance } from "../../src/guidance/Guidance.ts"
import type * as Switching from "../../src/plugin/switching.ts"
import { EventInbox } from "../../src/host/OpenCodeHost.ts"
import { storedHost } from "./storedHost.ts"

/** A plugin whose program does what a command says where it can, and shows nothing itself. The session `child` is a child. */
export const obeyingPlugin = () => {
  const host = storedHost()
  host.infos.set("child", { parentID: "s1" })
  const heard: Array<string> = []
  const obey = Effect.fnUntraced(function* (id: string, word: Switching.Word, by: "user" | "agent") {
    const states = yield* ReviewStates
    heard.push(`${id} ${word} by ${by}`)
    if (word !== "status") yield* Effect.ignore(word === "stop" ? states.stop(id) : states.restart(id))
  })
  const inbox = Layer.effect(
    EventInbox,
    Effect.map(Effect.context<ReviewStates>(), (context) => ({
      offer: () => undefined,
      command: (id: string, word: Switching.Word, by: "user" | "agent") => Effect.provide(obey(id, word, by), context)
    }))
  )
  const layer = Layer.mergeAll(inbox, Layer.succeed(CurrentConfig, defaults), Guidance.Test, host.layer).pipe(
    Layer.provideMerge(ReviewStates.Test)
  )
  return { ...host, heard, layer }
}
