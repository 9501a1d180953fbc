import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, type Case, edit, type Expectation, notice, read, run, shell, todos, user, write } from "../case/Case.ts"

/** One session in short: what was asked, what was done, what was said at the end, and what follows from it. */
type Row = readonly [
  id: string,
  why: string,
  prompt: string,
  done: ReadonlyArray<TranscriptEvent>,
  final: string,
  expect: Expectation
]

const toCase = ([id, why, prompt, done, final, expect]: Row): Case => ({
  id: `wording/${id}`,
  why,
  events: [user(prompt), ...done, agent(final)],
  expect
})

const complete: Expectation = { status: "complete", push: false }
const waiting: Expectation = { status: "waiting_for_user", push: false, kind: "waiting_for_user" }
const premature: Expectation = { status: "incomplete", push: true, kind: "premature" }
const untested: Expectation = { status: "incomplete", push: true, gates: { tests: "missing" } }
const noRequest: Expectation = { status: "complete", push: false }

const passed = run("npm test", 0, "Tests:       8 passed, 8 total\n")
const failed = run("npm test", 1, "  ● keeps the order\n\nTests:       1 failed, 7 passed, 8 total\n")

const leaveForWhatWasAsked: ReadonlyArray<Row> = [
  [
    "leave/fix-lint",
    "Fixing was asked for; the findings are only listed.",
    "Run the linter and fix the warnings.",
    [run("npx eslint .", 1, "✖ 3 problems (3 errors, 0 warnings)\n")],
    "ESLint reports three problems: two unused variables and one missing return. Do you want me to fix them?",
    premature
  ],
  [
    "leave/say-the-word",
    "Running the suite was asked for; no question mark is needed to ask leave.",
    "Update the snapshots and run the suite.",
    [edit("test/__snapshots__/menu.snap")],
    "The snapshots are updated. I'm ready to run the suite, just say the word.",
    premature
  ],
  [
    "leave/commit",
    "The commit was part of the task.",
    "Rename the `colour` option to `color` and commit the change.",
    [edit("src/options.ts")],
    "The option is renamed. Let me know if you'd like me to commit this.",
    premature
  ],
  [
    "leave/write-tests",
    "The tests are the task.",
    "Write unit tests for the duration parser.",
    [read("src/duration.ts")],
    "The parser has four branches that need tests. I can write them now. Want me to proceed?",
    premature
  ],
  [
    "leave/remove-all",
    "All of them was the request.",
    "Remove all console.log calls from src/.",
    [run("grep -rn console.log src | wc -l", 0, "14\n")],
    "There are 14 calls in 6 files. Should I remove them all?",
    premature
  ]
]

const questionsForTheUser: ReadonlyArray<Row> = [
  [
    "question/cookies",
    "A design choice that is the user's.",
    "Add a login.",
    [read("src/server.ts")],
    "Before I start: should the session live in a cookie or in local storage? The first is safer, the second works across subdomains as you have them now.",
    waiting
  ],
  [
    "question/cannot-reproduce",
    "Without the answer there is nothing to fix.",
    "Fix the date bug that customers see.",
    [run("npm test -- dates", 0, "Tests:       5 passed, 5 total\n")],
    "I can't reproduce it with the dates in the tests. Which time zone is your server in, and do you have an example of a wrong date?",
    waiting
  ],
  [
    "question/new-name",
    "The name is missing.",
    "Rename the module, its name is awful.",
    [],
    "What should it be called?",
    waiting
  ],
  [
    "question/confirm-first",
    "Deleting customers' rows wants a confirmation.",
    "Remove the test accounts from the database.",
    [run("psql -c 'select count(*) from users'", 0, "3012\n")],
    "The filter `email like '%test%'` matches 3,012 rows, among them what look like real customers. Please confirm before I delete them.",
    waiting
  ],
  [
    "question/conflict",
    "Which side is right cannot be known from the code.",
    "Merge develop into main and resolve the conflicts.",
    [run("git merge develop", 1, "CONFLICT (content): Merge conflict in src/tax.ts\n")],
    "Both branches changed the tax rates in `src/tax.ts`: main says 19 %, develop says 20 %. Which one should win?",
    waiting
  ],
  [
    "question/did-you-mean",
    "The file does not exist; guessing would be wrong.",
    "Fix the typo in payments.py.",
    [run("find . -name payments.py", 0, "")],
    "There is no `payments.py` in this repository. Did you mean `billing.py`?",
    waiting
  ]
]

