/** `reflexion memory`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import { make, option } from "../command/Verbs.ts"

export const store = option(
  "store",
  "PATH",
  "The memory's file instead of .reflection/reflections.jsonl in the project of the current directory."
)

export const spec: CommandSpec = {
  name: "memory",
  usage:
    "reflexion memory add|recall|show|edit|resolve|rm|prune|verify|import|export [FILE|ID...] [options] [--store PATH]",
  summary:
    "Keeps what was learned from failed attempts: adds lessons, prints them for the next prompt, and lets you edit, resolve or delete them. No model, no network, unless your configuration or --model names one for add --failure.",
  operands: ["add", "recall", "show", "edit", "resolve", "rm", "prune", "verify", "import", "export"],
  options: [
    option("failure", null, "add: the input is a failed attempt, from which a lesson is made."),
    option(
      "model",
      "MODEL",
      "add --failure: the model that makes it: off for the rules alone, auto or PROVIDER/MODEL; by default what the configuration says.",
      { suggestions: ["off", "auto"] }
    ),
    option("dry-run", null, "add --failure, prune: say what would be done, and change nothing."),
    option("task", "ID", "recall: the lessons of this task."),
    option("subtask", "ID", "recall: the lessons of this subtask."),
    option("query", "TEXT", "recall: what fits a text best, such as an error."),
    option("limit", "N", "recall: at most N, 3 by default; 100 in a text."),
    option("suggestion", "TEXT", "edit: what to do instead, in your words."),
    option("analysis", "TEXT", "edit: what went wrong, in your words."),
    option("older-than", "AGE", "prune: an age such as 30d, 12h or 8w."),
    option("format", "FORMAT", "recall, show, verify: text to read (default), or JSON.", { choices: ["text", "json"] }),
    store
  ],
  notes: [
    [
      "Verbs",
      [
        ["add [FILE|-]", "Adds lessons, one JSON object a line; one wrong line, and none is added."],
        ["add --failure [FILE|-]", "Makes a lesson of one failed attempt, keeps it, and prints it as JSON."],
        ["recall", "Prints lessons as a section for the next attempt's prompt: the newest, or what fits --query."],
        ["show [ID...]", "Shows what is kept and what came of it, lesson by lesson."],
        ["edit ID", "Puts your words in a lesson."],
        ["resolve ID...", "Says that it is over: it goes into no prompt any more."],
        ["rm ID...", "Deletes lessons."],
        ["prune --older-than AGE", "Deletes what is older."],
        ["verify", "Counts the lines that cannot be read; they do no harm."],
        ["export [ID...]", "Prints lessons, one JSON object a line."],
        ["import [FILE|-]", "Adds what export printed; a lesson that is known already stays as it is."]
      ]
    ],
    [
      "A failed attempt",
      [
        ["taskId, subtaskId", "what was attempted; required, as the next two"],
        [
          "failureType",
          "test_failure, typecheck_failure, build_failure, runtime_error, timeout or verification_failed"
        ],
        ["errorOutput", "what was printed, word for word"],
        ["attemptNumber", "counted from 1; by default the one after the last known"],
        ["", "subtaskDescription, filesModified, sessionId, previousReflections, id and createdAt may be left out."]
      ]
    ],
    [
      "How a lesson stands",
      [
        ["open", "its failure stands, as far as is known"],
        ["settled", "its task was completed since; no session is told it, and recall still shows it"],
        ["resolved", "you said that it is over; nobody is told it"],
        ["", "How an attempt ended that had lessons: reflexion cycle add --lessons ID,ID."],
        ["", "Lessons that others wrote go into no prompt until you trust the project: reflexion allow workspace."]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "done, or nothing is known"],
        ["1", "verify: there are lines that cannot be read"],
        ["2", "nothing was changed: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = make(spec, () => import("./Memory.ts"))
