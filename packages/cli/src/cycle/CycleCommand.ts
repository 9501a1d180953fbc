/** The command `reflexion cycle`. */
import type * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { choice, flag, type About, type OptionValue, text, verb } from "../command/Parts.ts"
import type { VerbName } from "./Cycle.ts"
import { store } from "../memory/MemoryCommand.ts"

const outcomes = text(
  "outcomes",
  "FILE",
  "The log of outcomes instead of .reflection/outcomes.jsonl in the project of the current directory."
)

const format = choice("format", ["text", "json"], "text to read (default), or JSON.")

const of = (
  name: VerbName,
  word: string | null,
  about: Omit<About, "name">,
  options: Readonly<Record<string, Options.Options<OptionValue>>>
) =>
  verb(
    { ...about, name: name === "look" ? "reflexion cycle" : `reflexion cycle ${name}` },
    word,
    { ...options, outcomes },
    (given) =>
      Effect.flatMap(
        Effect.promise(() => import("./Cycle.ts")),
        ({ run }) => run(name, given)
      )
  )

const status = [
  "Exit status",
  [
    ["0", "done"],
    ["2", "nothing was changed: the reason is on standard error"]
  ]
] as const

export const alone = of(
  "look",
  null,
  {
    usage: "reflexion cycle [--since AGE] [--analyse] [--format text|json]",
    summary:
      "Finds by rules what goes wrong in many runs: tasks that fail again and again, time out or stopped working, and skills behind it. No model, no network, unless --analyse says so.",
    notes: [
      [
        "Files",
        [
          [".reflection/findings.jsonl", "what was found is added here, once; not where --outcomes names another log"],
          [".reflection/proposals/", "what --analyse recommends, a file for each change, for you to make or to delete"],
          ["~/.config/reflexion/analysis-prompt.md", "your own text of what --analyse asks the model"]
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
  },
  {
    since: text(
      "since",
      "AGE",
      "What ended since then, such as 30m, 24h or 7d; by default what cycle.lookback_seconds says. Earlier failures count for tasks that still fail, and for nothing else."
    ),
    analyse: flag(
      "analyse",
      "Ask the configured model what lies behind the findings, and keep what it recommends as proposals."
    ),
    format
  }
)

export const verbs = {
  add: of(
    "add",
    "FILE",
    {
      usage: "reflexion cycle add [FILE|-] [--lessons ID,ID]",
      summary: "Adds how attempts ended, one JSON object a line. Without FILE it reads standard input.",
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
            ["at, id", "when it ended in ISO 8601, by default now; the id of the attempt, which counts once"]
          ]
        ],
        status
      ]
    },
    {
      lessons: text(
        "lessons",
        "IDS",
        "The lessons that the attempt had, as ID,ID: advice that helps rises, and advice that harms sinks."
      ),
      store
    }
  ),
  list: of(
    "list",
    null,
    {
      usage: "reflexion cycle list [--since AGE] [--status STATUS] [--task ID] [--limit N] [--format text|json]",
      summary: "Lists how attempts ended, the oldest first.",
      notes: [status]
    },
    {
      since: text("since", "AGE", "What ended since then, such as 30m, 24h or 7d; by default 24h."),
      status: choice("status", ["completed", "failed", "timeout"], "What ended so."),
      task: text("task", "ID", "The outcomes of this task."),
      limit: text("limit", "N", "The newest N, 20 by default."),
      format
    }
  ),
  prune: of(
    "prune",
    null,
    {
      usage: "reflexion cycle prune --older-than AGE [--dry-run]",
      summary: "Deletes the outcomes that are older than AGE. The newest outcome always stays.",
      notes: [status]
    },
    {
      "older-than": text("older-than", "AGE", "An age such as 30d, 12h or 8w."),
      "dry-run": flag("dry-run", "Say how many there are and delete none.")
    }
  )
}
