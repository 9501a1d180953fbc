/** What `codex exec --json` printed while it made a change: how often it asked its model, and how it ended. */
import type { Constraints } from "@reflexion/core/Mutator"
import type { Printed } from "@reflexion/core/internal/ask/models/HostModel"
import * as Json from "@reflexion/core/internal/base/json/Json"
import type { Ended } from "@reflexion/core/internal/learn/changes/WorktreeMutator"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AskedEvents from "./askedEvents.ts"

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** What is no call of a tool. */
const words = new Set(["agent_message", "reasoning", "todo_list", "error"])

/**
 * Calls that begin while another is still running come of the same answer of the model. An answer with calls asks for
 * another one, so the last round that is allowed may have none.
 */
export const over = ({ maxRounds }: Constraints): ((line: string) => boolean) => {
  const running = new Set<string>()
  let rounds = 0
  return (line) => {
    const event = Option.getOrElse(decode(line), (): Json.Json => ({}))
    const item = Json.object(event["item"])
    const id = Json.text(item["id"])
    if (id === "" || words.has(Json.text(item["type"]))) return false
    if (event["type"] === "item.completed") return running.delete(id) ? false : ++rounds >= maxRounds
    if (event["type"] !== "item.started") return false
    if (running.size === 0) rounds += 1
    running.add(id)
    return rounds >= maxRounds
  }
}

/** An answer without words ends a run as well. */
export const read = (printed: Printed): Ended =>
  Either.match(AskedEvents.read(printed), {
    onLeft: ({ detail }): Ended => ({ how: "failed", detail }),
    onRight: ({ text }): Ended => ({ how: "done", detail: text })
  })
