/** The command `reflexion memory`. */
import { choice, flag, lazily, type About, type Option, text, verb } from "../command/Parts.ts"
import type { VerbName } from "./Memory.ts"

export const store = text(
  "store",
  "PATH",
  "The memory's file instead of .reflection/reflections.jsonl in the project of the current directory. Or a database: postgres://USER@HOST/DATABASE without a password, service=NAME of ~/.pg_service.conf, or env (DATABASE_URL, or PGHOST and so on)."
)

type Given = Readonly<Record<string, Option>>

const format = choice("format", ["text", "json"], "text to read (default), or JSON.")

const status = [
  ["0", "done, or there is nothing to show"],
  ["2", "nothing was changed: the reason is on standard error"]
] as const

const of = (
  name: VerbName,
  word: string | null,
  about: Pick<About, "summary" | "usage"> & Partial<Pick<About, "notes">>,
  options: Given = {}
) =>
  verb(
    { notes: [["Exit status", status]], ...about, name: `reflexion memory ${name}` },
    word,
    { ...options, store },
    lazily(() =>
      import("./Memory.ts").then(
        ({ run }) =>
          (given) =>
            run(name, given)
      )
    )
  )

export const alone = null

export const verbs = {
  add: of(
    "add",
    "FILE",
    {
      usage: "reflexion memory add [FILE|-] [--failure [--model MODEL] [--dry-run]]",
      summary:
        "Adds lessons, one JSON object per line. If one line is wrong, nothing is added. Lessons that you edited or resolved stay as they are. With --failure it makes a lesson from one failed attempt, saves it, and prints it as JSON. Without FILE it reads standard input.",
      notes: [
        [
          "A failed attempt",
          [
            ["taskId, subtaskId", "the task of the attempt (required, like the next two)"],
            [
              "failureType",
              "test_failure, typecheck_failure, build_failure, runtime_error, timeout or verification_failed"
            ],
            ["errorOutput", "the exact output"],
            ["attemptNumber", "counted from 1 (default: one more than the last known attempt)"],
            ["", "subtaskDescription, filesModified, sessionId, previousReflections, id and createdAt may be left out."]
          ]
        ],
        ["Exit status", status]
      ]
    },
    {
      failure: flag("failure", "The input is a failed attempt. A lesson is made from it."),
      model: text(
        "model",
        "off|auto|PROVIDER/MODEL",
        "With --failure: the model that writes the lesson; off for rules only (default: the configured model)."
      ),
      "dry-run": flag("dry-run", "With --failure: print the lesson and save nothing.")
    }
  ),
  recall: of(
    "recall",
    null,
    {
      usage: "reflexion memory recall [--task ID] [--subtask ID] [--query TEXT] [--limit N] [--format text|json]",
      summary:
        "Prints lessons as a section for the next attempt's prompt: the newest lessons, or the best matches for --query."
    },
    {
      task: text("task", "ID", "Only lessons of this task."),
      subtask: text("subtask", "ID", "Only lessons of this subtask."),
      query: text("query", "TEXT", "The lessons that match a text best, such as an error message."),
      limit: text("limit", "N", "At most N lessons (default: 3; as text at most 100)."),
      format
    }
  ),
  show: of(
    "show",
    "ID",
    {
      usage: "reflexion memory show [ID...] [--format text|json]",
      summary: "Lists the lessons and the results of attempts that had them; with ID, shows a lesson in full.",
      notes: [
        [
          "State of a lesson",
          [
            ["open", "the failure still exists, as far as reflexion knows"],
            ["settled", "the task was completed later; sessions do not get the lesson, but recall shows it"],
            ["resolved", "you resolved it; nobody gets the lesson"],
            ["", "To record the result of an attempt that had lessons: reflexion cycle add --lessons ID,ID."],
            [
              "",
              "Lessons that other people wrote go into no prompt until you trust the project: reflexion allow workspace."
            ]
          ]
        ],
        ["Exit status", status]
      ]
    },
    { format }
  ),
  edit: of(
    "edit",
    "ID",
    {
      usage: "reflexion memory edit ID [--suggestion TEXT] [--analysis TEXT]",
      summary: "Replaces the text of a lesson with yours."
    },
    {
      suggestion: text("suggestion", "TEXT", "What to do instead, in your words."),
      analysis: text("analysis", "TEXT", "What went wrong, in your words.")
    }
  ),
  resolve: of("resolve", "ID", {
    usage: "reflexion memory resolve ID...",
    summary: "Marks a lesson as resolved, so that it goes into no more prompts."
  }),
  rm: of("rm", "ID", { usage: "reflexion memory rm ID...", summary: "Deletes lessons." }),
  prune: of(
    "prune",
    null,
    {
      usage: "reflexion memory prune --older-than AGE [--dry-run]",
      summary: "Deletes lessons that are older than AGE."
    },
    {
      "older-than": text("older-than", "AGE", "An age such as 30d, 12h or 8w."),
      "dry-run": flag("dry-run", "Print how many would be deleted, and delete nothing.")
    }
  ),
  verify: of(
    "verify",
    null,
    {
      usage: "reflexion memory verify [--format text|json]",
      summary: "Counts the lines that cannot be read. They are ignored.",
      notes: [
        [
          "Exit status",
          [
            ["0", "all lines can be read"],
            ["1", "there are lines that cannot be read"],
            ["2", "the file could not be checked: the reason is on standard error"]
          ]
        ]
      ]
    },
    { format }
  ),
  sync: of(
    "sync",
    null,
    {
      usage: "reflexion memory sync --store DATABASE [--project NAME]",
      summary:
        "Sends this project's lessons, their results and its outcomes to a database, and fetches the newest lessons of other machines. These go into no prompt until you trust them: reflexion allow workspace. Runs again after an interruption without sending anything twice.",
      notes: [
        [
          "Exit status",
          [
            ["0", "done, or another run is at work"],
            ["2", "not completed: the reason is on standard error"]
          ]
        ]
      ]
    },
    {
      project: text(
        "project",
        "NAME",
        "The project's name in the database, the same on all machines (default: the address of git's remote origin, without credentials)."
      )
    }
  ),
  import: of("import", "FILE", {
    usage: "reflexion memory import [FILE|-]",
    summary: "Adds lessons that `export` printed. A lesson with a known id stays as it is."
  }),
  export: of("export", "ID", {
    usage: "reflexion memory export [ID...]",
    summary: "Prints lessons, one JSON object per line."
  })
}
