import { agent, edit, harness, notice, read, run, shell, tool, user, write } from "../../case/Case.ts"
import type { StuckCase, StuckExpectation } from "../../watch/StuckCase.ts"

const working: StuckExpectation = { reason: "working", nudge: false }

/** Something runs, or somebody else has the next word: whatever the text says, nobody is nudged. */
export const workingSessions: ReadonlyArray<StuckCase> = [
  {
    id: "working/npm-install",
    why: "`npm install` of a large project takes minutes and prints nothing.",
    silence: 90,
    events: [
      user("Set up the project and start implementing the login page."),
      agent("I'll install the dependencies first.", { outputTokens: 12 }),
      shell("npm install", { status: "running" })
    ],
    expect: { ...working, evidence: ["npm install"] }
  },
  {
    id: "working/long-build",
    why: "A release build of a large crate takes half an hour.",
    silence: 1500,
    events: [
      user("Build the release binary and tell me its size."),
      shell("cargo build --release", { status: "running" })
    ],
    expect: { ...working, evidence: ["cargo build"] }
  },
  {
    id: "working/docker-build-announced",
    why: "The announced step is the one that runs.",
    silence: 240,
    events: [
      user("Containerise the worker."),
      write("Dockerfile"),
      agent("Now let me build the image to verify it works.", { completed: null }),
      shell("docker build -t worker .", { status: "pending" })
    ],
    expect: working
  },
  {
    id: "working/one-of-two-calls",
    why: "Of two calls made at once one is still out.",
    silence: 120,
    events: [
      user("Find out why the importer is slow."),
      tool("grep", { pattern: "import" }, { id: "g1", status: "pending" }),
      shell("time ./import.sh sample.csv", { id: "s1", status: "running" }),
      tool("grep", { pattern: "import" }, { id: "g1", output: "src/import.ts:12" })
    ],
    expect: working
  },
  {
    id: "working/subagent",
    why: "A subagent does the work; its parent has nothing to say meanwhile.",
    silence: 420,
    events: [
      user("Review the whole payments module."),
      agent("I'll have a reviewer go through it.", { completed: null }),
      tool("Task", { description: "Review payments", prompt: "…" }, { status: "running" })
    ],
    expect: working
  },
  {
    id: "working/deploy-by-mcp",
    why: "A tool of unknown kind is running: what it does and how long it takes is its own affair.",
    silence: 300,
    session: { host: "goose" },
    events: [
      user("Deploy the preview to Render."),
      tool("mcp__render__trigger_deploy", { serviceId: "srv-1" }, { status: "running" })
    ],
    expect: working
  },
  {
    id: "working/background-suite",
    why: "The suite still runs in the background; the question that follows can wait as well.",
    silence: 200,
    events: [
      user("Run the full end-to-end suite and fix what fails."),
      shell("npm run test:e2e", { background: true, status: "running" }),
      agent("The suite is running in the background. Should I look at the flaky login test meanwhile?")
    ],
    expect: working
  },
  {
    id: "working/background-notice",
    why: "The host says that agents are at work in the background.",
    silence: 900,
    events: [
      user("Port all five services to the new logger."),
      agent("I've started one agent for each service."),
      notice("background_running", "5 in the background")
    ],
    expect: working
  },
  {
    id: "working/permission",
    why: "The host waits for the user's permission to run a command; the agent can do nothing about it.",
    silence: 700,
    events: [
      user("Fix the filter and run the tests."),
      edit("src/filter.ts"),
      agent("The filter is fixed; now the tests.", { completed: null }),
      shell("npm test", { status: "pending" }),
      notice("permission_asked", "bash: npm test")
    ],
    expect: working
  },
  {
    id: "working/rate-limited",
    why: "The host waits until the limit resets; a nudge would only be refused as well.",
    silence: 1200,
    events: [
      user("Port the parser to Rust."),
      write("src/parser.rs"),
      notice("rate_limited", "Rate limit reached, retrying in 1,800 seconds")
    ],
    expect: working
  },
  {
    id: "working/usage-limit-said-by-the-host",
    why: "The host speaks in the agent's place: the usage limit is reached until the evening.",
    silence: 3600,
    events: [
      user("Port the parser to Rust."),
      write("src/parser.rs"),
      agent("You've hit your usage limit. Try again at 7:14 PM.")
    ],
    expect: working
  },
  {
    id: "working/overloaded-retry",
    why: "The service was overloaded a moment ago and the host tries again by itself.",
    silence: 45,
    events: [
      user("Add a footer to the landing page."),
      read("src/Landing.tsx"),
      notice("api_error", "Overloaded: request failed with status 529, attempt 3 of 10")
    ],
    expect: working
  },
  {
    id: "working/queued",
    why: "The user has typed the next message already; the agent reads it next.",
    silence: 90,
    events: [
      user("Fix the filter and run the tests."),
      edit("src/filter.ts"),
      agent("The filter is fixed. Next I'll run the tests."),
      notice("input_queued")
    ],
    expect: working
  },
  {
    id: "working/thinks-about-a-result",
    why: "A result came fifty seconds ago; a model that reasons needs longer for its next word.",
    silence: 50,
    events: [
      user("Why does the parser drop the last line?"),
      read("src/parser.ts", "export const parse = (text: string) => text.split('\\n').slice(0, -1)")
    ],
    expect: working
  },
  {
    id: "working/thinks-about-a-failure",
    why: "The run failed forty seconds ago and the model reads its output.",
    silence: 40,
    events: [
      user("Fix the failing build."),
      run("npm run build", 2, "src/app.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.")
    ],
    expect: working
  },
  {
    id: "working/thinks-before-the-first-word",
    why: "The task came seventy seconds ago: no word yet is no sign of anything.",
    silence: 70,
    events: [user("Design a sharding scheme for the events table and implement it.")],
    expect: working
  },
  {
    id: "working/woken-by-a-notification",
    why: "A background task has just ended and the host has told the agent so: it is its turn.",
    silence: 40,
    events: [
      user("Run the full suite."),
      agent("I'll report when it has finished."),
      harness("<task-notification>Background command finished with exit code 0</task-notification>")
    ],
    expect: working
  },
  {
    id: "working/issued-and-unknown",
    why: "A call was issued and the record has no result of it: it may still run.",
    silence: 65,
    session: { host: "cline" },
    events: [
      user("Start the migration on staging."),
      tool("execute_command", { command: "make migrate-staging" }, { status: null })
    ],
    expect: working
  }
]
