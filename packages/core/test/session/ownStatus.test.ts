import { assert, describe, it } from "@effect/vitest"
import { saysInProgress } from "../../src/session/stop/ownStatus.ts"

describe("an agent's own word that it is not finished", () => {
  it.each([
    ["---LOOP_STATUS---\nSTATUS: IN_PROGRESS\nTESTS: PASSING\n---END---", "STATUS: IN_PROGRESS"],
    ["Two of the importers are ported.\n\nSTATUS: in progress", "STATUS: in progress"],
    ["```\nTASK_STATUS = PARTIAL\nFILES: 2\n```", "TASK_STATUS = PARTIAL"],
    ["**Status:** In progress\n\nThe reader is ported.", "Status: In progress"],
    ["The reader is ported.\n\nOverall status: ongoing", "Overall status: ongoing"],
    ["WORK STATUS: not finished\nNEXT: the writer", "WORK STATUS: not finished"],
    ["STATUS: COMPLETE\nEXIT_SIGNAL: false", "EXIT_SIGNAL: false"],
    ['{"status": "in_progress", "exit_signal": false}', '"status": "in_progress"'],
    ["Status: 2/5 items\n\nThe reader is ported.", "Status: 2/5 items"],
    ["PROGRESS: 1 of 3\nTESTS: PASSING", "PROGRESS: 1 of 3"],
    ["- ALL_DONE: no\n- LOOP: 4", "ALL_DONE: no"],
    ['{\n  "exit_signal": false\n}', 'exit_signal": false'],
    ["The reader is ported.\n\nContinue with the next item of the list.", "Continue with the next item of the list."],
    ["TESTS: PASSING\nNEXT: Proceed to the remaining importers", "NEXT: Proceed to the remaining importers"]
  ])("%j", (text, line) => {
    assert.include(saysInProgress(text) ?? "", line)
  })

  it.each([
    "STATUS: COMPLETE\nTESTS_STATUS: PASSING\nEXIT_SIGNAL: true",
    "TESTS_STATUS: IN_PROGRESS_MARKER added\nSTATUS: DONE",
    "I set the ticket's status: in progress, as you asked, and linked the change.",
    "The endpoint now answers:\nSTATUS: IN_PROGRESS\nfor jobs that still run.",
    "Jobs report one of these.\n\n- status: in progress while the job runs on a worker\n- status: done\n\nBoth are tested.",
    "`done: false` is what the iterator returns before its end.",
    "Done. The importer is ported.",
    "Status: done",
    "STATUS: 5/5 items",
    "Progress: 3 of 3",
    "TESTS: 4/5",
    "The wizard's button says “Continue with the next item”.",
    "The migration is in progress on the server's side; the code is finished.",
    ""
  ])("none: %j", (text) => {
    assert.isNull(saysInProgress(text))
  })
})
