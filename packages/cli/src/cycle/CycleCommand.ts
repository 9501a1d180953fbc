/** `reflexion cycle`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import { store } from "../memory/MemoryCommand.ts"
import { make, option } from "../command/Verbs.ts"

export const spec: CommandSpec = {
  name: "cycle",
  usage: "reflexion cycle [add [FILE|-] | list | prune --older-than AGE] [--outcomes FILE] [options]",
  summary:
    "Finds by rules what goes wrong in many runs: tasks that fail again and again, time out or stopped working, and skills behind it. No model, no network, unless --analyse says so.",
  operands: ["add", "list", "prune"],
  options: [
    option(
      "outcomes",
      "FILE",
      "The log of outcomes instead of .reflection/outcomes.jsonl in the project of the current directory."
    ),
    option(
      "since",
      "AGE",
      "What ended since then, such as 30m, 24h or 7d; by default what cycle.lookback_seconds says, for list 24h. Earlier failures count for tasks that still fail, and for nothing else."
    ),
    option(
      "analyse",
      null,
      "Ask the configured model what lies behind the findings, and keep what it recommends as proposals."
    ),
    option(
      "lessons",
      "IDS",
      "add: the lessons that the attempt had, as ID,ID: advice that helps rises, and advice that harms sinks."
    ),
    { ...store, description: `add --lessons: ${store.description}` },
    option("status", "STATUS", "list: what ended so.", { choices: ["completed", "failed", "timeout"] }),
    option("task", "ID", "list: the outcomes of this task."),
    option("limit", "N", "list: the newest N, 20 by default."),
    option("older-than", "AGE", "prune: an age such as 30d, 12h or 8w."),
    option("dry-run", null, "prune: say how many there are and delete none."),
    option("format", "FORMAT", "Not for add and prune: text to read (default), or JSON.", { choices: ["text", "json"] })
  ],
  notes: [
    [
      "Verbs",
      [
        ["(none)", "Looks at the outcomes and says what it found."],
        ["add [FILE|-]", "Adds how attempts ended, one JSON object a line."],
        ["list", "Lists them, the oldest first."],
        ["prune --older-than AGE", "Deletes what is older."]
      ]
    ],
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
        ["0", "nothing was found, or done"],
        ["1", "something was found"],
        ["2", "nothing was looked at or changed: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = make(spec, () => import("./Cycle.ts"))
