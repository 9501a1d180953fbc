/** The OpenCode sessions that `npm run record` plays and keeps. */
import { task as discountPrompt } from "../contract/HostContractTask.ts"
import {
  act,
  asides,
  backgroundOn,
  bash,
  edit,
  type OpenCodeScenario,
  outage,
  read,
  say,
  task,
  todos
} from "./OpenCodeScenario.ts"
import type { Script } from "../servers/ScriptedChat.ts"
import { broken, defect, sound } from "../sandbox/ShopProject.ts"

const script = (turns: Script["turns"], rules: NonNullable<Script["rules"]> = []): Script => ({
  turns,
  rules: [
    ...rules,
    ...asides({
      title: "Work on the shop",
      summary:
        "## Goal\n\nA discount of 10 % is to be a percentage.\n\n## Done\n\nsrc/cart.js is fixed.\n\n## Next\n\nRun the tests."
    })
  ]
})

const cart = (workspace: string) => `${workspace}/src/cart.js`

const fix = (workspace: string) => edit(cart(workspace), defect.before, defect.after)

const runTests = bash("npm test", "Run the tests")

const fixed =
  "Fixed. `discounted` in `src/cart.js` subtracted the percentage as an amount of cents; it now multiplies by `1 - percent / 100`, so 10 % off 50.00 gives 45.00. All 3 tests pass."

const fixedAndTested: OpenCodeScenario = {
  name: "fixed-and-tested",
  description: "A bug is fixed with an edit, and the whole test suite runs green after it.",
  expected: { status: "complete", shouldContinue: false, contradicted: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) =>
    script([
      {
        content: [
          { reasoning: "The price is 49.90: ten cents off. I should read the code and run the tests." },
          { text: "I'll look at the cart and see what fails." },
          read(cart(workspace)),
          runTests
        ]
      },
      act("`discounted` subtracts the percentage as if it were cents.", fix(workspace)),
      act("Now the tests again.", runTests),
      say(fixed)
    ])
}

const claimContradicted: OpenCodeScenario = {
  name: "claim-contradicted",
  description: "The last test run failed and the code was edited after it, yet the agent says that all tests pass.",
  expected: { status: "incomplete", shouldContinue: true, contradicted: true, pattern: "false_complete" },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) => {
    const wrong = "Math.floor(total(items) * (percent / 100))"
    return script([
      act("The percentage is subtracted as cents.", edit(cart(workspace), defect.before, wrong)),
      act("", runTests),
      act(
        "That computes the discount instead of the price. I'll correct it.",
        edit(cart(workspace), wrong, "Math.floor(total(items) - total(items) * percent)")
      ),
      say("Done! The discount is now computed as a percentage of the total, and all tests pass.")
    ])
  }
}

const testsFailing: OpenCodeScenario = {
  name: "tests-failing",
  description: "The agent stops with a failing test and says nothing of it.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "failed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) =>
    script([
      act(
        "The rounding comes too late.",
        edit(cart(workspace), defect.before, "Math.round(total(items)) - Math.round(percent)")
      ),
      act("", runTests),
      say("The discount is now rounded before it is subtracted.")
    ])
}

const asksAQuestion: OpenCodeScenario = {
  name: "asks-a-question",
  description: "The task leaves a real choice open, and the agent asks before it builds on a guess.",
  expected: { status: "waiting_for_user", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Orders are lost when the server restarts. Store them in a database." }],
  script: () =>
    script([
      act("Let me see how orders are kept now.", bash("cat src/orders.js package.json", "Look at the orders")),
      say(
        "Orders live in a `Map` in `src/orders.js`, and the project has no database dependency yet. Which database should I use?\n\n1. SQLite: one file, nothing to operate, fine for a single server.\n2. PostgreSQL: needs a server, but several instances can share the orders.\n\nThe two lead to different code, so I haven't changed anything yet."
      )
    ])
}

const databases = {
  question: "Which database should keep the orders?",
  header: "Database",
  options: [
    { label: "SQLite", description: "One file, nothing to operate" },
    { label: "PostgreSQL", description: "Needs a server" }
  ]
}

const questionAnswered: OpenCodeScenario = {
  name: "question-answered",
  description: "The agent asks with the host's tool for questions; the user's choice is that tool's answer.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Which database would suit our orders? Ask me what matters.", meanwhile: { answer: "SQLite" } }],
  script: () =>
    script([
      act("", { tool: "question", input: { questions: [databases] } }),
      say("SQLite it is: one file next to the server keeps the orders, and nothing has to be operated.")
    ])
}

