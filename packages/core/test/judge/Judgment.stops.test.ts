/** Verdicts on what the agent's last words, its lists and the user's earlier messages show. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, todos, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

type Row = readonly [name: string, events: ReadonlyArray<TranscriptEvent>, verdict: string]

const verdict = (events: ReadonlyArray<TranscriptEvent>): string => {
  const self = Judgment.judge(transcript(events, { cwd: "/repo" }), { context: utmostContext })
  return `${self.status}${self.shouldContinue ? ", pushed" : ""}`
}

const green = (): TranscriptEvent => run("npm test", 0, "Tests:  5 passed, 5 total")
const src = (): TranscriptEvent => edit("/repo/src/export.ts")

const ported = [user("Port the exporters to streams and run the tests."), src()]

const planned = (...end: ReadonlyArray<TranscriptEvent>): ReadonlyArray<TranscriptEvent> => [
  user("Work through PLAN.md and run the tests."),
  call("Read", { file_path: "/repo/PLAN.md" }, { output: "- [x] csv\n- [ ] json\n- [ ] xml\n" }),
  src(),
  green(),
  ...end
]

const tick = (item: string): TranscriptEvent =>
  call("Edit", { file_path: "/repo/PLAN.md", old_string: `- [ ] ${item}`, new_string: `- [x] ${item}` })

const list = (): TranscriptEvent =>
  todos(["Port the csv exporter", "in_progress"], ["Port the json exporter", "pending"])

const rows: ReadonlyArray<Row> = [
  [
    "a form that says done",
    [...ported, green(), agent("STATUS: COMPLETE\nTESTS: PASSING\nEXIT_SIGNAL: true")],
    "complete"
  ],
  [
    "a plan that is ticked",
    planned(tick("json"), tick("xml"), agent("All items are done; the tests pass.")),
    "complete"
  ],
  ["a plan of which one item is told", planned(agent("The json exporter is ported and the tests pass.")), "complete"],
  [
    "another list that was only read",
    [
      user("Port the exporters and run the tests."),
      call("Read", { file_path: "/repo/docs/ideas.md" }, { output: "- [ ] a\n- [ ] b\n" }),
      src(),
      green(),
      agent("All exporters are ported and everything is done; the tests pass.")
    ],
    "complete"
  ],
  [
    "finished work whose list was not ticked",
    [...ported, list(), src(), green(), agent("Done: the csv and the json exporter are ported, all tests pass.")],
    "abstained"
  ]
]

describe("a stop", () => {
  it.each(rows)("%s", (_, events, expected) => {
    assert.strictEqual(verdict(events), expected)
  })

  it.each([
    ["Round the total.", "no check was asked for"],
    ["The total, rounded, with pytest after it.", "no order of a check or a delivery was read in the message"],
    ["The commit comes after it.", "no order of a check or a delivery was read in the message"]
  ])("is told without a false word of what was asked for: %s", (text, said) => {
    const events = [user(text), edit("/repo/README.md"), agent("The total is rounded.")]
    const { reason } = Judgment.judge(transcript(events, { cwd: "/repo" }))
    assert.include(reason, said)
  })
})
