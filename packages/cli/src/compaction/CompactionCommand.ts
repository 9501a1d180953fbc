/** `reflexion compaction`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "compaction",
  usage: "reflexion compaction [FILE...] [--format text|json|jsonl] [options]",
  summary:
    "Says what to tell an agent after its context was compacted, so that its task and an open pull request or issue are not lost. No model, no key, no network.",
  operands: "files",
  options: Object.values(options),
  notes: [SessionCommand.files, SessionCommand.ends("an assessment of every session, whatever it says")]
}

export const command = SessionCommand.make(spec, options, () => import("./Compaction.ts"))
