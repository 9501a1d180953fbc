/** The command `reflexion outcomes`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { type CommandSpec, named, type OptionSpec } from "../command/CommandSpec.ts"
import type { Given } from "../memory/model.ts"
import type { Outcomes } from "./OutcomesStore.ts"

export const log: OptionSpec = {
  name: "outcomes",
  value: "FILE",
  description: "The log's file, in place of .reflection/outcomes.jsonl in the project of the current directory."
}

const options: ReadonlyArray<OptionSpec> = [
  { name: "since", value: "AGE", description: "list: what ended since then, such as 30m, 24h (default) or 7d." },
  {
    name: "status",
    value: "STATUS",
    choices: ["completed", "failed", "timeout"],
    description: "list: what ended so."
  },
  { name: "task", value: "ID", description: "list: of this task alone." },
  { name: "limit", value: "N", description: "list: the newest N, 20 by default." },
  { name: "older-than", value: "AGE", description: "prune: an age such as 30d, 12h or 8w." },
  { name: "dry-run", value: null, description: "prune: say how many there are and forget none." },
  {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "list and verify: text to read (default), or JSON."
  },
  log
]

export const spec: CommandSpec = {
  name: "outcomes",
  usage:
    "reflexion outcomes add [OUTCOMES.jsonl|-] [--outcomes FILE] | list [--since AGE] [--status STATUS] [--task ID] [--limit N] [--format FORMAT] [--outcomes FILE] | prune --older-than AGE [--dry-run] [--outcomes FILE] | verify [--format FORMAT] [--outcomes FILE]",
  summary:
    "Keeps how attempts at tasks ended, lists it, forgets what is old and counts what cannot be read. 'reflexion cycle' looks at them; what runs your agents adds them.",
  operands: ["add", "list", "prune", "verify"],
  options,
  notes: [
    [
      "An outcome",
      [
        ["objective", "what the agent was told to do; required, as the next two"],
        ["status", "completed, failed or timeout"],
        ["durationMs", "how long it took, in milliseconds"],
        ["taskId", "the task's id, if it has one: by it attempts are told to be of the same task"],
        ["sessionId, backend", "the agent's session, and what ran it, such as codex"],
        ["tools", "the names of the tools that it called"],
        ["loaded", 'what it was given: [{ "kind": "skill" | "file", "name": "…" }]'],
        ["resultLength", "the characters of its answer"],
        ["at", "when it ended, in ISO 8601; now, if it is left out"],
        ["id", "of the attempt: the same id counts once; made up, if it is left out"]
      ]
    ],
    ["Files", [["OUTCOMES.jsonl", "One JSON object a line; - or nothing for standard input."]]],
    [
      "Exit status",
      [
        ["0", "done; of verify: every line can be read"],
        ["1", "verify: there are lines that cannot be read"],
        ["2", "nothing was changed: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = Command.make(
  "outcomes",
  { operands: Args.text({ name: "WORD" }).pipe(Args.repeated), values: Options.all(options.map(named)) },
  ({ operands, values }) => {
    const given = new Map(values)
    const load: Promise<{ readonly outcomes: (given: Given) => Outcomes }> = import("./Outcomes.ts")
    return Effect.flatMap(
      Effect.promise(() => load),
      ({ outcomes }) => outcomes({ operands, option: (one) => given.get(one) ?? null })
    )
  }
).pipe(Command.withDescription(spec.summary))