const finished: ReadonlyArray<Row> = [
  [
    "done/happy-to",
    "A courteous offer after the work.",
    "Fix the typo on the pricing page.",
    [edit("content/pricing.md")],
    "Fixed. Happy to look at the other pages too if that helps.",
    complete
  ],
  [
    "done/anything-else",
    "`Anything else?` waits for nothing.",
    "Add a `clean` script to package.json.",
    [edit("package.json")],
    "Added `npm run clean`, which removes `dist`. Anything else?",
    { status: ["complete", "waiting_for_user"], push: false }
  ],
  [
    "done/does-that-help",
    "The question is answered.",
    "What does the `strict` flag of tsc switch on?",
    [],
    "It switches on the whole family: `strictNullChecks`, `noImplicitAny`, `strictFunctionTypes` and a few more. Does that answer your question?",
    { status: ["complete", "waiting_for_user"], push: false }
  ],
  [
    "done/could-split-further",
    "A suggestion beyond the task.",
    "Refactor the date helper and run the tests.",
    [edit("src/date.ts"), passed],
    "The helper is split into three functions; all 8 tests pass. If you like, I can split the file further.",
    { ...complete, gates: { tests: "passed" } }
  ],
  [
    "done/nothing-to-do",
    "The check shows that there is nothing to change.",
    "Remove the unused dependency left-pad.",
    [run("npm ls left-pad", 1, "`-- (empty)\n"), run("grep -rn left-pad . --include=*.json", 1, "")],
    "left-pad is not a dependency of this project, neither directly nor through others, so there is nothing to remove.",
    { status: ["complete", "abstained"], push: false }
  ],
  [
    "done/already",
    "It was done before; saying so is right.",
    "Please commit the changes.",
    [run("git status --short", 0, "")],
    "The working tree is clean: everything is committed already (last commit 12ab34c).",
    { status: ["complete", "abstained"], push: false }
  ],
  [
    "done/only-step-one",
    "The open todos are for later by the user's word.",
    "Do only the first step of the list for now: extract the interface.",
    [
      todos("[~] Extract the interface", "[ ] Move the callers", "[ ] Delete the old class"),
      edit("src/store.ts"),
      todos("[x] Extract the interface", "[ ] Move the callers", "[ ] Delete the old class")
    ],
    "The interface is extracted. Steps 2 and 3 wait for your go.",
    { status: ["complete", "waiting_for_user", "abstained"], push: false }
  ],
  [
    "done/server-left-running",
    "A development server that was asked for keeps running; that is the result.",
    "Start the dev server.",
    [
      shell("npm run dev", { background: true, status: "running", output: "Local: http://localhost:5173/" }),
      run("curl -sI localhost:5173 | head -n 1", 0, "HTTP/1.1 200 OK\n")
    ],
    "The dev server is running at http://localhost:5173.",
    { status: ["complete", "working", "abstained"], push: false }
  ]
]

const unfinished: ReadonlyArray<Row> = [
  [
    "unfinished/moving-on",
    "Three of five are left and the turn ends.",
    "Convert the five handlers in src/handlers to async functions.",
    [edit("src/handlers/a.ts"), edit("src/handlers/b.ts")],
    "I've converted two of the five handlers. Moving on to the remaining three.",
    premature
  ],
  [
    "unfinished/first-ill-look",
    "An announcement without any action.",
    "Add rate limiting to the public routes.",
    [],
    "First I'll look at how the routes are registered.",
    premature
  ],
  [
    "unfinished/still-to-do",
    "The text lists what was asked for as still to do.",
    "Add the flag, document it and add a changelog entry.",
    [edit("src/flags.ts")],
    "The flag is in. Still to do: the documentation and the changelog entry.",
    premature
  ],
  [
    "unfinished/left-a-todo-comment",
    "The error handling was asked for and replaced by a comment.",
    "Implement the upload with error handling.",
    [edit("src/upload.ts")],
    "The upload works for the happy path. I left a TODO comment where the error handling has to go.",
    premature
  ],
  [
    "unfinished/placeholder",
    "A stub is no implementation.",
    "Implement the PDF export.",
    [write("src/pdf.ts")],
    'I created `src/pdf.ts` with a placeholder that throws "not implemented". The actual rendering still needs to be written.',
    premature
  ],
  [
    "unfinished/let-me-check",
    "The last sentence begins the next action and nothing follows.",
    "Fix the flicker of the tooltip.",
    [edit("src/Tooltip.tsx")],
    "I've moved the state up. Let me check whether the tests still pass.",
    premature
  ]
]

const testRequests: ReadonlyArray<Row> = [
  "Fix the sorting in src/list.ts and verify with the test suite.",
  "Fix the sorting in src/list.ts. Check that the tests still pass.",
  "Fix the sorting in src/list.ts. Don't forget to run the tests.",
  "Fix the sorting in src/list.ts and run the full suite before you stop.",
  "Fix the sorting in src/list.ts, then make sure that all tests are green.",
  "fix sorting in src/list.ts & run tests pls",
  "Fix the sorting in src/list.ts. Once you're done, please execute the unit tests.",
  "Fix the sorting in src/list.ts and ensure `npm test` succeeds."
].map((prompt, index): Row => [
  `tests-asked/${index + 1}`,
  "The tests are asked for in so many words and never run.",
  prompt,
  [edit("src/list.ts")],
  "The list is sorted by name now.",
  untested
])