const stoppedWithTodos: OpenCodeScenario = {
  name: "stopped-with-todos",
  description: "The agent stops in the middle of its own list and announces the rest.",
  expected: {
    status: "incomplete",
    shouldContinue: true,
    gates: { tests: "missing" }
  },
  project: sound,
  steps: [{ prompt: "Add gift wrapping to the cart: 2.50 for each item that wants it. Add a test and run the tests." }],
  script: (workspace) =>
    script([
      act(
        "I'll plan this.",
        todos({
          "Add gift wrapping to total": "in_progress",
          "Add a test for gift wrapping": "pending",
          "Run the test suite": "pending"
        })
      ),
      act(
        "Gift wrapping is a price per item.",
        edit(
          cart(workspace),
          "sum + item.price * item.quantity",
          "sum + (item.price + (item.giftWrap ? 250 : 0)) * item.quantity"
        ),
        todos({
          "Add gift wrapping to total": "completed",
          "Add a test for gift wrapping": "in_progress",
          "Run the test suite": "pending"
        })
      ),
      say(
        "Gift wrapping is in: each item with `giftWrap` set adds 2.50 to the total. Next I'll add the test and run the suite."
      )
    ])
}

const planMode: OpenCodeScenario = {
  name: "plan-mode",
  description: "With the plan agent the plan is the result, and nothing may be edited.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "How would you add prices in several currencies? Make a plan.", agent: "plan" }],
  script: (workspace) =>
    script([
      act("", read(cart(workspace))),
      say(
        "Plan\n\n1. Give each price a currency next to its cents.\n2. Let `total` refuse a cart with several currencies.\n3. Add tests for both."
      )
    ])
}

const importing = act("I'll import it.", bash("npm run import", "Import the catalogue"))

const importPrompt = "Import the whole catalogue with `npm run import`."

const interrupted: OpenCodeScenario = {
  name: "interrupted",
  description: "The user presses Esc while a long command runs: the host calls it completed, and the message aborted.",
  expected: { status: "aborted", shouldContinue: false },
  project: sound,
  steps: [{ prompt: importPrompt, meanwhile: { once: "page 1 of 40", does: "interrupt" } }],
  script: () => script([importing, say("Imported.")])
}

const killed: OpenCodeScenario = {
  name: "killed",
  description: "The host's process is killed while a command runs: nothing more is written, and the call stays open.",
  expected: { status: "working", shouldContinue: false },
  project: sound,
  steps: [{ prompt: importPrompt, meanwhile: { once: "page 1 of 40", does: "kill" } }],
  script: () => script([importing, say("Imported.")])
}

const secondTask: OpenCodeScenario = {
  name: "second-task",
  description: "A question, and in a host that was started again a second task whose tests were not run.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: broken,
  steps: [
    { prompt: "What does `discounted` compute?" },
    { does: "restart" },
    { prompt: "Then fix it and run the tests." }
  ],
  script: (workspace) =>
    script([
      act("", read(cart(workspace))),
      say("The total less the percentage, taken as an amount of cents: a defect."),
      act("", fix(workspace)),
      say("`discounted` takes a percentage of the total now.")
    ])
}

const compacted: OpenCodeScenario = {
  name: "compacted",
  description:
    "The context is full in the middle of the task: the host has it summarised and tells the agent to go on.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) =>
    script([{ ...act("I'll fix it.", fix(workspace)), usage: { input_tokens: 97_000 } }, act("", runTests), say(fixed)])
}

const compactedByUser: OpenCodeScenario = {
  name: "compacted-by-user",
  description: "The user has the conversation compacted before the tests have run; the summary is no word to the user.",
  expected: { status: "complete", shouldContinue: false },
  project: broken,
  steps: [{ prompt: discountPrompt }, { does: "compact" }, { prompt: "And the tests?" }],
  script: (workspace) =>
    script([
      act("", fix(workspace)),
      say("`discounted` takes a percentage of the total now."),
      act("I'll look at the test first.", read(`${workspace}/test/cart.test.js`)),
      say("The test expects 45.00 for 10 % off 50.00, which is what `discounted` gives now. I'll run it next.")
    ])
}

const apiError: OpenCodeScenario = {
  name: "api-error",
  description: "The model's service fails in the middle of the work, and again each time that the host asks.",
  expected: { status: "stuck", shouldContinue: true },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) =>
    script([act("I'll look at the cart.", read(cart(workspace))), ...outage(500, "The server had an error.")])
}

const retried: OpenCodeScenario = {
  name: "retried",
  description: "The model's service is overloaded twice, and then does its work.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  script: (workspace) =>
    script([
      act("", fix(workspace)),
      ...outage(529, "Overloaded").slice(0, 2),
      act("Now the tests.", runTests),
      say(fixed)
    ])
}

const exportsTask = "Say what src/orders.js exports."

