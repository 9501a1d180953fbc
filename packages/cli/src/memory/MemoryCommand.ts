/** The command `reflexion memory`. */
import type * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { choice, flag, type About, type OptionValue, text, verb } from "../command/Parts.ts"
import type { VerbName } from "./Memory.ts"

export const store = text(
  "store",
  "PATH",
  "The memory's file instead of .reflection/reflections.jsonl in the project of the current directory."
)

type Given = Readonly<Record<string, Options.Options<OptionValue>>>

const format = choice("format", ["text", "json"], "text to read (default), or JSON.")

const status = [
  ["0", "done, or nothing is known"],
  ["2", "nothing was changed: the reason is on standard error"]
] as const

/** Makes a verb with its usage line. `word` is the name of the words after it, or null if it takes none. */
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
    (given) =>
      Effect.flatMap(
        Effect.promise(() => import("./Memory.ts")),
        ({ run }) => run(name, given)
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
        "Adds lessons, one JSON object a line; one wrong line, and none is added. What you edited or resolved stays as it is. With --failure it makes a lesson of one failed attempt, keeps it, and prints it as JSON. Without FILE it reads standard input.",
      notes: [
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
        ["Exit status", status]
      ]
    },
    {
      failure: flag("failure", "The input is a failed attempt, from which a lesson is made."),
      model: text(
        "model",
        "off|auto|PROVIDER/MODEL",
        "With --failure: the model that makes it, off for the rules alone; by default what the configuration says."
      ),
      "dry-run": flag("dry-run", "With --failure: print the lesson and keep nothing.")
    }
  ),
  recall: of(
    "recall",
    null,
    {
      usage: "reflexion memory recall [--task ID] [--subtask ID] [--query TEXT] [--limit N] [--format text|json]",
      summary: "Prints lessons as a section for the next attempt's prompt: the newest, or what fits --query."
    },
    {
      task: text("task", "ID", "The lessons of this task."),
      subtask: text("subtask", "ID", "The lessons of this subtask."),
      query: text("query", "TEXT", "What fits a text best, such as an error."),
      limit: text("limit", "N", "At most N, 3 by default; 100 in a text."),
      format
    }
  ),
  show: of(
    "show",
    "ID",
    {
      usage: "reflexion memory show [ID...] [--format text|json]",
      summary: "Shows what is kept and what came of it, lesson by lesson; with ID in full.",
      notes: [
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
      summary: "Puts your words in a lesson."
    },
    {
      suggestion: text("suggestion", "TEXT", "What to do instead, in your words."),
      analysis: text("analysis", "TEXT", "What went wrong, in your words.")
    }
  ),
  resolve: of("resolve", "ID", {
    usage: "reflexion memory resolve ID...",
    summary: "Says that a lesson is over: it goes into no prompt any more."
  }),
  rm: of("rm", "ID", { usage: "reflexion memory rm ID...", summary: "Deletes lessons." }),
  prune: of(
    "prune",
    null,
    {
      usage: "reflexion memory prune --older-than AGE [--dry-run]",
      summary: "Deletes the lessons that are older than AGE."
    },
    {
      "older-than": text("older-than", "AGE", "An age such as 30d, 12h or 8w."),
      "dry-run": flag("dry-run", "Say how many there are and delete none.")
    }
  ),
  verify: of(
    "verify",
    null,
    {
      usage: "reflexion memory verify [--format text|json]",
      summary: "Counts the lines that cannot be read; they do no harm.",
      notes: [
        [
          "Exit status",
          [
            ["0", "all can be read"],
            ["1", "there are lines that cannot be read"],
            ["2", "could not look: the reason is on standard error"]
          ]
        ]
      ]
    },
    { format }
  ),
  import: of("import", "FILE", {
    usage: "reflexion memory import [FILE|-]",
    summary: "Adds what export printed; a lesson that is known already stays as it is."
  }),
  export: of("export", "ID", {
    usage: "reflexion memory export [ID...]",
    summary: "Prints lessons, one JSON object a line."
  })
}