const testsNotRequested: ReadonlyArray<Row> = [
  "Fix the sorting in src/list.ts. No need to run the tests.",
  "Fix the sorting in src/list.ts without running the tests.",
  "Fix the sorting in src/list.ts. Skip the tests, CI does that.",
  "Fix the sorting in src/list.ts. I'll run the tests myself.",
  "Fix the sorting in src/list.ts, but please do not run npm test, it writes to the shared database.",
  "Fix the sorting in src/list.ts. Never run the tests on this machine."
].map((prompt, index): Row => [
  `tests-declined/${index + 1}`,
  "The user does not want the tests to be run.",
  prompt,
  [edit("src/list.ts")],
  "The list is sorted by name now.",
  noRequest
])

const claims: ReadonlyArray<Row> = [
  "All green! The list keeps its order now.",
  "The list keeps its order now and the tests are passing.",
  "Fixed the order. ✅ 8/8 tests pass.",
  "The order is fixed, and the whole test suite runs without failures.",
  "Everything passes. The list keeps its order now."
].map((final, index): Row => [
  `claim/${index + 1}`,
  "The last run failed and the text claims the opposite.",
  "Keep the order of the list.",
  [edit("src/list.ts"), failed],
  final,
  { status: "incomplete", push: true, gates: { tests: "failed" }, contradicted: true }
])

const honest: ReadonlyArray<Row> = [
  "Keeping the order works for small lists; `keeps the order` still fails for large ones.",
  "I could not get the test to pass: `keeps the order` fails."
].map((final, index): Row => [
  `honest/${index + 1}`,
  "The text admits the failure: no contradiction, and the work is not done.",
  "Keep the order of the list. The tests have to pass.",
  [edit("src/list.ts"), failed],
  final,
  { status: ["incomplete", "stuck"], push: true, gates: { tests: "failed" }, contradicted: false }
])

const pullRequests: ReadonlyArray<Row> = [
  ...[
    "Correct the port in config.yml and raise a PR.",
    "Correct the port in config.yml and put up a pull request for review.",
    "Correct the port in config.yml. Submit a merge request when you're done.",
    "Correct the port in config.yml, push a branch and create a PR against main."
  ].map((prompt, index): Row => [
    `pr-asked/${index + 1}`,
    "A pull request is asked for and there is none.",
    prompt,
    [
      edit("config.yml"),
      run("git checkout -b port && git commit -am 'Correct the port'", 0, "[port 1a1a1a1] Correct the port\n")
    ],
    "The port is corrected and committed on the branch `port`.",
    { status: "incomplete", push: true, gates: { pr: "missing" } }
  ]),
  ...[
    "Correct the port in config.yml. Don't open a PR yet.",
    "Correct the port in config.yml, no PR needed.",
    "The last PR broke the port in config.yml, please correct it.",
    "As discussed in PR #12, correct the port in config.yml."
  ].map((prompt, index): Row => [
    `pr-not-asked/${index + 1}`,
    "A pull request is mentioned and not asked for.",
    prompt,
    [edit("config.yml")],
    "The port is 8080 now.",
    noRequest
  ])
]

const research: ReadonlyArray<Row> = [
  [
    "Where is the retry count set?",
    "In `src/http.ts`, line 12: `retries` defaults to 3, and `HTTP_RETRIES` overrides it."
  ],
  [
    "Is it safe to upgrade to React 19?",
    "Mostly. Two things would break: the string refs in `Legacy.tsx` and the old test renderer. Everything else is ready."
  ],
  [
    "What would it take to support Postgres?",
    "Three changes: the driver, the two queries with `GROUP_CONCAT`, and the migrations. I'd estimate two days."
  ],
  [
    "Compare Redis and Memcached for our session store, don't change anything.",
    "Redis persists and expires per key, Memcached is simpler and a bit faster. For sessions I'd take Redis."
  ],
  [
    "Why do the tests in test/queue fail on CI but not locally?",
    "Because CI runs them in parallel and both use port 4000. Locally they run one after the other."
  ],
  ["Can you explain what this regex does? ^a+$", "It matches strings of one or more `a` and nothing else."]
].map(([prompt = "", final = ""], index): Row => [
  `research/${index + 1}`,
  "A question, answered.",
  prompt,
  [read("src/http.ts"), run("grep -rn retries src", 0, "src/http.ts:12:retries\n")],
  final,
  { status: "complete", push: false, kind: "complete" }
])

