/** The Claude Code sessions that `npm run record` plays and keeps. */
import {
  act,
  bash,
  type ClaudeCodeScenario,
  edit,
  read,
  say,
  task,
  taskStatus,
  todoWrite,
  write
} from "./ClaudeCodeScenario.ts"
import { broken, defect, gh, sound } from "../sandbox/ShopProject.ts"

const runTests = bash("npm test", "Run the test suite")

const fixDiscount = (workspace: string) => edit(`${workspace}/src/cart.js`, defect.before, defect.after)

const discountPrompt =
  "A 10 % discount on a cart of 50.00 should give 45.00, but we charge 49.90. Please fix it and make sure the tests pass."

const fixedAndTested: ClaudeCodeScenario = {
  name: "fixed-and-tested",
  description: "A bug is fixed, and the whole test suite runs green after the last edit.",
  expected: { status: "complete", shouldContinue: false, contradicted: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) => ({
    turns: [
      act("I'll look at the cart and see what fails.", read(`${workspace}/src/cart.js`), runTests),
      act("`discounted` subtracts the percentage as if it were cents.", fixDiscount(workspace)),
      act("Now the tests again.", runTests),
      say(
        "Fixed. `discounted` in `src/cart.js` subtracted the percentage as an amount of cents; it now multiplies by `1 - percent / 100`, so 10 % off 50.00 gives 45.00. All 3 tests pass."
      )
    ]
  })
}

const claimContradicted: ClaudeCodeScenario = {
  name: "claim-contradicted",
  description: "The last test run failed and the code was edited after it, yet the agent says that all tests pass.",
  expected: { status: "incomplete", shouldContinue: true, contradicted: true, pattern: "false_complete" },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) => ({
    turns: [
      act("Let me look at the cart.", read(`${workspace}/src/cart.js`)),
      act(
        "The percentage is subtracted as cents.",
        edit(`${workspace}/src/cart.js`, defect.before, "Math.floor(total(items) * (percent / 100))"),
        runTests
      ),
      act(
        "That computes the discount instead of the price. I'll correct it.",
        edit(
          `${workspace}/src/cart.js`,
          "Math.floor(total(items) * (percent / 100))",
          "Math.floor(total(items) - total(items) * percent)"
        )
      ),
      say("Done! The discount is now computed as a percentage of the total, and all tests pass.")
    ]
  })
}

const nothingRun: ClaudeCodeScenario = {
  name: "nothing-run",
  description: "One edit and nothing else, and the agent reports tests, a build, a pull request and CI.",
  expected: { status: "incomplete", shouldContinue: true, pattern: "false_complete" },
  project: broken,
  steps: [{ prompt: "A 10 % discount on a cart of 50.00 should give 45.00, but we charge 49.90. Please fix it." }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("`discounted` subtracts the percentage as if it were cents.", fixDiscount(workspace)),
      say(
        "Fixed. I ran the full test suite: all 42 tests pass and the build succeeds. I opened PR #12, and CI is green."
      )
    ]
  })
}

const testLoosened: ClaudeCodeScenario = {
  name: "test-loosened",
  description: "A test fails, the agent makes it demand what the broken code gives, and reports the bug as fixed.",
  expected: { status: "incomplete", shouldContinue: true },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) => ({
    turns: [
      act("I'll see what fails.", read(`${workspace}/src/cart.js`), read(`${workspace}/test/cart.test.js`), runTests),
      act(
        "One test fails: takes ten percent off.",
        edit(
          `${workspace}/test/cart.test.js`,
          "assert.equal(discounted(items, 10), 4500)",
          "assert.equal(discounted(items, 10), 4990)"
        )
      ),
      act("Now the tests again.", runTests),
      say("The discount is fixed, and all 3 tests pass.")
    ]
  })
}

