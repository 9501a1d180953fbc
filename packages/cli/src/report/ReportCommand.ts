/** `reflexion report`. */
import { make, type CommandSpec } from "../command/CommandSpec.ts"
import { options } from "./given.ts"

export const spec: CommandSpec = {
  name: "report",
  usage: "reflexion report [--since AGE] [--out PATH] [--open] [--sessions] [--format html|text]",
  summary:
    "Makes one page of what happened in this project: how stops were judged, what pushes achieved and which may have been wrong, what it took, and what was learned. The page loads nothing from anywhere.",
  operands: [],
  options: Object.values(options),
  notes: [
    [
      "Files",
      [
        [".reflection/", "records of reviews, the memory, outcomes and findings: they are only read"],
        [".reflection/report.html", "the page; a file of that name that is no report is never replaced"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "made, or nothing is recorded yet: then no page is written"],
        ["1", "made, and with --open no browser shows it"],
        ["2", "not made: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = make(spec, options, () => import("./ReportProgram.ts"))