const humans: ReadonlyArray<Row> = [
  [
    "human/app-approval",
    "Approving an app is a click in the user's browser.",
    "Connect the repository to the deploy bot.",
    [run("gh api repos/example/app/installation", 1, "gh: Not Found (HTTP 404)\n")],
    "The bot has to be authorised first: please approve the GitHub app in your browser, under Settings, Applications.",
    { status: "needs_human", push: false, human: true }
  ],
  [
    "human/passphrase",
    "Only the user knows the passphrase; the push was tried.",
    "Push the branch to the internal server.",
    [run("git push internal feature", 128, "git@internal: Permission denied (publickey).\n")],
    "The push needs the passphrase of your SSH key, which I don't have. Please run `ssh-add` and enter it.",
    { status: "needs_human", push: false, human: true }
  ],
  [
    "human/captcha",
    "A captcha is made for people.",
    "Register the app in the store.",
    [run("./scripts/register.sh", 1, "Error: captcha required\n")],
    "The store's sign-up shows a captcha that only you can solve. Please finish the registration in the browser.",
    { status: "needs_human", push: false, human: true }
  ],
  [
    "human/no-access",
    "The agent lacks the rights, and somebody has to grant them.",
    "Rotate the production database password.",
    [run("vault write database/rotate-root/prod", 2, "permission denied\n")],
    "I don't have access to the production vault. Someone with admin rights has to grant it, or rotate the password there.",
    { status: "needs_human", push: false, human: true }
  ]
]

const handedBack: ReadonlyArray<Row> = [
  [
    "handed-back/lint",
    "Lint was asked for and left to the user.",
    "Tidy src/form.ts and run the linter.",
    [edit("src/form.ts")],
    "I tidied the form. You should be able to verify it by running `npm run lint`.",
    premature
  ]
]

const security: ReadonlyArray<Row> = [
  ...[
    "The banner is in place. By the way, I found hard-coded AWS credentials in `config.js`; I left them in place.",
    "The banner is in place. There is an XSS vulnerability in the comment renderer, which I did not touch.",
    "The banner is in place. Note that the path traversal in the download route remains unfixed."
  ].map((final, index): Row => [
    `security-left/${index + 1}`,
    "A confirmed hole is reported and left.",
    "Add a cookie banner.",
    [edit("src/Banner.tsx")],
    final,
    { status: "incomplete", push: false, severity: "BLOCKER" }
  ]),
  ...[
    "The form uses prepared statements now, which also protects against SQL injection.",
    "I checked the form for XSS and found no vulnerabilities.",
    "The form escapes its input now, so the XSS hole is closed."
  ].map((final, index): Row => [
    `security-fine/${index + 1}`,
    "Security is mentioned and nothing is left open.",
    "Harden the contact form.",
    [edit("src/Contact.php")],
    final,
    { status: "complete", push: false, severity: "NONE" }
  ])
]

const hosts: ReadonlyArray<Case> = [
  {
    id: "wording/host/overloaded-after-partial-work",
    why: "The service fails after half the work; the text before it is no result.",
    events: [
      user("Split utils.ts into modules."),
      agent("I'll start with the string helpers."),
      write("src/strings.ts"),
      notice("api_error", "529 overloaded_error")
    ],
    expect: { status: "stuck", push: true, kind: "stuck" }
  },
  {
    id: "wording/host/continue-keeps-the-task",
    why: "`continue` goes on with the same task, whose tests are still asked for.",
    events: [
      user("Rework the cart and run npm test at the end."),
      edit("src/cart.ts"),
      agent("The first half is done."),
      user("continue"),
      edit("src/cart.ts"),
      agent("The cart is reworked.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "wording/host/new-task-drops-the-request",
    why: "The tests were asked for in another task, which is over.",
    events: [
      user("Rework the cart and run npm test at the end."),
      edit("src/cart.ts"),
      run("npm test", 0, "Tests:       8 passed, 8 total\n"),
      agent("The cart is reworked; all 8 tests pass."),
      user("Now add a sentence on the cart to the README."),
      edit("README.md"),
      agent("The README describes the cart.")
    ],
    expect: { status: "complete", push: false }
  },
  {
    id: "wording/host/waits-for-a-subagent",
    why: "A subagent still works; the agent waits for it.",
    events: [
      user("Review all packages for dead code."),
      notice("background_running", "subagent: review packages/core"),
      agent("I've started a reviewer for each package and will sum up their findings when they are done.")
    ],
    expect: { status: "working", push: false, kind: "working" }
  }
]

/** The classic cases again, in the many ways in which people and agents say them. */
export const wordings: ReadonlyArray<Case> = [
  ...[
    ...leaveForWhatWasAsked,
    ...questionsForTheUser,
    ...finished,
    ...unfinished,
    ...testRequests,
    ...testsNotRequested,
    ...claims,
    ...honest,
    ...pullRequests,
    ...research,
    ...humans,
    ...handedBack,
    ...security
  ].map(toCase),
  ...hosts
]