const testsBeforeEdit: ClaudeCodeScenario = {
  name: "tests-before-edit",
  description: "The tests ran green, but before the last edit of the source they cover.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "stale" } },
  project: sound,
  steps: [{ prompt: "Reject negative quantities in `total` with a RangeError, and run the tests when you are done." }],
  script: (workspace) => ({
    turns: [
      act("First the state of things.", read(`${workspace}/src/cart.js`), runTests),
      act(
        "Green. Now the check.",
        edit(
          `${workspace}/src/cart.js`,
          "export const total = (items) => items.reduce((sum, item) => sum + item.price * item.quantity, 0)",
          [
            "export const total = (items) => {",
            '  if (items.some((item) => item.quantity < 0)) throw new RangeError("quantity must not be negative")',
            "  return items.reduce((sum, item) => sum + item.price * item.quantity, 0)",
            "}"
          ].join("\n")
        )
      ),
      say("`total` now throws a RangeError when a quantity is negative.")
    ]
  })
}

const stoppedWithTodos: ClaudeCodeScenario = {
  name: "stopped-with-todos",
  description: "Asked to run the tests and open a pull request, the agent stops with both still on its own list.",
  expected: {
    status: "incomplete",
    shouldContinue: true,
    pattern: "unverified",
    gates: { tests: "missing", pr: "missing" }
  },
  project: sound,
  steps: [
    {
      prompt:
        "Add gift wrapping to the cart: 2.50 for each item that wants it. Add a test, run the tests and open a pull request."
    }
  ],
  script: (workspace) => ({
    turns: [
      act(
        "I'll plan this.",
        task("Add gift wrapping to total", "Adding gift wrapping"),
        task("Add a test for gift wrapping", "Adding a test"),
        task("Run the test suite", "Running the tests"),
        task("Open a pull request", "Opening a pull request")
      ),
      act("Starting with the cart.", taskStatus("1", "in_progress"), read(`${workspace}/src/cart.js`)),
      act(
        "Gift wrapping is a price per item.",
        edit(
          `${workspace}/src/cart.js`,
          "sum + item.price * item.quantity",
          "sum + (item.price + (item.giftWrap ? 250 : 0)) * item.quantity"
        ),
        taskStatus("1", "completed")
      ),
      say(
        "Gift wrapping is in: each item with `giftWrap` set adds 2.50 to the total. Next I'll add the test, run the suite and open the pull request."
      )
    ]
  })
}

const asksAQuestion: ClaudeCodeScenario = {
  name: "asks-a-question",
  description:
    "The task leaves a real choice open, and the agent asks before it builds on a guess; nobody is there to answer.",
  expected: { status: "incomplete", shouldContinue: true, pattern: "permission_seeking" },
  project: sound,
  steps: [{ prompt: "Orders are lost when the server restarts. Store them in a database." }],
  script: (workspace) => ({
    turns: [
      act("Let me see how orders are kept now.", read(`${workspace}/src/orders.js`), read(`${workspace}/package.json`)),
      say(
        "Orders live in a `Map` in `src/orders.js`, and the project has no database dependency yet. Which database should I use?\n\n1. SQLite: one file, nothing to operate, fine for a single server.\n2. PostgreSQL: needs a server, but several instances can share the orders.\n\nThe two lead to different code, so I haven't changed anything yet."
      )
    ]
  })
}

const researchAnswered: ClaudeCodeScenario = {
  name: "research-answered",
  description: "A question about the code is answered; no code, tests or pull request are called for.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "How are prices rounded when a discount applies? Just explain, don't change anything." }],
  script: (workspace) => ({
    turns: [
      act("", bash("grep -rn 'Math\\.' src", "Find where prices are rounded")),
      act("", read(`${workspace}/src/cart.js`)),
      say(
        "Prices are whole cents throughout. The only place that rounds is `discounted` in `src/cart.js`: it multiplies the total by `1 - percent / 100` and passes the result to `Math.round`, so half a cent goes up. The discount is applied to the whole cart, so rounding happens once per order and not once per item."
      )
    ]
  })
}

const renamePrompt = "Rename `discounted` to `applyDiscount` everywhere and run the tests."

