import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, edit, harness, notice, read, run, tool, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const working: StuckExpectation = { reason: "working", nudge: false }

type Round = (index: number) => ReadonlyArray<TranscriptEvent>

const rounds = (count: number, round: Round): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: count }, (_, index) => round(index)).flat()

const crash = "Error: connect ECONNREFUSED 127.0.0.1:6379"

/** What looks like a loop and is a watch, and what looks like other calls or other words and is a loop. */
export const roundsOfCalls: ReadonlyArray<StuckCase> = [
  ...(
    [
      ["queue", "Submit the simulation and wait for it, then plot the result.", "bjobs -noheader", "812 RUN normal"],
      ["store-review", "Send the build to review and let me know once it is through.", "./store.sh 14", "review: open"],
      ["rows", "Monitor the backfill until all rows are there.", "mysql -e 'select max(id) from t'", "4100"],
      ["state-of-a-run", "Roll the service out to staging.", "nomad-state web", '{"status":"in_progress"}'],
      ["state-of-an-export", "Export the reports.", "./exports show 7", "queued, 3 ahead"]
    ] as const
  ).map(([name, task, command, output]): StuckCase => ({
    id: `rounds/watch-${name}`,
    why: "It looks again and again at what moves by itself, with a program that no list has.",
    events: [user(task), run("./begin.sh", 0, "started"), ...rounds(7, () => [run(command, 0, output)])],
    expect: working
  })),
  ...(
    [
      ["windows", (index: number) => `make check 2>&1 | tail -${20 + index}`],
      ["temporary-folders", (index: number) => `tox --workdir /tmp/tox-${index}`],
      ["builds", (index: number) => `./canary --image ${index}f21bb7e9c03${index}a`],
      ["address", (index: number) => `./ping.sh 'localhost:6379/x?at=${1_772_440_000 + index * 9}'`]
    ] as const
  ).map(([name, command]): StuckCase => ({
    id: `rounds/near-${name}`,
    why: "The same failing call, but for what was made up for it.",
    events: [
      user("Make the cache tests pass."),
      edit("src/cache.ts"),
      ...rounds(6, (index) => [run(command(index), 1, crash)])
    ],
    expect: { reason: "genuinely_stuck", nudge: true, loop: "failing_call", says: ["STOP: Action Loop"] }
  })),
  {
    id: "rounds/same-part",
    why: "Whichever line it begins with, the file reads the same.",
    events: [
      user("Fix the limiter in src/limit.ts."),
      ...rounds(6, (offset) => [tool("read", { file_path: "src/limit.ts", offset }, { output: "export {}" })])
    ],
    expect: { reason: "genuinely_stuck", nudge: true, loop: "same_result" }
  },
  {
    id: "rounds/planning-with-checks",
    why: "Twenty files read and the tests run now and then; nothing is written, and it has been quiet for long.",
    silence: 600,
    events: [
      user("Add a dark mode toggle to src/settings.tsx."),
      ...rounds(20, (index) =>
        index % 6 === 5 ? [read(`src/p${index}.tsx`), run("npm test", 0, "12 passed")] : [read(`src/p${index}.tsx`)]
      )
    ],
    expect: { reason: "genuinely_stuck", nudge: true, loop: "planning", says: ["STOP: Planning Loop"] }
  },
  {
    id: "rounds/investigation-then-edit",
    why: "It read a lot, and then it began.",
    events: [
      user("Fix the crash in src/p3.ts."),
      ...rounds(18, (index) => [read(`src/p${index}.ts`)]),
      run("npm test", 1, "1 failed"),
      edit("src/p3.ts"),
      run("npm test", 0, "13 passed")
    ],
    expect: working
  },
  ...(
    [
      ["counted", (index: number) => `Attempt ${index + 1}: I will correct the header check now.`],
      ["same", () => "Now I'll correct the header check."],
      [
        "nearly",
        (index: number) => `Let me ${index % 2 === 0 ? "now " : ""}look at the header check in the parser again.`
      ]
    ] as const
  ).map(([name, text]): StuckCase => ({
    id: `rounds/words-${name}`,
    why: "It says what it will do and never does it; that it repeats itself is what it has to hear.",
    events: [
      user("Fix the header check in src/parse.ts and run the tests."),
      edit("src/parse.ts"),
      ...rounds(5, (index) => [agent(text(index))])
    ],
    expect: { reason: "genuinely_stuck", nudge: true, loop: "monologue", says: ["STOP: Monologue"] }
  })),
  ...(
    [
      ["word", "check ".repeat(120)],
      ["chinese", "继续修改。".repeat(60)],
      ["sentence", "I will look once more. ".repeat(30)]
    ] as const
  ).map(([name, text]): StuckCase => ({
    id: `rounds/chant-${name}`,
    why: "The model chants, and the message broke off at some point.",
    events: [
      user("Refactor src/session.ts."),
      edit("src/session.ts"),
      agent(text, { completed: false, outputTokens: 900 })
    ],
    expect: { reason: "genuinely_stuck", nudge: true, loop: "monologue", says: ["STOP: Monologue"] }
  })),
  {
    id: "rounds/reports-of-progress",
    why: "The host tells it of one subagent after another, and it counts them.",
    events: [
      user("Review the packages with six reviewers."),
      ...rounds(5, (index) => [
        harness(`<task-notification>reviewer ${index} is through</task-notification>`),
        agent(`${index + 1} of 6 reviewers are through; I wait for the others.`)
      ])
    ],
    expect: { reason: ["working", "waiting_for_user", "complete"], nudge: false }
  },
  {
    id: "rounds/context-with-words",
    why: "The context is full whatever it says in between; no word to it would fit either.",
    silence: 900,
    events: [
      user("Refactor src/session.ts."),
      edit("src/session.ts"),
      ...rounds(5, (index) => [
        agent("I compact first."),
        notice("api_error", `prompt is too long: ${201_000 + index} tokens > 200000 maximum`)
      ])
    ],
    expect: { reason: "genuinely_stuck", nudge: false, loop: "context_error" }
  }
]
