import type { TranscriptEvent } from "@reflexion/core/Transcript"
import { agent, edit, harness, read, run, user } from "../../case/Case.ts"
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
      ["state-of-a-run", "Roll the service out to staging.", "nomad-state web", '{"status":"in_progress"}'],
      ["state-of-an-export", "Export the reports.", "./exports show 7", "queued, 3 ahead"]
    ] as const
  ).map(([name, task, command, output]): StuckCase => ({
    id: `rounds/watch-${name}`,
    why: "It looks again and again at what moves by itself, with a program that no list has.",
    events: [user(task), run("./begin.sh", 0, "started"), ...rounds(7, () => [run(command, 0, output)])],
    expect: working
  })),
  ...([["address", (index: number) => `./ping.sh 'localhost:6379/x?at=${1_772_440_000 + index * 9}'`]] as const).map(
    ([name, command]): StuckCase => ({
      id: `rounds/near-${name}`,
      why: "The same failing call, but for what was made up for it.",
      events: [
        user("Make the cache tests pass."),
        edit("src/cache.ts"),
        ...rounds(6, (index) => [run(command(index), 1, crash)])
      ],
      expect: { reason: "genuinely_stuck", nudge: true, loop: "failing_call", says: ["STOP: Action Loop"] }
    })
  ),
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
  ...([["same", () => "Now I'll correct the header check."]] as const).map(([name, text]): StuckCase => ({
    id: `rounds/words-${name}`,
    why: "It says what it will do and never does it; that it repeats itself is what it has to hear.",
    events: [
      user("Fix the header check in src/parse.ts and run the tests."),
      edit("src/parse.ts"),
      ...rounds(5, () => [agent(text())])
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
  }
]
