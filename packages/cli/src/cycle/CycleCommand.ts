/** The command `reflexion cycle`. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { type CommandSpec, named, type OptionSpec } from "../command/CommandSpec.ts"
import type { Given } from "../memory/model.ts"
import * as OutcomesCommand from "../outcomes/OutcomesCommand.ts"
import type { Outcomes } from "../outcomes/OutcomesStore.ts"

const options: ReadonlyArray<OptionSpec> = [
  OutcomesCommand.log,
  {
    name: "since",
    value: "AGE",
    description:
      "Look at what ended since then, such as 30m, 24h or 7d; by default what cycle.lookback_seconds says. Failures before that count for tasks that still fail, and for nothing else."
  },
  {
    name: "analyse",
    value: null,
    description: "Ask the configured model what lies behind the findings, and keep what it recommends as proposals."
  },
  { name: "format", value: "FORMAT", choices: ["text", "json"], description: "text to read (default), or JSON." }
]

export const spec: CommandSpec = {
  name: "cycle",
  usage: "reflexion cycle [--outcomes FILE] [--since AGE] [--analyse] [--format FORMAT]",
  summary:
    "Finds by rules what goes wrong in many runs: tasks that fail again and again, time out or stopped working, and skills behind it. No model, no network, unless --analyse says so.",
  operands: [],
  options,
  notes: [
    [
      "Files",
      [
        [".reflection/outcomes.jsonl", "how attempts ended; 'reflexion outcomes add' adds to it"],
        [".reflection/findings.jsonl", "what was found is added here, once; not where --outcomes names another log"],
        [".reflection/proposals/", "what --analyse recommends, a file for each change, for you to make or to delete"],
        ["~/.config/reflexion/analysis-prompt.md", "in the place of what --analyse asks the model"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "nothing was found"],
        ["1", "something was found"],
        ["2", "nothing was looked at: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = Command.make("cycle", { values: Options.all(options.map(named)) }, ({ values }) => {
  const given = new Map(values)
  const load: Promise<{ readonly cycle: (given: Given) => Outcomes }> = import("./Cycle.ts")
  return Effect.flatMap(
    Effect.promise(() => load),
    ({ cycle }) => cycle({ operands: [], option: (one) => given.get(one) ?? null })
  )
}).pipe(Command.withDescription(spec.summary))
