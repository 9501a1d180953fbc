/** The command `reflexion cycle`. */
import { choice, flag, lazily, type About, type Option, text, verb } from "../command/Parts.ts"
import type { VerbName } from "./Cycle.ts"
import { store } from "../memory/MemoryCommand.ts"

const outcomes = text(
  "outcomes",
  "FILE",
  "The log of outcomes instead of .reflection/outcomes.jsonl in the project of the current directory."
)

const database = text("store", "DATABASE", "A database instead of the project's files, as for reflexion memory.")

const format = choice("format", ["text", "json"], "text to read (default), or JSON.")

const of = (
  name: VerbName,
  word: string | null,
  about: Omit<About, "name">,
  options: Readonly<Record<string, Option>>
) =>
  verb(
    { ...about, name: name === "look" ? "reflexion cycle" : `reflexion cycle ${name}` },
    word,
    { store: database, ...options, outcomes },
    lazily(() =>
      import("./Cycle.ts").then(
        ({ run }) =>
          (given) =>
            run(name, given)
      )
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
      "Finds by rules what goes wrong over many runs: tasks that fail again and again, time out, or stopped working, and the skills that may be the cause. It asks no model and uses no network, except with --analyse.",
    notes: [
      [
        "Files",
        [
          [".reflection/findings.jsonl", "each finding is added here once; with --outcomes, nothing is added"],
          [
            ".reflection/proposals/",
            "the changes that --analyse recommends, one file each; make the change or delete its file"
          ],
          ["~/.config/reflexion/analysis-prompt.md", "your own prompt for --analyse"]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "no finding"],
          ["1", "there are findings"],
          ["2", "nothing was checked: the reason is on standard error"]
        ]
      ]
    ]
  },
  {
    since: text(
      "since",
      "AGE",
      "Only attempts that ended within this age, such as 30m, 24h or 7d (default: cycle.lookback_seconds). Earlier failures count only for tasks that still fail."
    ),
    analyse: flag(
      "analyse",
      "Ask the configured model for the causes of the findings, and save what it recommends as proposals."
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
      summary: "Adds results of attempts, one JSON object per line. Without FILE it reads standard input.",
      notes: [
        [
          "An outcome",
          [
            ["objective", "what the agent was told to do (required, like the next two)"],
            ["status", "completed, failed or timeout"],
            ["durationMs", "how long it took, in milliseconds"],
            ["taskId", "the task's id, if it has one; attempts with the same id belong to the same task"],
            ["sessionId, backend", "the agent's session, and the program that ran it, such as codex"],
            ["tools", "the names of the tools that the agent called"],
            ["loaded", 'the skills and files that the agent was given: [{ "kind": "skill" | "file", "name": "…" }]'],
            ["resultLength", "the number of characters in the agent's answer"],
            [
              "at, id",
              "when the attempt ended, in ISO 8601 (default: now); the id of the attempt; an attempt with a known id is ignored"
            ]
          ]
        ],
        status
      ]
    },
    {
      lessons: text(
        "lessons",
        "IDS",
        "The lessons that the attempt was given, as ID,ID. Lessons of successful attempts are preferred later, and lessons of failed attempts are not."
      ),
      store
    }
  ),
  list: of(
    "list",
    null,
    {
      usage: "reflexion cycle list [--since AGE] [--status STATUS] [--task ID] [--limit N] [--format text|json]",
      summary: "Lists the results of attempts, the oldest first.",
      notes: [status]
    },
    {
      since: text("since", "AGE", "Only attempts that ended within this age, such as 30m, 24h or 7d (default: 24h)."),
      status: choice("status", ["completed", "failed", "timeout"], "Only attempts with this result."),
      task: text("task", "ID", "Only attempts at this task."),
      limit: text("limit", "N", "At most N attempts, the newest ones (default: 20)."),
      format
    }
  ),
  prune: of(
    "prune",
    null,
    {
      usage: "reflexion cycle prune --older-than AGE [--dry-run]",
      summary: "Deletes outcomes that are older than AGE. The newest outcome always stays.",
      notes: [status]
    },
    {
      "older-than": text("older-than", "AGE", "An age such as 30d, 12h or 8w."),
      "dry-run": flag("dry-run", "Print how many would be deleted, and delete nothing.")
    }
  )
}
