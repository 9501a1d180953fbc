import { agent, edit, harness, notice, read, run, user, write } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const quiet = (reason: StuckExpectation["reason"]): StuckExpectation => ({ reason, nudge: false })

const anything: StuckExpectation = quiet(["genuinely_stuck", "waiting_for_user", "working", "complete"])

const green = run("npm test", 0, "Tests:       32 passed, 32 total\n")
const red = run("npm test", 1, "Tests:       2 failed, 30 passed, 32 total\n")

const reminder = (attempt: number): string =>
  `[reflexion ${attempt}/3] ${attempt === 3 ? "Last reminder: the task" : "The task"} is ${attempt === 1 ? "not done yet" : "still not done"}.\n\n- tests: not run\n\nNext:\n1. Run npm test.`

/** Done, or nobody's business to push. */
export const quietSessions: ReadonlyArray<StuckCase> = [
  {
    id: "complete/green",
    why: "Asked for, done, proved.",
    silence: 3600,
    events: [
      user("Fix the rounding in src/tax.ts and run npm test."),
      edit("src/tax.ts"),
      green,
      agent("The rounding is fixed, and all 32 tests pass.")
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/answered",
    why: "A question was asked and answered.",
    silence: 300,
    events: [
      user("What does `--frozen-lockfile` do?"),
      agent("It makes the install fail when the lock file does not match package.json, instead of updating it.")
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/next-steps-of-the-users",
    why: "The work is done; what is listed is for the user to do.",
    silence: 300,
    events: [
      user("Add Stripe checkout to the shop and run the tests."),
      write("src/checkout.ts"),
      green,
      agent(
        "Checkout is implemented and all 32 tests pass.\n\nNext steps for you:\n1. Set STRIPE_SECRET_KEY in production\n2. Register the webhook in the Stripe dashboard\n3. Deploy"
      )
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/optional-next-steps",
    why: "Ideas for later after work that is done.",
    silence: 300,
    events: [
      user("Write a script that renames the photos by date."),
      write("rename.py"),
      run("python rename.py --dry-run samples", 0, "12 files would be renamed"),
      agent(
        "`rename.py` renames the photos by their EXIF date; a dry run over `samples` works.\n\nPossible next steps:\n- Support for videos\n- A flag to undo the last run"
      )
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/no-full-stop",
    why: "Many a last sentence has no full stop.",
    silence: 300,
    events: [
      user("Fix the rounding in src/tax.ts and run npm test."),
      edit("src/tax.ts"),
      green,
      agent("Fixed the rounding, all 32 tests pass", { completed: null })
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/ends-in-code",
    why: "An answer that ends in a closed block of code is whole.",
    silence: 300,
    events: [
      user("Show me how to read a file line by line in Go."),
      agent("Use a scanner:\n\n```go\ns := bufio.NewScanner(f)\nfor s.Scan() {\n  fmt.Println(s.Text())\n}\n```", {
        completed: null
      })
    ],
    expect: quiet(["complete", "working"])
  },
  {
    id: "complete/ends-in-a-link",
    why: "The link to the pull request is the end of the report.",
    silence: 300,
    events: [
      user("Fix the typo in the README and open a PR."),
      edit("README.md", "recieve", "receive"),
      run("git checkout -b fix-typo && git commit -am 'Fix typo' && git push -u origin fix-typo", 0),
      run("gh pr create --fill", 0, "https://github.com/acme/shop/pull/12"),
      agent("Opened the PR: https://github.com/acme/shop/pull/12", { completed: null })
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/grep-found-nothing",
    why: "That grep ends with 1 says that there is nothing left, which is the answer.",
    silence: 300,
    events: [
      user("Is `legacyFetch` still used anywhere?"),
      run("grep -rn legacyFetch src", 1),
      agent("No. `legacyFetch` has no uses left in `src`.")
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/edit-and-test",
    why: "Six rounds of edit and test, and green at the end: that is work, no loop.",
    silence: 300,
    events: [
      user("Make the tests pass."),
      ...["a", "b", "c", "d", "e", "f"].flatMap((to, index) => [
        edit("src/tax.ts", `before ${index}`, to),
        run("npm test", 1, `Tests:       ${6 - index} failed, ${26 + index} passed, 32 total\n`)
      ]),
      edit("src/tax.ts", "f", "g"),
      green,
      agent("All 32 tests pass. The rounding was applied before the discount.")
    ],
    expect: quiet("complete")
  },
  {
    id: "complete/german",
    why: "What the tests prove needs no language; who cannot read the text abstains.",
    silence: 300,
    events: [
      user("Behebe die Rundung und lass die Tests laufen."),
      edit("src/tax.ts"),
      green,
      agent("Die Rundung ist behoben, und alle 32 Tests sind grün.")
    ],
    expect: quiet(["complete", "working"])
  },
  {
    id: "complete/report-only",
    why: "To run the tests and report was the task; red is the answer.",
    silence: 300,
    events: [
      user("Run the tests and report back, don't fix anything."),
      red,
      agent("2 of 32 tests fail: `rounds down` and `rounds up`.")
    ],
    expect: quiet(["complete", "working"])
  },
  {
    id: "quiet/german-announcement",
    why: "Whether that is an announcement only a reader of German can tell: who cannot, abstains.",
    silence: 300,
    events: [
      user("Behebe den Parser und schreibe Tests dazu."),
      edit("src/parser.ts"),
      agent("Der Parser ist jetzt behoben. Als Nächstes werde ich die Tests für die Randfälle schreiben.")
    ],
    expect: quiet("working")
  },
  {
    id: "quiet/aborted",
    why: "The user pressed Escape in the middle of the sentence.",
    silence: 600,
    events: [
      user("Refactor the auth module."),
      agent("I'll start with the `login` function, which", { completed: false, outputTokens: 20 }),
      notice("aborted", "[Request interrupted by user]")
    ],
    expect: anything
  },
  {
    id: "quiet/aborted-and-woken",
    why: "The user stopped the agent; that a background task ended later changes nothing about it.",
    silence: 600,
    events: [
      user("Refactor the auth module."),
      notice("aborted"),
      harness("<task-notification>Background command finished</task-notification>"),
      agent("The command has finished. Next I'll refactor the login.")
    ],
    expect: anything
  },
  {
    id: "quiet/subagent",
    why: "A subagent answers to its parent.",
    silence: 600,
    session: { parentSessionId: "parent" },
    events: [
      user("Fix the date parser and add tests."),
      edit("src/date.ts"),
      agent("Fixed. Now I'll write the tests.")
    ],
    expect: anything
  },
  {
    id: "quiet/reminded-three-times",
    why: "Three reminders are all that one message of the user's is worth.",
    silence: 600,
    events: [
      user("Fix the date parser and run npm test."),
      edit("src/date.ts", "a", "b"),
      harness(reminder(1)),
      edit("src/date.ts", "b", "c"),
      harness(reminder(2)),
      edit("src/date.ts", "c", "d"),
      harness(reminder(3)),
      edit("src/date.ts", "d", "e"),
      agent("Now I'll run the tests.")
    ],
    expect: quiet("genuinely_stuck")
  },
  {
    id: "quiet/user-said-stop",
    why: "The user said stop: there is nothing to go on with.",
    silence: 600,
    events: [
      user("Refactor the auth module."),
      read("src/auth.ts"),
      agent("I'll start with the login.", { completed: null }),
      user("stop"),
      agent("Stopped. I was about to change the login function.")
    ],
    expect: quiet(["waiting_for_user", "complete", "working"])
  },
  {
    id: "quiet/no-task",
    why: "A session that was opened and never asked anything.",
    silence: 7200,
    events: [harness("SessionStart: the repository is on branch main.")],
    expect: quiet(["working", "waiting_for_user"])
  }
]
