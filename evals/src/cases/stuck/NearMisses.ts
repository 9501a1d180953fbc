import { agent, edit, harness, mode, notice, read, run, shell, todos, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const stuck: StuckExpectation = { reason: "genuinely_stuck", nudge: true }
const working: StuckExpectation = { reason: "working", nudge: false }
const waiting: StuckExpectation = { reason: "waiting_for_user", nudge: false }
const complete: StuckExpectation = { reason: "complete", nudge: false }

const cut = agent("I've found the cause. The cache key does not include the tenant, so I will change", {
  completed: false,
  outputTokens: 44
})

const reminded = harness("[reflexion 1/3] The task is not done yet.\n\n- tests: not run\n\nNext:\n1. Run npm test.")

const pair = (
  name: string,
  sides: ReadonlyArray<readonly [side: string, rest: Omit<StuckCase, "id">]>
): ReadonlyArray<StuckCase> => sides.map(([side, rest]) => ({ id: `near/${name}/${side}`, ...rest }))

/** Two sessions that differ in one thing, and it is the one that counts. */
export const nearMisses: ReadonlyArray<StuckCase> = [
  ...pair("floor", [
    [
      "under",
      {
        why: "Twenty-nine seconds: nobody is nudged yet.",
        silence: 29,
        events: [user("Fix the cache."), read("src/cache.ts"), cut],
        expect: { reason: ["genuinely_stuck", "working"], nudge: false }
      }
    ],
    [
      "over",
      {
        why: "Thirty-one seconds after a message that was cut off.",
        silence: 31,
        events: [user("Fix the cache."), read("src/cache.ts"), cut],
        expect: stuck
      }
    ]
  ]),
  ...pair("cut-off", [
    [
      "stream",
      { why: "The stream broke.", events: [user("Fix the cache."), read("src/cache.ts"), cut], expect: stuck }
    ],
    [
      "escape",
      {
        why: "The user broke it.",
        events: [user("Fix the cache."), read("src/cache.ts"), cut, notice("aborted")],
        expect: { reason: ["waiting_for_user", "working"], nudge: false }
      }
    ]
  ]),
  ...pair("install", [
    [
      "running",
      {
        why: "It runs.",
        silence: 400,
        events: [user("Set up the project."), shell("npm install", { id: "i", status: "running" })],
        expect: working
      }
    ],
    [
      "over",
      {
        why: "It ended with an error long ago and nothing followed.",
        silence: 400,
        events: [
          user("Set up the project."),
          shell("npm install", { id: "i", status: "running" }),
          shell("npm install", { id: "i", status: "error", exitCode: 1, output: "npm ERR! code ERESOLVE" })
        ],
        expect: stuck
      }
    ]
  ]),
  ...pair("two-ways", [
    [
      "asked",
      {
        why: "The user is to choose.",
        events: [
          user("Make the importer faster."),
          read("src/import.ts"),
          agent("It can be done with a worker pool or with a stream. Which of the two should I use?")
        ],
        expect: waiting
      }
    ]
  ]),
  ...pair("rhetorical", [
    [
      "asked",
      {
        why: "The same question, put to the user.",
        events: [
          user("Fix the crash on startup."),
          read("src/main.ts"),
          agent("I cannot reproduce the crash here. Could you share the log of a start that crashes?")
        ],
        expect: waiting
      }
    ]
  ]),
  ...pair("plan", [
    [
      "approval",
      {
        why: "The plan is put up for approval.",
        events: [
          user("Add rate limiting to the public API."),
          read("src/router.ts"),
          agent(
            "My plan:\n\n1. A token bucket in `src/limits.ts`\n2. A hook in the router\n\nDoes this look right to you?"
          )
        ],
        expect: waiting
      }
    ],
    [
      "mode",
      {
        why: "In plan mode nothing may follow.",
        events: [
          mode("plan"),
          user("Add rate limiting to the public API."),
          read("src/router.ts"),
          agent(
            "My plan:\n\n1. A token bucket in `src/limits.ts`\n2. A hook in the router\n\nI'll begin with the token bucket."
          )
        ],
        expect: { reason: ["waiting_for_user", "complete", "working", "genuinely_stuck"], nudge: false }
      }
    ]
  ]),
  ...pair("steps", [
    [
      "yours",
      {
        why: "The steps are the user's own.",
        events: [
          user("Add CSV and PDF export to the reports page, with tests."),
          edit("src/reports.tsx"),
          run("npm test", 0, "Tests:       41 passed, 41 total\n"),
          agent(
            "CSV and PDF export work, and the 41 tests pass.\n\n**Next steps**\n- You may want to add a logo to the PDF\n- Deploy when you are ready"
          )
        ],
        expect: complete
      }
    ]
  ]),
  ...pair("let-me", [
    [
      "know",
      {
        why: "An offer after work that is done.",
        events: [
          user("Rename the flag to --dry-run."),
          edit("src/cli.ts", "--simulate", "--dry-run"),
          agent("The flag is called `--dry-run` now. Let me know if you want an alias for the old name.")
        ],
        expect: { reason: ["complete", "waiting_for_user"], nudge: false }
      }
    ]
  ]),
  ...pair("announced", [
    [
      "and-running",
      {
        why: "The step runs.",
        silence: 500,
        events: [
          user("Fix the cache and run the benchmark."),
          edit("src/cache.ts"),
          agent("Now let me run the benchmark.", { completed: null }),
          shell("npm run bench", { status: "running" })
        ],
        expect: working
      }
    ]
  ]),
  ...pair("background", [
    [
      "running",
      {
        why: "The command still runs.",
        silence: 300,
        events: [
          user("Run the load test and summarise it."),
          shell("k6 run load.js", { id: "b", background: true, status: "running" }),
          agent("The load test is running in the background. I'll summarise it when it is done.")
        ],
        expect: working
      }
    ],
    [
      "over",
      {
        why: "The command has ended, the agent was told, and the summary never came.",
        silence: 300,
        events: [
          user("Run the load test and summarise it."),
          shell("k6 run load.js", { id: "b", background: true, status: "running" }),
          agent("The load test is running in the background. I'll summarise it when it is done."),
          shell("k6 run load.js", {
            id: "b",
            background: true,
            status: "completed",
            exitCode: 0,
            output: "http_reqs 1204/s"
          }),
          harness("<task-notification>k6 run load.js finished with exit code 0</task-notification>")
        ],
        expect: stuck
      }
    ]
  ]),
  ...pair("service", [
    [
      "retrying",
      {
        why: "Ten seconds after a failed request the host tries again.",
        silence: 40,
        events: [user("Commit the fixes."), run("git add -A", 0), notice("api_error", "Overloaded")],
        expect: working
      }
    ],
    [
      "given-up",
      {
        why: "An hour after it nobody tries any more.",
        silence: 3600,
        events: [user("Commit the fixes."), run("git add -A", 0), notice("api_error", "Overloaded")],
        expect: stuck
      }
    ]
  ]),
  ...pair("fence", [
    [
      "closed",
      {
        why: "An example was asked for, and given whole.",
        events: [
          user("What would a helper that clamps numbers look like?"),
          agent(
            "```ts\nexport const clamp = (v: number, low: number, high: number) => Math.max(low, Math.min(high, v))\n```",
            {
              completed: null
            }
          )
        ],
        expect: complete
      }
    ]
  ]),
  ...pair("list", [
    [
      "dropped",
      {
        why: "The user took two of them back.",
        events: [
          user("Move the three screens to the new theme."),
          edit("src/Home.tsx"),
          user("Actually, only do Home, leave the other two."),
          todos("[x] Home", "[-] Profile", "[-] Inbox"),
          agent("Home uses the new theme. Profile and Inbox are left as they are.")
        ],
        expect: { reason: ["complete", "working"], nudge: false }
      }
    ]
  ]),
  ...pair("begun", [
    [
      "just-now",
      {
        why: "The answer began forty seconds ago, and the model may think before its first word.",
        silence: 40,
        events: [user("Write a parser for the log format."), agent("", { completed: false, outputTokens: 0 })],
        expect: working
      }
    ],
    [
      "calls",
      {
        why: "The answer that had begun has brought a call, and its result is two minutes old: the model may think.",
        silence: 120,
        events: [
          user("Write a parser for the log format."),
          agent("", { completed: false, outputTokens: 0 }),
          read("samples/app.log")
        ],
        expect: working
      }
    ]
  ]),
  ...pair("first-word", [
    [
      "soon",
      {
        why: "A hundred seconds without a word: it may still think.",
        silence: 100,
        events: [user("Write a parser for the log format.")],
        expect: working
      }
    ],
    [
      "late",
      {
        why: "Ten minutes without a word.",
        silence: 600,
        events: [user("Write a parser for the log format.")],
        expect: stuck
      }
    ]
  ]),
  ...pair("same-command", [
    [
      "failing",
      {
        why: "Four times the very same, and nothing between.",
        events: [
          user("Install the package and run the example."),
          ...[1, 2, 3, 4].map(() => run("pip install torchx", 1, "ERROR: No matching distribution found for torchx")),
          agent("The package cannot be installed.")
        ],
        expect: { reason: "genuinely_stuck", nudge: true }
      }
    ],
    [
      "progressing",
      {
        why: "The same command four times, each time with another answer: the deployment goes on.",
        silence: 50,
        events: [
          user("Deploy and wait until all pods are ready."),
          run("kubectl apply -f k8s", 0, "deployment.apps/web configured"),
          ...[1, 2, 3, 4].map((ready) =>
            run("kubectl get deploy web", 0, `web   ${ready}/4   4   ${ready}   ${ready}m`)
          ),
          agent("All four pods are ready.")
        ],
        expect: { reason: "complete", nudge: false }
      }
    ]
  ]),
  ...pair("reminded", [
    [
      "and-moved",
      {
        why: "After the reminder the agent edited, and stopped too early once more.",
        events: [
          user("Fix the date parser and run npm test."),
          edit("src/date.ts", "a", "b"),
          agent("Fixed."),
          reminded,
          edit("src/date.ts", "b", "c"),
          agent("I improved the fix. Now I'll run the tests.")
        ],
        expect: { ...stuck, says: ["[reflexion 2/3]"] }
      }
    ],
    [
      "and-only-talked",
      {
        why: "After the reminder nothing changed but the words: a second one would not help either.",
        events: [
          user("Fix the date parser and run npm test."),
          edit("src/date.ts", "a", "b"),
          agent("Fixed."),
          reminded,
          agent("You are right. Now I'll run the tests.")
        ],
        expect: { reason: "genuinely_stuck", nudge: false }
      }
    ]
  ])
]
