/** The Codex sessions that `npm run record` plays and keeps. */
import { act, code, type CodexScenario, patch, plan, poll, replaceLine, say, shell } from "./CodexScenario.ts"
import { broken, defect, sound } from "../sandbox/ShopProject.ts"

const runTests = shell("npm test")

const discountPrompt =
  "A 10 % discount on a cart of 50.00 should give 45.00, but we charge 49.90. Please fix it and make sure the tests pass."

const signature = "export const discounted = (items, percent) => "

const fixDiscount = replaceLine("src/cart.js", `${signature}${defect.before}`, `${signature}${defect.after}`)

const fixed =
  "Fixed. `discounted` in `src/cart.js` subtracted the percentage as an amount of cents; it now multiplies by `1 - percent / 100`, so 10 % off 50.00 gives 45.00. All 3 tests pass."

const fixedAndTested: CodexScenario = {
  name: "fixed-and-tested",
  description: "A bug is fixed with a patch, and the whole test suite runs green after it.",
  expected: { status: "complete", shouldContinue: false, contradicted: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("I'll look at the cart and see what fails.", shell("cat src/cart.js"), runTests),
      act("`discounted` subtracts the percentage as if it were cents.", patch(fixDiscount)),
      act("Now the tests again.", runTests),
      say(fixed)
    ]
  })
}

const execStream: CodexScenario = {
  ...fixedAndTested,
  name: "exec-stream",
  description: "The same as the host prints it with --json: no prompt and no times, and so no task to judge by.",
  expected: { status: "abstained", shouldContinue: false },
  kept: "stream"
}

const codeMode: CodexScenario = {
  name: "code-mode",
  description: "A model that calls its tools from scripts: the host's own items tell commands, patches and exit codes.",
  expected: { status: "complete", shouldContinue: false, contradicted: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  session: { model: "gpt-5.6-sol" },
  kept: "rollout",
  script: () => ({
    turns: [
      act(
        "I'll look at the cart and run the tests.",
        code(
          "const [source, tests] = await Promise.all([",
          '  tools.exec_command({ cmd: "cat src/cart.js" }),',
          '  tools.exec_command({ cmd: "npm test", yield_time_ms: 20000 })',
          "]);",
          "text(source.output);",
          "text(tests.output);"
        )
      ),
      act(
        "`discounted` subtracts the percentage as if it were cents.",
        code(`const patch = ${JSON.stringify(fixDiscount)};`, "text(await tools.apply_patch(patch));")
      ),
      act(
        "Now the tests again.",
        code(
          'const tests = await tools.exec_command({ cmd: "npm test", yield_time_ms: 20000 });',
          "text(tests.output);"
        )
      ),
      say(fixed)
    ]
  })
}

const claimContradicted: CodexScenario = {
  name: "claim-contradicted",
  description: "The last test run failed and the code was edited after it, yet the agent says that all tests pass.",
  expected: { status: "incomplete", shouldContinue: true, contradicted: true, pattern: "false_complete" },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  kept: "rollout",
  script: () => ({
    turns: [
      act(
        "The percentage is subtracted as cents.",
        patch(
          replaceLine(
            "src/cart.js",
            `${signature}${defect.before}`,
            `${signature}Math.floor(total(items) * (percent / 100))`
          )
        )
      ),
      act("", runTests),
      act(
        "That computes the discount instead of the price. I'll correct it.",
        patch(
          replaceLine(
            "src/cart.js",
            `${signature}Math.floor(total(items) * (percent / 100))`,
            `${signature}Math.floor(total(items) - total(items) * percent)`
          )
        )
      ),
      say("Done! The discount is now computed as a percentage of the total, and all tests pass.")
    ]
  })
}

const testsFailing: CodexScenario = {
  name: "tests-failing",
  description: "The agent stops with a failing test and says nothing of it.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "failed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("", shell("cat src/cart.js")),
      act(
        "The rounding comes too late.",
        patch(
          replaceLine(
            "src/cart.js",
            `${signature}${defect.before}`,
            `${signature}Math.round(total(items)) - Math.round(percent)`
          )
        ),
        runTests
      ),
      say("The discount is now rounded before it is subtracted.")
    ]
  })
}

