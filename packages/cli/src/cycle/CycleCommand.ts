/** `reflexion cycle`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import { store } from "../memory/MemoryCommand.ts"
import * as Verbs from "../memory/Verbs.ts"

export const spec: CommandSpec = {
  name: "cycle",
  usage: "reflexion cycle [add [FILE|-] | list | prune --older-than AGE] [--outcomes FILE] [options]",
  summary:
    "Finds by rules what goes wrong in many runs: tasks that fail again and again, time out or stopped working, and skills behind it. No model, no network, unless --analyse says so.",
  operands: ["add", "list", "prune"],
  options: [
    {
      name: "outcomes",
      value: "FILE",
      description: "The log of outcomes instead of .reflection/outcomes.jsonl in the project of the current directory."
    },
    {
      name: "since",
      value: "AGE",
      description:
        "What ended since then, such as 30m, 24h or 7d; by default what cycle.lookback_seconds says, for list 24h. Earlier failures count for tasks that still fail, and for nothing else."
    },
    {
      name: "analyse",
      value: null,
      description: "Ask the configured model what lies behind the findings, and keep what it recommends as proposals."
    },
    {
      name: "lessons",
      value: "IDS",
      description:
        "add: the lessons that the attempt had, as ID,ID: advice that helps rises, and advice that harms sinks."
    },
    { ...store, description: `add --lessons: ${store.description}` },
    {
      name: "status",
      value: "STATUS",
      choices: ["completed", "failed", "timeout"],
      description: "list: what ended so."
    },
    { name: "task", value: "ID", description: "list: the outcomes of this task." },
    { name: "limit", value: "N", description: "list: the newest N, 20 by default." },
    { name: "older-than", value: "AGE", description: "prune: an age such as 30d, 12h or 8w." },
    { name: "dry-run", value: null, description: "prune: say how many there are and delete none." },
    {
      name: "format",
      value: "FORMAT",
      choices: ["text", "json"],
      description: "Not for add and prune: text to read (default), or JSON."
    }
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

export const command = Verbs.make(spec, () => import("./Cycle.ts"))
