/** The command `reflexion report`. */
import { choice, lazily, program, text } from "../command/Parts.ts"

const options = {
  format: choice("format", ["text", "html", "json"], "text (default), an HTML page, or JSON."),
  session: text(
    "session",
    "ID",
    "One session of any project, with every decision in it: its id, or a unique beginning of the id."
  ),
  since: text("since", "AGE", "Only what happened within this age, such as 24h, 7d or 4w."),
  clear: text(
    "clear",
    "RULE",
    "Remove your marks on this rule in this project, so that the rule has its old level again."
  ),
  output: text("output", "FILE", "The file of the page (default: .reflection/report.html)."),
  store: text("store", "DATABASE", "A database with the lessons and findings, as for reflexion memory.")
}

export const alone = program(
  {
    name: "reflexion report",
    usage:
      "reflexion report [--format text|html|json] [--session ID] [--since AGE] [--clear RULE] [--output FILE] [--store DATABASE]",
    summary:
      "Shows what happened in this project: the tasks that would have ended undone, every nudge with its text and what followed, the decisions with their reasons, and the lessons.",
    notes: [
      [
        "Decisions",
        [
          ["nudge", "the agent was told to continue: 1/3 is the first of three times"],
          ["reminder", "the agent was told something, without being asked for more work"],
          ["notice", "you were told something, the agent was not"],
          ["none", "nothing was said; the reason is given"],
          ["abstain", "the stop could not be judged, or reflexion may not judge it"],
          ["stop, start", "you turned reflexion off or on in the session"],
          ["wrong", "you marked a nudge as wrong, with /reflection wrong"],
          ["rearm", "you wrote a new message, so the count of nudges starts again"],
          ["failure", "reflexion had an internal error and did nothing"]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "shown, written or removed, or nothing is recorded yet"],
          ["2", "not done: the reason is on standard error"]
        ]
      ]
    ]
  },
  options,
  lazily(() => import("./ReportProgram.ts").then(({ run }) => run))
)

export const verbs = {}
