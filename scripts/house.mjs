/** How the house is built: which package may import which, and inside core which layer. `.dependency-cruiser.mjs` holds it. */

/** The packages, each with those that it may import. Adapters do not know each other. */
export const packages = {
  core: [],
  retry: ["core"],
  "claude-code": ["core"],
  codex: ["core"],
  opencode: ["core"],
  hooks: ["core", "claude-code", "codex", "opencode"],
  cli: ["core", "claude-code", "codex", "opencode", "hooks"],
  testing: ["core"],
  evals: ["core", "claude-code", "codex", "opencode"]
}

/** The layers of core, each knows only those before it. */
export const layers = ["base", "session", "judge", "model", "checks", "review", "memory"]

/**
 * The rooms, each with the sentence that says what it is; in the order in which a newcomer reads them. The tables of
 * docs/architecture.md are written from this list by `npm run docs:rooms`.
 */
export const rooms = {
  core: {
    "base/text": "Text as such: its lines, words and sentences, and patterns over them.",
    "base/json": "JSON that may be broken or endless: values, lines, a model's answer.",
    "base/system": "Files, programs, git and hashes, as far as they need no service.",
    "base/redaction": "Secrets out of whatever leaves the process.",
    "session/transcript": "What happened in a session, in our own terms, and reading it from any host's record.",
    "session/shell": "What a shell command does: parsed, followed through scripts and wrappers, classified.",
    "session/output": "What the output of a command says of its outcome, and its lines that tell why it failed.",
    "session/project": "What the working copy says: scripts, test folders, instructions, branch.",
    "session/vocabulary": "The names of checks and deliveries, and the words for them.",
    "session/task": "What was asked and taken back: the fold over the user's messages.",
    "session/donewhen": "When the user calls a task done: conditions in their own words, and how each stands.",
    "session/evidence": "What the tool calls prove: the fold over runs, edits, pushes and commits.",
    "session/checkedits": "What edits and commands did to the checks: tests, assertions, marks, configuration.",
    "session/stop": "How the agent stopped: what its last words do, ask and claim.",
    "session/claims": "What an agent says was checked or delivered.",
    "session/gates": "Checks and deliveries: which the task must pass, and what the evidence says of each.",
    "session/facts": "All that is known of a stop, put together for the rules, and how a claim stands against it.",
    "session/host": "What a coding agent is to the command line: its records, its installation, its small model.",
    "session/config": "The one configuration tree: schemas, defaults, merging.",
    "judge/rules": "What keeps a task from being done: rules with their levels, checks and words.",
    "judge/verdict": "Whether the task is done, by what the rules found, and the text for the agent.",
    "judge/stuck": "Whether a quiet session is stuck, waits, works or is done.",
    "judge/loops": "Calls and words that go round and bring nothing new.",
    "judge/compaction": "What to say to an agent whose context was compacted.",
    "judge/score": "How well the agent worked, from 0 to 5, with what proves it.",
    "judge/todos": "What a coordinating agent is told about its todo list.",
    "model/calls": "Models by name, order and budget, and asking one a question.",
    "model/assessment": "What a model says of a turn, held against the record.",
    "model/crossreview": "Other models look at the change, and when they agree.",
    "model/detector": "Stuck or not, with a model where evidence leaves it open.",
    checks: "Running the checks that the user named, and what came of them.",
    "review/tiers": "A review in its tiers: evidence, checks, a model, reviewers.",
    "review/machine": "The anti-loop state machine: event in, actions out.",
    "review/records": "What a review leaves behind: its files, the decision log, the user's line.",
    "review/program": "The program around a stop, and the port to a host.",
    "memory/log": "A file of JSON lines that several processes share, and records over it.",
    "memory/lessons": "What was learned from a failed attempt, and the next prompt's section of it.",
    "memory/store": "The episodic memory: keeping, finding and measuring lessons.",
    "memory/outcomes": "How attempts ended, and the log of it.",
    "memory/rules": "What many runs show that one does not.",
    "memory/changes": "What to change so that it does not happen again, and who may carry it out.",
    "memory/cycle": "The program that turns outcomes into findings, and findings into action."
  },
  cli: {
    process: "The process that it is: arguments, input, errors, exit codes, settings.",
    host: "The hosts that it knows, and their hooks.",
    terminal: "Text for people: layout, colour, tables, differences.",
    command: "The commands' options, help and completions.",
    session: "What every command over sessions shares: which files, read how, printed how.",
    judge: "`reflexion judge`.",
    stuck: "`reflexion stuck`.",
    compaction: "`reflexion compaction`.",
    score: "`reflexion score`.",
    memory: "`reflexion memory`, `add`, `recall`, `stats` and the other commands of the memory.",
    outcomes: "`reflexion outcomes`.",
    cycle: "`reflexion cycle`.",
    allow: "`reflexion allow`: what you allow, after trying it.",
    marks: "`reflexion marks`: the pushes that the user called wrong here.",
    models: "The models of a configuration, and what was asked at stops.",
    log: "`reflexion log`.",
    install: "`reflexion install` and `uninstall`: the files of every host and what is put into them.",
    doctor: "`reflexion doctor`, its whole lists, and `reflexion` alone.",
    report: "`reflexion report`: one model of what happened, as a page and as a text."
  },
  hooks: {
    places: "Where files lie, and reading small ones safely.",
    input: "What a host says to a hook.",
    config: "The configuration as a hook reads it, and what of it is trusted.",
    session: "What is kept of a session between two runs of a hook.",
    memory: "The memory and the outcome log, written by a process that loads no schema.",
    models: "The host's own model and the configured ones, and the sandbox for checks.",
    stop: "A stop: read, decided, concluded, with or without more than evidence.",
    events: "Everything that is no stop: tool calls, typed commands, compactions.",
    process: "The process of each host's hook.",
    entries: "What the bundler begins with."
  },
  opencode: {
    decoder: "OpenCode's records as events.",
    host: "The port to a running OpenCode: its events, messages and agents.",
    models: "The session's own provider as a model, in a session of its own.",
    plugin: "The plugin: its tools, commands and the program behind them."
  },
  testing: {
    sandbox: "A workspace, a home and the hosts' real programs.",
    servers: "Scripted models on loopback, a protocol for each.",
    samples: "Records and answers for tests.",
    scenarios: "Recorded sessions and how they were made.",
    contract: "What every host has to do, as one suite.",
    situations: "Stops with checks in real projects, through the built hooks and the built plugin.",
    hosts: "Each host driven as its users do."
  },
  evals: {
    measure: "Counting: rates, intervals, times, text.",
    sessions: "Labelled and generated sessions.",
    case: "Hand-written cases, and what is checked of them.",
    cases: "The cases of the judge.",
    "cases/stuck": "The cases of stuckness.",
    "cases/compaction": "The cases of compaction.",
    "cases/score": "The cases of the score.",
    "cases/retry": "The tasks of the retry evaluation.",
    stops: "Labelled stops.",
    ledger: "What each rule was worth on stops that nobody had seen, and the level that follows.",
    watch: "Nudges, stuckness and compactions.",
    score: "The score.",
    retry: "Lessons in a retry loop.",
    offline: "Any model measured without a network: prompts out, answers in.",
    report: "Options, floors and the report."
  }
}
