/** Reads the agent's todo list from Codex's tool call, which always has the whole list. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import { todosIn } from "@reflexion/core/internal/session/transcript/TranscriptDecoder"
import type { Todo } from "@reflexion/core/Transcript"

/** Codex has this tool only with `tools.update_plan.enabled`. */
export const tools = ["update_plan"] as const

/** Null if the call does not change the list. */
export const step = (_: ReadonlyArray<Todo>, { input }: { readonly input: unknown }): ReadonlyArray<Todo> | null =>
  todosIn(Json.object(input)["plan"])
