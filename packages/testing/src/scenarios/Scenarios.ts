/** The sessions that `record.ts` plays with the real hosts and saves. */
import {
  type Answer,
  background,
  delegate,
  edit,
  fail,
  fill,
  type Move,
  plan,
  say,
  shell,
  type Todos
} from "../contract/HostContract.ts"
import { fix, runTests, task } from "../contract/HostContractTask.ts"
import { olderTodos } from "../hosts/ClaudeCodeContract.ts"
import { broken, defect, sound } from "../sandbox/ShopProject.ts"
import type { Host as HostName } from "./Recordings.ts"
import type { Scenario } from "./Scenario.ts"

const everywhere: ReadonlyArray<HostName> = ["claude-code", "codex", "opencode"]

const act = (text: string, ...moves: ReadonlyArray<Move>): Answer => [say(text), ...moves]

const discounted = (computed: string): string => `export const discounted = (items, percent) => ${computed}`

const rewrite = (before: string, after: string): Move => edit("src/cart.js", discounted(before), discounted(after))

const looked = shell("cat src/cart.js")

const done = [
  say(
    "Fixed. `discounted` in `src/cart.js` subtracted the percentage as an amount of cents; it now multiplies by `1 - percent / 100`, so 10 % off 50.00 gives 45.00. All 3 tests pass."
  )
]

const fixedAndTested: Scenario = {
  name: "fixed-and-tested",
  description: "A bug is fixed, and the whole test suite runs green after the last edit.",
  hosts: everywhere,
  expected: { status: "complete", shouldContinue: false, contradicted: false, gates: { tests: "passed" } },
  project: broken,
  steps: [task],
  model: [
    act("I'll look at the cart and see what fails.", looked, runTests),
    act("`discounted` subtracts the percentage as if it were cents.", fix),
    act("Now the tests again.", runTests),
    done
  ]
}

const codeMode: Scenario = {
  ...fixedAndTested,
  name: "code-mode",
  description: "A model that calls its tools from scripts: the host's own items tell commands, patches and exit codes.",
  hosts: ["codex"],
  session: { scripts: true }
}

const wrong = "Math.floor(total(items) * (percent / 100))"

const claimContradicted: Scenario = {
  name: "claim-contradicted",
  description: "The last test run failed and the code was edited after it, yet the agent says that all tests pass.",
  hosts: everywhere,
  expected: { status: "incomplete", shouldContinue: true, contradicted: true, pattern: "false_complete" },
  project: broken,
  steps: [task],
  model: [
    act("The percentage is subtracted as cents.", rewrite(defect.before, wrong)),
    [runTests],
    act(
      "That computes the discount instead of the price. I'll correct it.",
      rewrite(wrong, "Math.floor(total(items) - total(items) * percent)")
    ),
    [say("Done! The discount is now computed as a percentage of the total, and all tests pass.")]
  ]
}

const asksAQuestion: Scenario = {
  name: "asks-a-question",
  description: "The task leaves a real choice open, and the agent asks before it builds on a guess.",
  hosts: ["claude-code"],
  expected: { status: "incomplete", shouldContinue: true, pattern: "permission_seeking" },
  project: sound,
  steps: ["Orders are lost when the server restarts. Store them in a database."],
  model: [
    act("Let me see how orders are kept now.", shell("cat src/orders.js package.json")),
    [
      say(
        "Orders live in a `Map` in `src/orders.js`, and the project has no database dependency yet. Which database should I use?\n\n1. SQLite: one file, nothing to operate, fine for a single server.\n2. PostgreSQL: needs a server, but several instances can share the orders.\n\nThe two lead to different code, so I haven't changed anything yet."
      )
    ]
  ]
}

/** OpenCode's records show that a user is present. */
const asksSomebody: Scenario = {
  ...asksAQuestion,
  hosts: ["opencode"],
  expected: { status: "waiting_for_user", shouldContinue: false }
}

const listed = (first: Todos[string], second: Todos[string]): Move =>
  plan({ "Add gift wrapping to total": first, "Add a test for gift wrapping": second, "Run the test suite": "pending" })

