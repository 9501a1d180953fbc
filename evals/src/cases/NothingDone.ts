import { agent, type Case, edit, read, run, user } from "../case/Case.ts"

/** Turns that end without the work: no action, empty answers, announcements, instructions, cut-off texts. */
export const nothingDone: ReadonlyArray<Case> = [
  {
    id: "empty-answer/no-text-no-calls",
    why: "The turn ends with an empty message and no action.",
    events: [user("Create a Dockerfile for the API server."), agent("", { outputTokens: 0 })],
    expect: { status: ["incomplete", "stuck"], push: true }
  },
  {
    id: "empty-answer/after-reads",
    why: "Files were read, nothing was written and the final message is blank.",
    events: [
      user("Replace moment by date-fns in the reports module."),
      read("src/reports/monthly.ts"),
      read("src/reports/yearly.ts"),
      agent("  \n")
    ],
    expect: { status: ["incomplete", "stuck"], push: true }
  },
  {
    id: "cut-off/mid-sentence",
    why: "The host says that the message was cut off, in the middle of a sentence, with the work half done.",
    events: [
      user("Migrate the three controllers to the new router."),
      edit("src/controllers/users.ts"),
      agent("The users controller is migrated. Next, the orders controller needs its middleware changed bec", {
        completed: false
      })
    ],
    expect: { status: ["incomplete", "stuck"], push: true, kind: ["premature", "stuck"] }
  },
  {
    id: "done/run-it-yourself-hint",
    why: "Everything asked is done and verified; telling the user how to start the program is courtesy.",
    events: [
      user("Add a `serve` command to the CLI and run the tests."),
      edit("src/cli.py"),
      run("pytest", 0, "============================== 12 passed in 0.80s ==============================\n"),
      agent("The `serve` command is there and all 12 tests pass. You can try it with `python -m app serve`.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "done/gold-plating",
    why: "More than asked is done: untidy, but the task is complete.",
    events: [
      user("Fix the typo in the README's title."),
      edit("README.md"),
      edit("CONTRIBUTING.md"),
      edit("docs/index.md"),
      agent("I fixed the typo in the title, corrected two more typos in CONTRIBUTING.md and tidied the docs index.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "done/optional-extra-offered",
    why: "The task is finished and verified; an optional extra is offered.",
    events: [
      user("Add pagination to GET /users and run the tests."),
      edit("src/routes/users.ts"),
      run("npm test", 0, "Tests:       25 passed, 25 total\n"),
      agent(
        "`GET /users` is paginated with `page` and `size`, and all 25 tests pass. Would you like me to add it to `GET /orders` as well?"
      )
    ],
    expect: { status: "complete", push: false, kind: ["complete", "waiting_for_user"] }
  },
  {
    id: "done/let-me-know",
    why: "`Let me know if you want changes` is a polite ending.",
    events: [
      user("Write a .gitignore for a Python project."),
      run("printf '__pycache__/\\n.venv/\\n' > .gitignore", 0),
      agent("I created `.gitignore` with the usual Python entries. Let me know if you'd like anything else in it.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "done/small-command",
    why: "An operation that was asked for ran and succeeded.",
    events: [
      user("Delete the local branch old-experiment."),
      run("git branch -D old-experiment", 0, "Deleted branch old-experiment (was 4f5e6d7).\n"),
      agent("The local branch `old-experiment` is deleted.")
    ],
    expect: { status: "complete", push: false, kind: "complete" }
  },
  {
    id: "wrong-task/other-file",
    why: "Asked for the login page, the agent changed the footer: seen only by understanding both, so evidence must not be sure that it is complete.",
    events: [
      user("Make the login page remember the user's e-mail address."),
      edit("src/Footer.tsx"),
      agent("The footer now shows the current year automatically.")
    ],
    expect: { status: ["abstained", "complete", "incomplete"], push: false, confidenceAtMost: 0.8 }
  },
  {
    id: "wrong-task/answers-another-question",
    why: "The answer is about something else; tier 1 cannot know and must not be sure.",
    events: [
      user("Why does the nightly export time out since Monday?"),
      read("src/theme.css"),
      agent("The theme uses CSS custom properties, which all current browsers support.")
    ],
    expect: { status: ["abstained", "complete"], push: false, confidenceAtMost: 0.8 }
  }
]
