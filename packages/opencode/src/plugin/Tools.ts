/** The agent's tools: one for a checklist, and one that turns reflexion off and on for the user. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as Guidance from "../host/Guidance.ts"
import * as Commands from "./commands.ts"

export interface HostTool {
  readonly description: string
  /** The properties of a JSON schema. */
  readonly args: Readonly<Record<string, unknown>>
  readonly execute: (args: unknown, context: { readonly sessionID: string }) => Promise<string>
}

export const setReflection = {
  description:
    "Keeps a short text in Markdown with a checklist (`- [ ] point`) of the goals of this session. The text is a note " +
    "for yourself that survives compactions and restarts. The text decides nothing, and a ticked point proves nothing, but a " +
    "model that reviews this session may see it. Set " +
    `it again to tick points or to change it; \`clear: true\` removes it. At most ${Guidance.maxLength} characters.`,
  args: {
    guidance: { type: "string", description: "The whole text with its checklist; empty with `clear: true`" },
    clear: { type: "boolean", description: "Whether to remove the guidance" }
  },
  run: Effect.fn("Tools.setReflection")((args: Json.Json, sessionId: string) =>
    args["clear"] === true ? Guidance.clear(sessionId) : Guidance.set(sessionId, Json.text(args["guidance"]))
  )
}

export const reflection = {
  description:
    "reflexion checks at each stop from the evidence whether the task is done. `status` shows the state of reflexion in " +
    "this session, and `model` shows which model is asked. `stop` turns reflexion off, `start` turns it on, and " +
    "`model off` stops the questions to a model: use these three only if the user asks for that.",
  args: {
    action: { type: "string", enum: ["status", "model", "stop", "start", "model off"], description: "What to do" }
  },
  run: Effect.fn("Tools.reflection")(function* (args: Json.Json, sessionId: string) {
    const action = Json.text(args["action"])
    if (action === "model on") return "Only the user can turn the questions to a model on: `/reflection model on`."
    if (action === "model") return yield* Effect.merge(Commands.model(sessionId, ""))
    if (action === "model off") return yield* Effect.merge(Commands.model(sessionId, "off"))
    if (!Commands.isWord(action)) return "`action` must be status, model, stop, start or model off."
    if (yield* Commands.isChild(sessionId)) return Commands.notOfChild
    const standing = yield* Commands.shown(Commands.perform(sessionId, action, "agent"))
    const guidance = yield* Guidance.told(sessionId)
    return guidance === "" ? standing : `${standing}\n\n${guidance}`
  })
}