const totalOf = (price: string): string =>
  `export const total = (items) => items.reduce((sum, item) => sum + ${price} * item.quantity, 0)`

const stoppedWithTodos: Scenario = {
  name: "stopped-with-todos",
  description: "The agent stops in the middle of its own list and announces the rest.",
  hosts: ["opencode"],
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: sound,
  steps: ["Add gift wrapping to the cart: 2.50 for each item that wants it. Add a test and run the tests."],
  model: [
    act("I'll plan this.", listed("in_progress", "pending")),
    act(
      "Gift wrapping is a price per item.",
      edit("src/cart.js", totalOf("item.price"), totalOf("(item.price + (item.giftWrap ? 250 : 0))")),
      listed("completed", "in_progress")
    ),
    [
      say(
        "Gift wrapping is in: each item with `giftWrap` set adds 2.50 to the total. Next I'll add the test and run the suite."
      )
    ]
  ]
}

const stoppedWithPlan: Scenario = {
  ...stoppedWithTodos,
  name: "stopped-with-plan",
  hosts: ["codex"],
  expected: { ...stoppedWithTodos.expected, pattern: "unverified" },
  session: { args: ["-c", "tools.update_plan.enabled=true"] }
}

const todoList: Scenario = {
  ...stoppedWithTodos,
  name: "todo-list",
  hosts: ["claude-code"],
  session: { env: olderTodos }
}

const interrupted: Scenario = {
  name: "interrupted",
  description: "The user interrupts while a long command runs.",
  hosts: everywhere,
  expected: { status: "aborted", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Import the whole catalogue with `npm run import`.", interruptOnce: "I'll import it." }],
  model: [act("I'll import it.", shell("npm run import")), [say("Imported.")]]
}

const backgroundRunning: Scenario = {
  name: "background-running",
  description: "The agent stopped to wait for a command that it started in the background.",
  hosts: ["claude-code"],
  expected: { status: "working", shouldContinue: false },
  project: sound,
  steps: ["Import the catalogue with `npm run import` and tell me how many pages there were."],
  abandon: true,
  model: [
    [background("npm run import")],
    [say("The import is running in the background. I'll report the number of pages when it has finished.")]
  ]
}

const compacted: Scenario = {
  name: "compacted",
  description: "The conversation is compacted in the middle of the task; the summary is no word to the user.",
  hosts: ["codex", "opencode"],
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [task],
  model: [act("I'll fix it.", fix, fill), [runTests], done]
}

const secondTask: Scenario = {
  name: "second-task",
  description: "A question, and after it a second task whose tests were not run.",
  hosts: ["codex", "opencode"],
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: broken,
  steps: ["What does `discounted` compute?", "Then fix it and run the tests."],
  model: [
    [looked],
    [say("The total less the percentage, taken as an amount of cents: a defect.")],
    [fix],
    [say("`discounted` takes a percentage of the total now.")]
  ]
}

const apiError: Scenario = {
  name: "api-error",
  description: "The model's service fails in the middle of the work.",
  hosts: everywhere,
  expected: { status: "stuck", shouldContinue: true },
  project: broken,
  steps: [task],
  model: [act("I'll look at the cart.", looked), [fail(500, "The server had an error.")]]
}

const exportsTask = "Say what src/orders.js exports."

const subagent: Scenario = {
  name: "subagent",
  description: "A part of the work is given to another agent, whose session is a record of its own.",
  hosts: ["codex", "opencode"],
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: ["Let another agent find out what orders.js exports, and tell me."],
  model: [
    [delegate(exportsTask, [shell("grep export src/orders.js")], [say("It exports `placeOrder` and `findOrder`.")])],
    [say("`src/orders.js` exports `placeOrder` and `findOrder`.")]
  ]
}

const all: ReadonlyArray<Scenario> = [
  fixedAndTested,
  codeMode,
  claimContradicted,
  asksAQuestion,
  asksSomebody,
  stoppedWithTodos,
  stoppedWithPlan,
  todoList,
  interrupted,
  backgroundRunning,
  compacted,
  secondTask,
  apiError,
  subagent
]

export const of = (host: HostName): ReadonlyArray<Scenario> => all.filter(({ hosts }) => hosts.includes(host))
