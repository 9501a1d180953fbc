/** What was kept for the agent of a session goes with the session. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import { Guidance } from "./Guidance.ts"

/** What is due at an event of the host's, null for nothing. */
export const due = (event: unknown) => {
  const { properties, type } = Json.object(event)
  const id = Json.string(Json.object(Json.object(properties)["info"])["id"])
  return type === "session.deleted" && id !== null ? Effect.flatMap(Guidance, ({ clear }) => clear(id)) : null
}