const asksAQuestion: CodexScenario = {
  name: "asks-a-question",
  description:
    "The task leaves a real choice open, and the agent asks before it builds on a guess; nobody is there to answer.",
  expected: { status: "incomplete", shouldContinue: true, pattern: "permission_seeking" },
  project: sound,
  steps: [{ prompt: "Orders are lost when the server restarts. Store them in a database." }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("Let me see how orders are kept now.", shell("cat src/orders.js package.json")),
      say(
        "Orders live in a `Map` in `src/orders.js`, and the project has no database dependency yet. Which database should I use?\n\n1. SQLite: one file, nothing to operate, fine for a single server.\n2. PostgreSQL: needs a server, but several instances can share the orders.\n\nThe two lead to different code, so I haven't changed anything yet."
      )
    ]
  })
}

const stoppedWithPlan: CodexScenario = {
  name: "stopped-with-plan",
  description: "The agent stops in the middle of its own plan and announces the rest.",
  expected: {
    status: "incomplete",
    shouldContinue: true,
    pattern: "unverified",
    gates: { tests: "missing" }
  },
  project: sound,
  steps: [{ prompt: "Add gift wrapping to the cart: 2.50 for each item that wants it. Add a test and run the tests." }],
  session: { config: { "tools.update_plan.enabled": true } },
  kept: "rollout",
  script: () => ({
    turns: [
      act(
        "I'll plan this.",
        plan({
          "Add gift wrapping to total": "in_progress",
          "Add a test for gift wrapping": "pending",
          "Run the test suite": "pending"
        })
      ),
      act(
        "Gift wrapping is a price per item.",
        patch(
          replaceLine(
            "src/cart.js",
            "export const total = (items) => items.reduce((sum, item) => sum + item.price * item.quantity, 0)",
            [
              "const price = (item) => item.price + (item.giftWrap ? 250 : 0)",
              "",
              "export const total = (items) => items.reduce((sum, item) => sum + price(item) * item.quantity, 0)"
            ].join("\n")
          )
        ),
        plan({
          "Add gift wrapping to total": "completed",
          "Add a test for gift wrapping": "in_progress",
          "Run the test suite": "pending"
        })
      ),
      say(
        "Gift wrapping is in: each item with `giftWrap` set adds 2.50 to the total. Next I'll add the test and run the suite."
      )
    ]
  })
}

const interrupted: CodexScenario = {
  name: "interrupted",
  description: "The user presses Ctrl-C while a long command runs.",
  expected: { status: "aborted", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Import the whole catalogue with `npm run import`.", interruptAfter: "1 second" }],
  kept: "rollout",
  script: () => ({
    turns: [act("I'll import it.", shell("npm run import", { yieldAfterMillis: 30_000 })), say("Imported.")]
  })
}

const killed: CodexScenario = {
  name: "killed",
  description: "The host's process is killed while a command runs: nothing more is written, and the call stays open.",
  expected: { status: "working", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Import the whole catalogue with `npm run import`.", killAfter: "1 second" }],
  kept: "rollout",
  script: () => ({
    turns: [act("I'll import it.", shell("npm run import", { yieldAfterMillis: 30_000 })), say("Imported.")]
  })
}

const hookContinued: CodexScenario = {
  name: "hook-continued",
  description: "A hook does not let the agent stop before the tests have run; what it says is no message of the user.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  hooks: ({ root }) => ({
    hooks: {
      Stop: [
        {
          hooks: [
            {
              type: "command",
              timeout: 30,
              command: `sh -c '[ -e ${root}/asked ] && exit 0; touch ${root}/asked; echo "Run \\"npm test\\" & say what <it> prints." >&2; exit 2'`
            }
          ]
        }
      ]
    }
  }),
  kept: "rollout",
  script: () => ({
    turns: [
      act("", patch(fixDiscount)),
      say("The discount is a percentage of the total now."),
      act("", runTests),
      say("`npm test` passes: 3 tests, none failing. The discount is a percentage of the total now.")
    ]
  })
}

const slowTests: CodexScenario = {
  name: "tests-polled",
  description: "The tests outlast the first call: their exit code comes with a later look at the process.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: { ...sound, "slow.mjs": "await new Promise((resolve) => setTimeout(resolve, 1500))\n" },
  steps: [{ prompt: "Run the tests and tell me whether they pass." }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("", shell("node slow.mjs && npm test", { yieldAfterMillis: 300 })),
      (request) => act("They still run.", poll(request)),
      say("All 3 tests pass.")
    ]
  })
}

