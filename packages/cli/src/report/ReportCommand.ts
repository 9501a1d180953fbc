/** The command `reflexion report`. */
import * as Effect from "effect/Effect"
import { choice, program, text } from "../command/Parts.ts"

const options = {
  format: choice("format", ["text", "html", "json"], "text to read here (default), a page, or JSON."),
  session: text(
    "session",
    "ID",
    "One session in any project, with everything that was decided in it: its id, or as much of the beginning as no other has."
  ),
  since: text("since", "AGE", "Only what happened since then, such as 24h, 7d or 4w."),
  clear: text(
    "clear",
    "RULE",
    "Takes back your marks on this rule in this project, so that it goes as far as before them."
  ),
  output: text("output", "FILE", "Where the page goes, by default .reflection/report.html.")
}

export const alone = program(
  {
    name: "reflexion report",
    usage: "reflexion report [--format text|html|json] [--session ID] [--since AGE] [--clear RULE] [--output FILE]",
    summary:
      "Shows what happened in this project: which tasks would have ended undone and what came of them, every nudge with its words, what was decided and why, and what was learned.",
    notes: [
      [
        "Decisions",
        [
          ["nudge", "the agent was told to go on: 1/3 is the first time of three"],
          ["reminder", "the agent was told something that asks for no more work"],
          ["notice", "you were told something"],
          ["none", "nothing was said, for the reason given"],
          ["abstain", "it could not, or must not, be judged"],
          ["stop, start", "by your command"],
          ["wrong", "you marked a nudge as wrong, with /reflection wrong"],
          ["rearm", "a new message of yours"],
          ["failure", "something of reflexion's own went wrong, and it did nothing"]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "shown, written or taken back, or nothing is recorded yet"],
          ["2", "not done: the reason is on standard error"]
        ]
      ]
    ]
  },
  options,
  (given) =>
    Effect.flatMap(
      Effect.promise(() => import("./ReportProgram.ts")),
      ({ run }) => run(given)
    )
)

export const verbs = {}