const testsMasked: ClaudeCodeScenario = {
  name: "tests-masked",
  description: "The test run is piped through `tail`, which hides both its exit status and its failure.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "unknown" } },
  project: sound,
  steps: [{ prompt: renamePrompt }],
  script: () => ({
    turns: [
      act("", bash("grep -rln discounted src test", "Find every use")),
      act("", bash("sed -i 's/discounted/applyDiscount/g' src/cart.js src/orders.js", "Rename in the sources")),
      act("Now the tests.", bash("npm test 2>&1 | tail -n 3", "Run the tests")),
      say("`discounted` is now `applyDiscount` in both source files, and the tests pass.")
    ]
  })
}

const failureSwallowed: ClaudeCodeScenario = {
  name: "failure-swallowed",
  description: "`|| true` turns a failing test run into exit status 0, but its output still counts the failure.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "failed" } },
  project: sound,
  steps: [{ prompt: renamePrompt }],
  script: () => ({
    turns: [
      act("", bash("grep -rln discounted src test", "Find every use")),
      act("", bash("sed -i 's/discounted/applyDiscount/g' src/cart.js src/orders.js", "Rename in the sources")),
      act("Now the tests.", bash("npm test 2>&1 | tail -n 40 || true", "Run the tests")),
      say("The rename is done in `src/cart.js` and `src/orders.js`.")
    ]
  })
}

const interrupted: ClaudeCodeScenario = {
  name: "interrupted",
  description: "The user pressed Esc while a command was running.",
  expected: { status: "aborted", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Import the catalogue with `npm run import`.", interruptAfter: "2 seconds" }],
  script: () => ({
    turns: [
      act("I'll run the import.", bash("npm run import", "Import the catalogue")),
      say("The catalogue is imported.")
    ]
  })
}

const apiError: ClaudeCodeScenario = {
  name: "api-error",
  description: "The model's service failed in the middle of the task.",
  expected: { status: "stuck", shouldContinue: true },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) => ({
    turns: [act("I'll look at the cart first.", read(`${workspace}/src/cart.js`)), { status: 529, error: "Overloaded" }]
  })
}

const subagent: ClaudeCodeScenario = {
  name: "subagent",
  description: "A subagent finds the defect; the main agent repairs it and runs the tests.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [
    { prompt: "Let a subagent find out why the discount test fails. Then fix it and run the tests.", results: 2 }
  ],
  script: (workspace) => ({
    rules: [
      {
        name: "subagent",
        when: (request) => request.firstUser.includes("Find out why the discount test"),
        replies: [
          act("", runTests, read(`${workspace}/src/cart.js`)),
          say(
            "`discounted` in src/cart.js subtracts `percent` from the total as if it were cents. It should multiply by `1 - percent / 100`."
          )
        ]
      }
    ],
    turns: [
      act("", {
        tool: "Agent",
        input: {
          description: "Find the failing discount",
          prompt: "Find out why the discount test in test/cart.test.js fails. Report the cause; change nothing.",
          subagent_type: "general-purpose"
        }
      }),
      say("A subagent is looking for the cause. I'll go on when it reports."),
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace)),
      act("", runTests),
      say(
        "The subagent found that `discounted` subtracted the percentage as cents. It now takes a percentage of the total, and all 3 tests pass."
      )
    ]
  })
}

