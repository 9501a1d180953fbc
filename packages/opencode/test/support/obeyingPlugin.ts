import { NodeContext } from "@effect/platform-node"
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Layer } from "effect"
import { guidance } from "./guidance.ts"
import { EventInbox } from "../../src/host/OpenCodeHost.ts"
import { storedHost } from "./storedHost.ts"

/** A plugin; `heard` is what its program was told. The session `child` is a child. */
export const obeyingPlugin = () => {
  const host = storedHost()
  host.infos.set("child", { parentID: "s1" })
  const heard: Array<string> = []
  const inbox = Layer.succeed(EventInbox, {
    offer: () => undefined,
    tell: ({ event, sessionId }) =>
      void heard.push(event._tag === "Command" ? `${sessionId} ${event.command} by ${event.by}` : event._tag)
  })
  const layer = Layer.mergeAll(
    inbox,
    Layer.succeed(CurrentConfig, defaults),
    guidance,
    host.layer,
    ReviewStates.Test,
    AgentHost.Test(),
    DecisionLog.Memory,
    NodeContext.layer
  )
  return { ...host, heard, layer }
}
