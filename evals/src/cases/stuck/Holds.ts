import { agent, edit, run, shell, todos, tool, user } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const working: StuckExpectation = { reason: "working", nudge: false }
const quiet: StuckExpectation = { reason: ["complete", "working", "waiting_for_user"], nudge: false }

const task = user("Add a search box to the catalogue and cover it with tests.")

const plan = "Here is my plan:\n1. Add the index\n2. Build the search box\n3. Write the tests"

/** Who holds back for a word or an act of the user's, however politely, and who only sounds so. */
export const holds: ReadonlyArray<StuckCase> = [
  ...[
    "Once approved, work begins with step 1.",
    "Tell me to go and I go.",
    "Comments are welcome before any code is written.",
    "If nothing speaks against it, I begin with the index."
  ].map((text, index): StuckCase => ({
    id: `holds/plan/${index + 1}`,
    why: "The plan is put before the user, who has the next word.",
    events: [task, agent(`${plan}\n\n${text}`)],
    expect: quiet
  })),
  {
    id: "holds/plan-mode",
    why: "In plan mode a plan is the whole work.",
    session: { mode: "plan" },
    events: [task, agent(plan)],
    expect: quiet
  },
  ...["Start the database and I will run the tests.", "Unlock the repository, and I'll push the branch."].map(
    (text, index): StuckCase => ({
      id: `holds/act-first/${index + 1}`,
      why: "The user is to do something first; the step that follows is not due yet.",
      events: [task, edit("src/search.ts"), agent(`The search box is there. ${text}`)],
      expect: quiet
    })
  ),
  {
    id: "holds/subagent-at-work",
    why: "A subagent's command still runs; the parent takes its step when that is through.",
    silence: 300,
    events: [
      task,
      edit("src/search.ts"),
      tool("bash", { command: "npm test" }, { agentId: "reviewer", status: "running", output: null }),
      agent("The search box is there. I will now write the tests.")
    ],
    expect: { reason: "working", nudge: false, evidence: ["npm test"] }
  },
  {
    id: "holds/asked-to-repeat",
    why: "Eight runs of ten are through; the same result each time is what the user wants to know.",
    events: [
      user("Run the checkout test 10 times to see whether it is flaky."),
      ...Array.from({ length: 8 }, () => run("npm test -- checkout", 0, "Tests:       1 passed, 1 total\n"))
    ],
    expect: working
  },
  ...["Stop!", "not now", "we continue tomorrow"].map((text, index): StuckCase => ({
    id: `holds/halt/${index + 1}`,
    why: "The user stopped the agent; whoever then tells it to go on overrides the user.",
    silence: 400,
    events: [task, edit("src/search.ts"), agent("The index is there."), user(text)],
    expect: { reason: "waiting_for_user", nudge: false }
  })),
  ...["Alright, I won't push.", "Then I'll write the tests first.", "The index is there; the rest is open."].map(
    (text, index): StuckCase => ({
      id: `holds/refused/${index + 1}`,
      why: "The user refused the call, and nothing was done since: whoever refused decides.",
      silence: 400,
      events: [
        task,
        todos("[x] Add the index", "[ ] Write the tests"),
        edit("src/search.ts"),
        shell("git push", { status: "denied" }),
        agent(text)
      ],
      expect: { reason: "waiting_for_user", nudge: false }
    })
  ),
  {
    id: "holds/refused-and-went-on",
    why: "The agent went on after the refusal, and then left its own list open, which a model may read.",
    events: [
      task,
      todos("[x] Add the index", "[ ] Write the tests"),
      shell("git push", { status: "denied" }),
      agent("Alright, no push."),
      edit("src/search.ts"),
      agent("The search box is there.")
    ],
    expect: { reason: "working", nudge: false }
  },
  ...[
    "Please run `gh auth login` and tell me when you're through.",
    "Next, I will need the schema from you.",
    "Pick one:\n1. Search by name\n2. Search by tag"
  ].map((text, index): StuckCase => ({
    id: `holds/after-a-failure/${index + 1}`,
    why: "The call failed, but the text says whose turn it is.",
    events: [task, edit("src/search.ts"), run("git push", 1, "remote: 401\n"), agent(text)],
    expect: { reason: "waiting_for_user", nudge: false }
  }))
]
