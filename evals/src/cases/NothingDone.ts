import { agent, type Case, edit, read, run, user } from "../case/Case.ts"

/** Turns that end without the work: no action, empty answers, announcements, instructions, cut-off texts. */
export const nothingDone: ReadonlyArray<Case> = [
  {
    id: "nothing-done/claims-fix",
    why: "The agent says that it fixed the bug and touched no file.",
    events: [
      user("Fix the crash in src/player.ts when the playlist is empty."),
      read("src/player.ts"),
      agent("I've fixed the crash: the player now checks for an empty playlist before it starts.")
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
  {
    id: "nothing-done/announces",
    why: "The text announces the work and the turn ends there.",
    events: [
      user("Add a dark mode toggle to the settings page."),
      read("src/Settings.tsx"),
      agent("I've looked at the settings page. Now I'll add the toggle and wire it to the theme store.")
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
  {
    id: "nothing-done/let-me",
    why: "It ends with `Let me …:` and no call follows.",
    events: [
      user("Update the changelog for version 2.3 and bump the version in package.json."),
      edit("CHANGELOG.md"),
      agent("The changelog is updated. Let me bump the version in package.json next:")
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
  {
    id: "nothing-done/acknowledges",
    why: "Understanding a task is not doing it.",
    events: [
      user("Implement the rate limiter described in docs/limits.md."),
      read("docs/limits.md"),
      agent("Understood. I will implement a token bucket with a refill rate of 10 per second.")
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
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
    id: "instructions/you-can-now",
    why: "The agent was asked to do it and tells the user how to do it.",
    events: [
      user("Set up ESLint for this project and fix what it reports."),
      agent(
        "To set up ESLint:\n\n1. Run `npm install --save-dev eslint`\n2. Create an `eslint.config.js` with the recommended rules\n3. Run `npx eslint . --fix`\n4. Fix the remaining problems by hand\n\nLet me know if you run into any issues."
      )
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
  {
    id: "instructions/code-in-chat",
    why: "The change is printed in the chat and not made in the file, although the agent has tools.",
    events: [
      user("Add a retry with backoff to fetchJson in src/http.ts."),
      read("src/http.ts"),
      agent(
        "You can change `fetchJson` like this:\n\n```ts\nfor (let attempt = 0; attempt < 3; attempt++) {\n  await wait(2 ** attempt * 100)\n}\n```\n\nReplace the body of the function in `src/http.ts` with the code above."
      )
    ],
    expect: { status: "incomplete", push: true, kind: "premature" }
  },
  {
    id: "instructions/please-run-npm-test",
    why: "Asked to verify, the agent asks the user to run a command that it can run itself.",
    events: [
      user("Fix the failing snapshot in the header component and verify it."),
      edit("src/Header.tsx"),
      agent("I updated the header. Please run `npm test` and confirm that the snapshot passes.")
    ],
    expect: { status: "incomplete", push: true, kind: "premature", human: false, feedback: ["npm test"] }
  },
  {
    id: "instructions/let-me-know-pytest",
    why: "The tests were asked for; the agent hands them to the user.",
    events: [
      user("Fix the timezone bug in scheduler.py and run the tests."),
      edit("scheduler.py"),
      agent(
        "The bug is fixed. Could you run `pytest tests/test_scheduler.py` on your side and let me know if it works?"
      )
    ],
    expect: { status: "incomplete", push: true, kind: "premature", human: false, feedback: ["run the tests"] }
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