const subagent: OpenCodeScenario = {
  name: "subagent",
  description: "A part of the work is given to an agent whose session is a child of this one.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Let another agent find out what orders.js exports, and tell me." }],
  script: () =>
    script(
      [act("I'll ask one.", task(exportsTask)), say("`src/orders.js` exports `placeOrder` and `findOrder`.")],
      [
        {
          name: "agent",
          when: ({ firstUser }) => firstUser.includes(exportsTask),
          replies: [
            act("", bash("grep export src/orders.js", "List the exports")),
            say("It exports `placeOrder` and `findOrder`.")
          ]
        }
      ]
    )
}

const inBackground = act("", task(exportsTask, { background: true }))

const backgroundPrompt = "Let another agent find out in the background what orders.js exports."

const backgroundRunning: OpenCodeScenario = {
  name: "background-running",
  description: "The agent stops to wait for another that it started in the background.",
  expected: { status: "working", shouldContinue: false },
  project: sound,
  steps: [{ prompt: backgroundPrompt }],
  env: backgroundOn,
  script: () =>
    script(
      [inBackground, say("Another agent looks at `orders.js`; I'll report what it finds when it is done.")],
      [
        {
          name: "agent",
          when: ({ firstUser }) => firstUser.includes(exportsTask),
          replies: [{ content: [{ hangs: true }] }]
        }
      ]
    )
}

const reported = "The other agent is back: `src/orders.js` exports `placeOrder` and `findOrder`."

const backgroundFinished: OpenCodeScenario = {
  name: "background-finished",
  description: "An agent in the background reports back by itself, which is no new task of the user's.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: backgroundPrompt, meanwhile: { once: reported, does: "wait" } }],
  env: backgroundOn,
  script: () =>
    script(
      [inBackground, say("Another agent looks at `orders.js`; I'll report what it finds."), say(reported)],
      [
        {
          name: "agent",
          when: ({ firstUser }) => firstUser.includes(exportsTask),
          replies: [{ delay: "2 seconds", ...say("It exports `placeOrder` and `findOrder`.") }]
        }
      ]
    )
}

const userShell: OpenCodeScenario = {
  name: "user-shell",
  description: "The user runs the tests with an exclamation mark after the agent's turn, in which it ran none.",
  expected: { status: "complete", shouldContinue: false },
  project: broken,
  steps: [{ prompt: discountPrompt }, { shell: "npm test" }, { prompt: "So it works?" }],
  script: (workspace) =>
    script([
      act("", edit(cart(workspace), defect.before, "Math.round(total(items) - percent * 10)")),
      say("`discounted` takes a percentage of the total now."),
      say("No: one of the three tests fails. I'll fix that next.")
    ])
}

const slashCommand: OpenCodeScenario = {
  name: "slash-command",
  description: "A slash command of the project orders the tests, and the agent only edits.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: {
    ...broken,
    ".opencode/command/repair.md":
      "---\ndescription: Repair a defect\n---\n\nFind the cause of this defect and fix it: $ARGUMENTS\n\nRun the tests before you finish.\n"
  },
  steps: [{ slash: "repair", arguments: "10 % off 50.00 should give 45.00, but we charge 49.90." }],
  script: (workspace) =>
    script([
      act("`discounted` subtracts the percentage as if it were cents.", fix(workspace)),
      say("Fixed: `discounted` in `src/cart.js` now multiplies by `1 - percent / 100`.")
    ])
}

const permissionDenied: OpenCodeScenario = {
  name: "permission-denied",
  description: "The host asks before a command runs, and the user says no, which ends the turn.",
  expected: { status: "aborted", shouldContinue: false },
  project: broken,
  steps: [{ prompt: discountPrompt, meanwhile: { permission: "reject" } }],
  config: { permission: { "*": "allow", bash: "ask" } },
  script: (workspace) => script([act("", fix(workspace)), act("Now the tests.", runTests)])
}

const queuedPrompt: OpenCodeScenario = {
  name: "queued-prompt",
  description: "The user writes on while the agent works: both prompts end with the same answer.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [
    {
      prompt: discountPrompt,
      meanwhile: { once: "takes ten percent off", prompt: "And say in one sentence what was wrong." }
    }
  ],
  script: (workspace) =>
    script([act("", fix(workspace)), act("Now the tests.", bash("npm test && sleep 2", "Run the tests")), say(fixed)])
}

export const all: ReadonlyArray<OpenCodeScenario> = [
  fixedAndTested,
  claimContradicted,
  testsFailing,
  asksAQuestion,
  questionAnswered,
  stoppedWithTodos,
  planMode,
  interrupted,
  killed,
  secondTask,
  compacted,
  compactedByUser,
  apiError,
  retried,
  subagent,
  backgroundRunning,
  backgroundFinished,
  userShell,
  permissionDenied,
  queuedPrompt,
  slashCommand
]