const sandboxDenied: CodexScenario = {
  name: "sandbox-denied",
  description: "A read-only sandbox stops a script's command, and the host records no item for it; the agent says so.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Write the list of all source files to docs/files.txt." }],
  session: { model: "gpt-5.6-sol", config: { sandbox_mode: "read-only" } },
  kept: "rollout",
  script: () => ({
    turns: [
      act(
        "I'll write it.",
        code(
          'const listed = await tools.exec_command({ cmd: "mkdir -p docs && ls src > docs/files.txt" });',
          "text(JSON.stringify(listed));"
        )
      ),
      say(
        "I couldn't write `docs/files.txt`: this session's sandbox is read-only. The files are cart.js and orders.js."
      )
    ]
  })
}

const compacted: CodexScenario = {
  name: "compacted",
  description: "The conversation is compacted in the middle of the task; the summary is no word to the user.",
  expected: { status: "complete", shouldContinue: false, gates: { tests: "passed" } },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  session: { config: { model_auto_compact_token_limit: 50_000 } },
  kept: "rollout",
  script: () => ({
    turns: [
      { ...act("I'll fix it.", patch(fixDiscount)), usage: { input_tokens: 90_000 } },
      act("", runTests),
      say(fixed)
    ],
    rules: [
      {
        name: "summary",
        when: ({ lastUser, tools }) => tools.length === 0 && lastUser.includes("CONTEXT CHECKPOINT"),
        replies: [say("The discount in src/cart.js is fixed. Still to do: run the tests and open a pull request?")]
      }
    ]
  })
}

const subagent: CodexScenario = {
  name: "subagent",
  description: "An agent is started, waited for and reported; its own session is a file next to the parent's.",
  expected: { status: "complete", shouldContinue: false },
  project: sound,
  steps: [{ prompt: "Let another agent find out what orders.js exports, and tell me." }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("I'll ask one.", {
        tool: "spawn_agent",
        namespace: "multi_agent_v1",
        input: { agent_type: "default", message: "Say what src/orders.js exports." }
      }),
      ({ lastOutput }) =>
        act("", {
          tool: "wait_agent",
          namespace: "multi_agent_v1",
          input: { targets: [/[0-9a-f-]{36}/.exec(lastOutput)?.[0] ?? ""], timeout_ms: 20_000 }
        }),
      say("`src/orders.js` exports `placeOrder` and `findOrder`.")
    ],
    rules: [
      {
        name: "agent",
        when: ({ firstUser, lastUser }) => `${firstUser}${lastUser}`.includes("Say what src/orders.js exports."),
        replies: [act("", shell("grep export src/orders.js")), say("It exports `placeOrder` and `findOrder`.")]
      }
    ]
  })
}

const secondTask: CodexScenario = {
  name: "second-task",
  description: "A question, and in a resumed process a second task whose tests were not run.",
  expected: { status: "incomplete", shouldContinue: true, gates: { tests: "missing" } },
  project: broken,
  steps: [{ prompt: "What does `discounted` compute?" }, { prompt: "Then fix it and run the tests." }],
  kept: "rollout",
  script: () => ({
    turns: [
      act("", shell("cat src/cart.js")),
      say("The total less the percentage, taken as an amount of cents: a defect."),
      act("", patch(fixDiscount)),
      say("`discounted` takes a percentage of the total now.")
    ]
  })
}

const apiError: CodexScenario = {
  name: "api-error",
  description: "The model's service fails in the middle of the work.",
  expected: { status: "stuck", shouldContinue: true },
  project: broken,
  steps: [{ prompt: discountPrompt }],
  kept: "rollout",
  script: () => ({
    turns: [act("I'll look at the cart.", shell("cat src/cart.js")), { status: 500, error: "The server had an error." }]
  })
}

export const all: ReadonlyArray<CodexScenario> = [
  fixedAndTested,
  codeMode,
  claimContradicted,
  testsFailing,
  asksAQuestion,
  stoppedWithPlan,
  interrupted,
  killed,
  hookContinued,
  slowTests,
  sandboxDenied,
  compacted,
  subagent,
  secondTask,
  apiError,
  execStream
]