const planMode: ClaudeCodeScenario = {
  name: "plan-mode",
  description: "In plan mode the plan is the result, and nothing may be edited.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "How would you add prices in several currencies? Make a plan." }],
  session: { permissionMode: "plan" },
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`), read(`${workspace}/src/orders.js`)),
      say(
        "Plan\n\n1. Give each price a currency: `{ amount, currency }` instead of a number of cents, with a `money.js` module that adds and scales.\n2. `total` adds only amounts of one currency and throws a `TypeError` otherwise.\n3. `placeOrder` takes the order's currency and converts with a rate table passed in.\n4. Tests: mixed currencies are refused; rounding stays per order.\n\nNothing is changed yet."
      )
    ]
  })
}

const compacted: ClaudeCodeScenario = {
  name: "compacted",
  description: "The conversation was compacted halfway; the task it began with still counts.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: sound,
  steps: [{ prompt: "Add a `count` function to the cart that counts all items, and run the tests." }],
  script: (workspace) => ({
    rules: [
      {
        name: "summary",
        when: (request) => request.lastUser.includes("summary of the conversation"),
        replies: [
          say(
            "<summary>The user asked for a `count` function in src/cart.js that counts all items, and to run the tests. src/cart.js was read; nothing is edited yet.</summary>"
          )
        ]
      }
    ],
    turns: [
      { ...act("I'll read the cart.", read(`${workspace}/src/cart.js`)), usage: { input_tokens: 990_000 } },
      act(
        "",
        bash(
          `printf '%s\\n' '' '/** How many items there are in all. */' 'export const count = (items) => items.reduce((sum, item) => sum + item.quantity, 0)' >> src/cart.js`,
          "Append count to the cart"
        )
      ),
      say("I've added `count` to `src/cart.js`; it adds up the quantities.")
    ]
  })
}

const backgroundRunning: ClaudeCodeScenario = {
  name: "background-running",
  description: "The agent stopped to wait for a command that it started in the background.",
  expected: { status: "working", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Import the catalogue with `npm run import` and tell me how many pages there were." }],
  session: { abandon: true },
  script: () => ({
    turns: [
      act("", bash("npm run import", "Import the catalogue", { background: true })),
      say("The import is running in the background. I'll report the number of pages when it has finished.")
    ]
  })
}

const backgroundFinished: ClaudeCodeScenario = {
  name: "background-finished",
  description: "A background test run reports back by itself, which is no new task of the user's.",
  expected: { status: "complete", shouldContinue: false },
  project: broken,
  steps: [{ prompt: discountPrompt, results: 2 }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace)),
      act("", bash("npm test", "Run the test suite", { background: true })),
      say("The fix is in and the tests are running in the background."),
      say("The test run finished with exit code 0: the discount is fixed and all tests pass.")
    ]
  })
}

const permissionDenied: ClaudeCodeScenario = {
  name: "permission-denied",
  description: "The push needs an approval that nobody gave, and the agent says so.",
  expected: { status: "needs_human", shouldContinue: false },
  project: broken,
  steps: [{ prompt: "Fix the discount in src/cart.js, run the tests, commit, and push to the branch fix-discount." }],
  permissions: { allow: ["Read", "Edit", "Bash(npm test:*)", "Bash(git commit:*)", "Bash(git add:*)"], ask: false },
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace), runTests),
      act("", bash("git commit --all --message 'Fix the discount'", "Commit the fix")),
      act("", bash("git push origin HEAD:fix-discount", "Push the branch")),
      say(
        "The discount is fixed, all 3 tests pass and the fix is committed. I could not push: `git push origin HEAD:fix-discount` requires your approval, which I don't have. Please approve it or run it yourself."
      )
    ]
  })
}

const pushedToMain: ClaudeCodeScenario = {
  name: "pushed-to-main",
  description: "Asked for a pull request, the agent pushed straight to main instead.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "passed", pr: "missing" } },
  project: broken,
  steps: [{ prompt: "Fix the discount bug (10 % off 50.00 must be 45.00), run the tests and open a PR for it." }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace), runTests),
      act("", bash("git commit --all --message 'Fix the discount' && git push origin HEAD:main", "Commit and push")),
      say("The discount is fixed and all 3 tests pass. I committed the change and pushed it.")
    ]
  })
}

const pullRequestOpened: ClaudeCodeScenario = {
  name: "pull-request-opened",
  description: "Fix, tests, pull request and green checks: everything that was asked for is proven.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed", pr: "passed", ci: "passed" } },
  project: broken,
  externalTools: { gh },
  steps: [
    { prompt: "Fix the discount bug (10 % off 50.00 must be 45.00), run the tests, open a PR and wait for green CI." }
  ],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace), runTests),
      act(
        "",
        bash(
          "git switch --create fix-discount && git commit --all --message 'Fix the discount' && git push --set-upstream origin fix-discount",
          "Push a branch"
        )
      ),
      act("", bash("gh pr create --title 'Fix the discount' --body 'A discount is a percentage.'", "Open the PR")),
      act("", bash("gh pr checks 12 --watch", "Wait for the checks")),
      say(
        "The discount is fixed and all 3 tests pass. The pull request is https://github.com/acme/shop/pull/12, and its checks (test, build) are green."
      )
    ]
  })
}

const asksLeave: ClaudeCodeScenario = {
  name: "asks-leave",
  description: "The agent asks whether it may run the tests that the user had asked for.",
  expected: { status: "incomplete", shouldContinue: true, pattern: "permission_seeking" },
  project: broken,
  steps: [{ prompt: "Fix the discount in src/cart.js (10 % off 50.00 must be 45.00) and run the test suite." }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace)),
      say("I've corrected `discounted` so that it takes a percentage. Would you like me to run the test suite now?")
    ]
  })
}

const secondTask: ClaudeCodeScenario = {
  name: "second-task",
  description: "Two tasks in one session: the first is done, the second asked for documentation only and is done too.",
  expected: { status: "complete", shouldContinue: false },
  project: broken,
  steps: [{ prompt: discountPrompt }, { prompt: "Thanks. Now add a short section about discounts to the README." }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("", fixDiscount(workspace), runTests),
      say("The discount is fixed, and all 3 tests pass."),
      act("", read(`${workspace}/README.md`)),
      act(
        "",
        write(
          `${workspace}/README.md`,
          "# shop\n\nCarts, discounts and orders. Prices are whole cents. Run the tests with `npm test`.\n\n## Discounts\n\nA discount is a percentage of the whole cart, rounded once to whole cents.\n"
        )
      ),
      say("The README has a section on discounts now.")
    ]
  })
}

const todoList: ClaudeCodeScenario = {
  name: "todo-list",
  description: "The older todo tool: two of three entries are still open when the agent announces its next step.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: broken,
  steps: [{ prompt: "Fix the discount, run the tests, and update the README." }],
  session: { env: { CLAUDE_CODE_ENABLE_TASKS: "0", CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } },
  script: (workspace) => ({
    turns: [
      act(
        "",
        todoWrite({ "Fix the discount": "in_progress", "Run the tests": "pending", "Update the README": "pending" }),
        read(`${workspace}/src/cart.js`)
      ),
      act("", fixDiscount(workspace)),
      act(
        "",
        todoWrite({ "Fix the discount": "completed", "Run the tests": "in_progress", "Update the README": "pending" })
      ),
      say("The discount is fixed. Now I'll run the tests.")
    ]
  })
}

const slashCommand: ClaudeCodeScenario = {
  name: "slash-command",
  description: "A slash command of the project orders the tests, and the agent only edits.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: {
    ...broken,
    ".claude/commands/repair.md":
      "---\ndescription: Repair a defect\n---\n\nFind the cause of this defect and fix it: $ARGUMENTS\n\nRun the tests before you finish.\n"
  },
  steps: [{ prompt: "/repair 10 % off 50.00 should give 45.00, but we charge 49.90." }],
  script: (workspace) => ({
    turns: [
      act("", read(`${workspace}/src/cart.js`)),
      act("`discounted` subtracts the percentage as if it were cents.", fixDiscount(workspace)),
      say("Fixed: `discounted` in `src/cart.js` now multiplies by `1 - percent / 100`.")
    ]
  })
}

/**
 * Every scenario, in the order of the recordings' index.
 *
 * @category scenarios
 */
export const all: ReadonlyArray<ClaudeCodeScenario> = [
  fixedAndTested,
  claimContradicted,
  nothingRun,
  testLoosened,
  stoppedWithTodos,
  asksAQuestion,
  researchAnswered,
  testsBeforeEdit,
  testsMasked,
  failureSwallowed,
  asksLeave,
  todoList,
  pushedToMain,
  pullRequestOpened,
  interrupted,
  apiError,
  subagent,
  planMode,
  compacted,
  backgroundRunning,
  backgroundFinished,
  permissionDenied,
  secondTask,
  slashCommand
]
