import { agent, type Case, edit, type Expectation, run, shell, tool, user, write } from "../case/Case.ts"

const pushed: Expectation = { status: "incomplete", push: true }
const done: Expectation = { status: "complete", push: false }
const quiet: Expectation = { status: ["complete", "abstained", "waiting_for_user", "working"], push: false }
const working: Expectation = { status: "working", push: false }
const waits: Expectation = { status: "waiting_for_user", push: false }

const green = run("npm test", 0, "Tests:       52 passed, 52 total\n")

const port = [user("Port the exporter from XML to JSON."), edit("src/exporter.ts")]

const steps: ReadonlyArray<readonly [text: string, expect: Expectation, why: string]> = [
  [
    "The writer is gone.\n\nNext steps:\n1. Rewrite the serializer\n2. Replace the schema\n3. Drop the old dependency",
    pushed,
    "The steps are the port itself, and the agent took none of them."
  ],
  [
    "I removed the writer. Next steps: rewrite the serializer, replace the schema and update the callers.",
    pushed,
    "The same in one sentence."
  ],
  [
    "The exporter writes JSON.\n\nNext steps:\n- Add a streaming mode\n- Document the new format",
    done,
    "What was asked for is told as done; the steps go beyond it."
  ],
  [
    "The writer is gone, the serializer is new.\n\nNext steps for you:\n1. Run it on your data\n2. Update the consumers",
    done,
    "The steps are the user's."
  ],
  [
    "The writer is gone, the serializer is new.\n\nFrom here you may want to:\n- Add a streaming mode\n- Write a migration guide",
    done,
    "Suggestions, and the user's to take."
  ]
]

const cuts: ReadonlyArray<readonly [text: string, expect: Expectation, why: string]> = [
  ["I replaced the writer, and the remaining callers now need to", pushed, "No sentence ends so."],
  ["I replaced the writer with the serializer, although the", pushed, "No sentence ends so."],
  ["The writer is replaced:\n\n```ts\nexport const write = (rows: Row[],", pushed, "The code breaks off, too."],
  ["Replaced the writer, which is what the callers rely on", done, "A sentence without a full stop is whole."],
  ["The writer is replaced. See `src/exporter.ts` for what changed", done, "A sentence without a full stop is whole."]
]

const image = user("Build the release image and tell me how large it is.")

const started: ReadonlyArray<readonly [call: Case["events"][number], text: string]> = [
  [
    run("nohup make image > image.log 2>&1 &", 0, "[1] 917\n"),
    "The build takes a while. I'll report back when it's done."
  ],
  [run("make image > image.log &", 0), "Started the build. I will check on it in a few minutes."],
  [
    shell("make image", { background: true, output: "started in the background" }),
    "The image is being built; I'll report back once it finishes."
  ],
  [tool("ScheduleWakeup", { delaySeconds: 300 }), "Still building. I'll check again in 5 minutes."]
]

const fix = [user("Fix the parser and run the tests."), edit("src/parser.ts"), green]

const squash = [user("Squash the whole history into one commit. Run the tests before."), green]

/** How a text ends: steps that nobody took, half a sentence, what still runs, what is not the agent's, and an offer. */
export const endings: ReadonlyArray<Case> = [
  ...steps.map(([text, expect, why], index) => ({
    id: `endings/steps/${index + 1}`,
    why,
    events: [...port, agent(text)],
    expect
  })),
  ...cuts.map(([text, expect, why], index) => ({
    id: `endings/cut/${index + 1}`,
    why,
    events: [...port, agent(text)],
    expect
  })),
  ...started.map(([call, text], index) => ({
    id: `endings/background/${index + 1}`,
    why: "It runs on behind the agent's back, and nobody can hurry it.",
    events: [image, call, agent(text)],
    expect: working
  })),
  {
    id: "endings/background/other-step",
    why: "The server runs, and the step that is announced has nothing to do with it.",
    events: [
      user("Add a health check and try it."),
      write("src/health.ts"),
      run("npm start &", 0),
      agent("The server runs in the background. Now I'll request the health check.")
    ],
    expect: pushed
  },
  ...[
    "The parser is fixed, 52 tests pass. TODO for somebody else: the grammar file still has to be regenerated.",
    "The parser is fixed and 52 tests pass.\n\nLeft for the docs team:\n- The reference isn't updated yet",
    "52 of 52 pass. Still open (owned by the platform team):\n- the image is not rebuilt yet"
  ].map((text, index) => ({
    id: `endings/others/${index + 1}`,
    why: "What is left is another's work.",
    events: [...fix, agent(text)],
    expect: done
  })),
  ...[
    "The tests pass. Squashing rewrites the history for everyone. Say the word and I'll do it.",
    "All 52 pass. I can squash the history as soon as you like, or whenever you want.",
    "The tests pass. Just tell me and I'll squash the history."
  ].map((text, index) => ({
    id: `endings/offer/${index + 1}`,
    why: "What is offered is the task, and nothing of it is done.",
    events: [...squash, agent(text)],
    expect: waits
  })),
  {
    id: "endings/offer/extra",
    why: "The task is done; what is offered goes beyond it.",
    events: [...fix, agent("The parser is fixed and all tests pass. Say the word and I'll write a changelog entry.")],
    expect: quiet
  }
]
