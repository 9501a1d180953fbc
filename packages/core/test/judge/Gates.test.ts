import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Gates from "../../src/session/gates/Gates.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { SessionInfo, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, folded, mode, run, transcript, user } from "../support/events.ts"
import { utmost, utmostContext } from "../support/utmost.ts"

interface Setting {
  readonly profile?: ReflexionConfig.Profile
  readonly gates?: ReadonlyArray<ReflexionConfig.DeclaredGate>
  readonly repo?: Partial<RepoSignals.RepoSignals>
  readonly session?: Partial<SessionInfo>
}

type Row = readonly [name: string, events: ReadonlyArray<TranscriptEvent>, verdict: string, setting: Setting]

/** "incomplete, pushed: tests*=stale": status, whether the agent is pushed, and the gates that matter; `*` is required. */
const verdict = (events: ReadonlyArray<TranscriptEvent>, { repo, session, ...config }: Setting): string => {
  const self = Judgment.judge(transcript(events, session), {
    context: {
      config: ReflexionConfig.merge(utmost, config),
      repo: { ...RepoSignals.empty, ...repo }
    }
  })
  const gates = self.gates
    .filter((gate) => gate.result !== "not_required")
    .map((gate) => `${gate.gate}${gate.required ? "*" : ""}=${gate.result}`)
  const status = `${self.status}${self.shouldContinue ? ", pushed" : ""}`
  return gates.length === 0 ? status : `${status}: ${gates.join(" ")}`
}

const U = user("Fix the bug and run the tests.")
const ok = "Tests:  5 passed, 5 total"
const bad = "Tests:  1 failed, 4 passed, 5 total"
const src = (): TranscriptEvent => edit("/repo/src/a.ts")

/** A project that has all that the strict profile may require. */
const whole: Setting["repo"] = { buildCommand: "npm run build", remote: true, testCommand: "npm test" }

const rows: ReadonlyArray<Row> = [
  ["plain", [U, src(), run("npm test", 0, ok), agent("Done.")], "complete: tests*=passed", {}],
  ["before edit", [U, run("npm test", 0, ok), src(), agent("Done.")], "incomplete, pushed: tests*=stale", {}],
  [
    "fail then pass",
    [U, src(), run("npm test", 1, bad), src(), run("npm test", 0, ok), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "pass then fail",
    [U, src(), run("npm test", 0, ok), run("npm test", 1, bad), agent("Done.")],
    "incomplete, pushed: tests*=failed",
    {}
  ],
  [
    "docs edit after",
    [U, src(), run("npm test", 0, ok), edit("/repo/README.md"), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "comment edit after",
    [
      U,
      src(),
      run("npm test", 0, ok),
      call("Edit", { file_path: "/repo/src/a.ts", old_string: "// a", new_string: "// b" }),
      agent("Done.")
    ],
    "complete: tests*=passed",
    {}
  ],
  [
    "config edit after",
    [U, src(), run("npm test", 0, ok), edit("/repo/package.json"), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "failed edit after",
    [U, src(), run("npm test", 0, ok), edit("/repo/src/a.ts", { status: "error" }), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "denied edit after",
    [U, src(), run("npm test", 0, ok), edit("/repo/src/a.ts", { status: "denied" }), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "sed edit after",
    [U, src(), run("npm test", 0, ok), run("sed -i s/a/b/ src/a.ts", 0), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  [
    "redirect to log after",
    [U, src(), run("npm test > log.txt 2>&1", 0, ""), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "git checkout file after",
    [U, src(), run("npm test", 0, ok), run("git checkout -- src/a.ts", 0), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  [
    "denied run",
    [U, src(), run("npm test", null, "", { status: "denied" }), agent("Done.")],
    "incomplete: tests*=missing",
    {}
  ],
  [
    "interrupted run",
    [U, src(), run("npm test", null, "", { status: "interrupted" }), agent("Done.")],
    "incomplete, pushed: tests*=missing",
    {}
  ],
  [
    "background run",
    [
      U,
      src(),
      run("npm test", null, "", { background: true, status: "running" }),
      agent("The tests run in the background; I'll report back when they finish.")
    ],
    "working: tests*=unknown",
    {}
  ],
  [
    "background run silent",
    [U, src(), run("npm test", null, "", { background: true, status: "running" }), agent("Done.")],
    "abstained: tests*=unknown",
    {}
  ],
  [
    "background settled",
    [
      U,
      src(),
      run("npm test", null, "", { id: "x", background: true, status: "running" }),
      run("npm test", 0, ok, { id: "x", background: true }),
      agent("Done.")
    ],
    "complete: tests*=passed",
    {}
  ],
  [
    "pending then settled",
    [
      U,
      src(),
      run("npm test", null, "", { id: "x", status: "pending" }),
      run("npm test", 0, ok, { id: "x" }),
      agent("Done.")
    ],
    "complete: tests*=passed",
    {}
  ],
  ["masked", [U, src(), run("npm test | tail -3", 0, ""), agent("All tests pass.")], "complete: tests*=unknown", {}],
  [
    "masked failing out",
    [U, src(), run("npm test | tail -3", 0, bad), agent("All tests pass.")],
    "incomplete, pushed: tests*=failed",
    {}
  ],
  [
    "subagent run",
    [U, src(), run("npm test", 0, ok, { agentId: "a1" }), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "subagent edits after",
    [U, src(), run("npm test", 0, ok), edit("/repo/src/b.ts", { agentId: "a1" }), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  [
    "test edit after",
    [U, src(), run("npm test", 0, ok), edit("/repo/test/a.test.ts"), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  [
    "outside edit after",
    [U, src(), run("npm test", 0, ok), edit("/tmp/x.ts"), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "partial run only",
    [U, src(), run("npx vitest run test/a.test.ts", 0, ok), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "pr by gh",
    [
      user("Fix it and open a PR."),
      src(),
      run("git push -u origin fix", 0, "* [new branch] fix -> fix"),
      run("gh pr create --fill", 0, "https://github.com/a/b/pull/1"),
      agent("Done: https://github.com/a/b/pull/1")
    ],
    "complete: pr*=passed push=passed",
    {}
  ],
  ...(
    [
      ["Warning: 1 uncommitted change", "abstained: pr*=unknown"],
      ["https://github.com/a/b", "abstained: pr*=unknown"],
      ["", "complete: pr*=passed"]
    ] as const
  ).map(([output, expected]): Row => [
    `pr by gh that printed "${output}"`,
    [user("Fix it and open a PR."), src(), run("gh pr create --fill", 0, output), agent("Done. I opened it.")],
    expected,
    {}
  ]),
  [
    "pr by tool",
    [
      user("Fix it and open a PR."),
      src(),
      call(
        "mcp__github__create_pull_request",
        { title: "x" },
        { output: '{"html_url":"https://github.com/a/b/pull/1"}' }
      ),
      agent("Done.")
    ],
    "complete: pr*=passed",
    {}
  ],
  [
    "pr tool failed",
    [
      user("Fix it and open a PR."),
      src(),
      call("mcp__github__create_pull_request", { title: "x" }, { status: "error", output: "no" }),
      agent("Done.")
    ],
    "incomplete, pushed: pr*=failed",
    {}
  ],
  [
    "gh pr create failed",
    [user("Fix it and open a PR."), src(), run("gh pr create --fill", 1, "error"), agent("Done.")],
    "incomplete, pushed: pr*=failed",
    {}
  ],
  [
    "ci pending",
    [
      user("Fix it and wait for CI."),
      src(),
      run("git push", 0, "  a..b x -> x"),
      run("gh pr checks 1", 8, "build\tpending\t0\turl\nlint\tpass\t1s\turl"),
      agent("Done.")
    ],
    "incomplete: ci*=unknown push=passed",
    {}
  ],
  [
    "ci pass",
    [
      user("Fix it and wait for CI."),
      src(),
      run("git push", 0, "   1a2b3c4..2b3c4d5 x -> x"),
      run("gh pr checks 1 --watch", 0, "build\tpass\t1s\turl\nlint\tpass\t1s\turl"),
      agent("Done.")
    ],
    "complete: ci*=passed push=passed",
    {}
  ],
  [
    "ci fail",
    [
      user("Fix it and wait for CI."),
      src(),
      run("git push", 0, "   1a2b3c4..2b3c4d5 x -> x"),
      run("gh pr checks 1 --watch", 1, "build\tfail\t1s\turl\nlint\tpass\t1s\turl"),
      agent("Done.")
    ],
    "incomplete, pushed: ci*=failed push=passed",
    {}
  ],
  [
    "ci before push",
    [
      user("Fix it, push and wait for CI."),
      src(),
      run("gh pr checks 1", 0, "build\tpass\t1s\turl"),
      run("git push", 0, "   1a2b3c4..2b3c4d5 x -> x"),
      agent("Done.")
    ],
    "incomplete, pushed: ci*=stale push*=passed",
    {}
  ],
  [
    "push main, unasked",
    [user("Fix it."), src(), run("git push origin main", 0, "   1a2b3c4..2b3c4d5 main -> main"), agent("Done.")],
    "complete: push=passed",
    {}
  ],
  [
    "push main, PR asked",
    [user("Fix it and open a PR."), src(), run("git push", 0, "   1a2b3c4..2b3c4d5 main -> main"), agent("Done.")],
    "incomplete, pushed: pr*=missing push=passed",
    { repo: { branch: "main", defaultBranch: "main" } }
  ],
  [
    "push main after switch",
    [
      user("Fix it and open a PR."),
      run("git checkout main", 0),
      src(),
      run("git push", 0, "   1a2b3c4..2b3c4d5 main -> main"),
      agent("Done.")
    ],
    "incomplete, pushed: pr*=missing push=passed",
    {}
  ],
  ["advisory", [U, src(), agent("Done.")], "incomplete: tests*=missing", { profile: "advisory" }],
  [
    "strict",
    [user("Fix the bug."), src(), agent("Done.")],
    "incomplete, pushed: tests*=missing build*=missing pr*=missing ci*=missing",
    { profile: "strict", repo: whole }
  ],
  [
    "strict forbids",
    [user("Fix the bug. Don't run the tests and don't open a PR."), src(), agent("Done.")],
    "incomplete, pushed: build*=missing ci*=missing",
    { profile: "strict", repo: whole }
  ],
  [
    "strict docs",
    [user("Fix the README."), edit("/repo/README.md"), agent("Done.")],
    "complete",
    { profile: "strict" }
  ],
  ["strict question", [user("What is this?"), agent("A thing.")], "complete", { profile: "strict" }],
  [
    "declared",
    [user("Fix it."), edit("/repo/web/a.ts"), agent("Done.")],
    "incomplete, pushed: web*=missing",
    { gates: [{ name: "web", command: "pnpm -C web test*", paths: ["web/**"], required: true }] }
  ],
  [
    "declared other path",
    [user("Fix it."), edit("/repo/api/a.ts"), agent("Done.")],
    "complete",
    { gates: [{ name: "web", command: "pnpm -C web test*", paths: ["web/**"], required: true }] }
  ],
  [
    "continued",
    [U, src(), agent("Shall I run the tests?"), user("yes"), run("npm test", 0, ok), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "continued missing",
    [U, src(), agent("Shall I run the tests?"), user("yes"), agent("Done.")],
    "incomplete, pushed: tests*=missing",
    {}
  ],
  [
    "new task forgets",
    [U, src(), agent("Done."), user("Now rename the module."), edit("/repo/src/b.ts"), agent("Done.")],
    "complete",
    {}
  ],
  ["plan mode", [mode("plan"), U, agent("Plan: ...")], "incomplete: tests*=missing", {}],
  ["claims w/o run", [U, src(), agent("All tests pass.")], "incomplete, pushed: tests*=missing", {}],
  [
    "left failing unasked",
    [user("Fix the bug."), src(), run("npm test", 1, bad), agent("Done.")],
    "incomplete: tests*=failed",
    {}
  ],
  [
    "left failing, disowned",
    [user("Fix the bug."), src(), run("npm test", 1, bad), agent("Done. The failure is pre-existing.")],
    "incomplete: tests*=failed",
    {}
  ],
  [
    "a command that was not found",
    [
      U,
      src(),
      run("npm test", 127, "sh: npm: command not found"),
      agent("npm is not installed, so I could not run the tests.")
    ],
    "waiting_for_user: tests*=unknown",
    {}
  ],
  [
    "git restore",
    [U, src(), run("npm test", 0, ok), run("git restore src/a.ts", 0), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  ["thanks", [U, src(), agent("Done."), user("thanks!"), agent("You're welcome!")], "complete", {}],
  [
    "run, commit, then nothing",
    [U, src(), run("npm test && git commit -am x", 0, ok), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "git stash pop after",
    [U, src(), run("npm test", 0, ok), run("git stash && npm test; git stash pop", 0, ok), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "formatter after",
    [U, src(), run("npm test", 0, ok), run("npx prettier --write src/a.ts", 0), agent("Done.")],
    "complete: tests*=passed",
    {}
  ],
  [
    "rm after",
    [U, src(), run("npm test", 0, ok), run("rm src/old.ts", 0), agent("Done.")],
    "incomplete, pushed: tests*=stale",
    {}
  ],
  [
    "rm tmp after",
    [U, src(), run("npm test", 0, ok), run("rm -rf /tmp/x coverage", 0), agent("Done.")],
    "complete: tests*=passed",
    {}
  ]
]

describe("the gates of a session", () => {
  it.each(rows)("%s", (_, events, expected, setting) => {
    assert.strictEqual(verdict(events, setting), expected)
  })
})

const assessed = (
  events: ReadonlyArray<TranscriptEvent>,
  setting: Partial<Gates.GateContext> = {}
): ReadonlyArray<Gates.Assessed> => {
  const config = { ...ReflexionConfig.defaults, gates: setting.declared ?? [] }
  const state = folded(events, { ...utmostContext, config, cwd: "/repo" })
  return Gates.assess(state.evidence, {
    profile: "balanced",
    declared: [],
    repo: RepoSignals.empty,
    task: state.task,
    claims: [],
    coding: true,
    cwd: "/repo",
    ...setting
  })
}

const gate = (all: ReadonlyArray<Gates.Assessed>, name: string): Gates.Assessed | undefined =>
  all.find((each) => each.gate === name)

const web: ReflexionConfig.DeclaredGate = {
  name: "web",
  command: "pnpm -C web test*",
  paths: ["web/**"],
  required: true
}

const strictIn = (repo: Partial<RepoSignals.RepoSignals>) => ({
  profile: "strict" as const,
  repo: { ...RepoSignals.empty, ...repo }
})

describe("why a gate is required", () => {
  it.each([
    ["the user asked for it", "tests", [U, src()], {}, "asked"],
    [
      "the project's instructions demand it",
      "lint",
      [user("Fix it."), src()],
      { repo: { ...RepoSignals.empty, instructedGates: ["lint"] } },
      "instructed"
    ],
    [
      "the configuration declares it",
      "web",
      [user("Fix it."), edit("/repo/web/a.ts")],
      { declared: [web] },
      "declared"
    ],
    ["strict, of a project that nobody read", "pr", [user("Fix it."), src()], strictIn({}), null],
    [
      "strict, with a push on record",
      "pr",
      [user("Fix it."), src(), run("git push origin topic", 0, "")],
      strictIn({}),
      "strict"
    ],
    ["strict, with a test folder", "tests", [user("Fix it."), src()], strictIn({ testFolders: ["test"] }), "strict"],
    ["strict, with a remote", "ci", [user("Fix it."), src()], strictIn({ remote: true }), "strict"],
    ["strict, with workflows", "pr", [user("Fix it."), src()], strictIn({ remote: false, ciFiles: true }), "strict"],
    ["strict, and there are no tests", "tests", [user("Fix it."), src()], strictIn({}), null],
    ["strict, and nothing to build", "build", [user("Fix it."), src()], strictIn({}), null],
    ["strict, without a remote", "ci", [user("Fix it."), src()], strictIn({ remote: false }), null],
    ["the agent left it failing", "tests", [user("Fix it."), src(), run("npm test", 1, bad)], {}, "left_failing"],
    ["the user reported it failing", "tests", [user("Fix:\n--- FAIL: TestA (0.0s)"), src()], {}, "reported"],
    [
      "instructions about code, no code edited",
      "lint",
      [user("Fix it."), edit("/repo/README.md")],
      { repo: { ...RepoSignals.empty, instructedGates: ["lint"] } },
      null
    ],
    ["declared for other files", "web", [user("Fix it."), edit("/repo/api/a.ts")], { declared: [web] }, null],
    [
      "declared, and voluntary",
      "web",
      [user("Fix it."), edit("/repo/web/a.ts")],
      { declared: [{ ...web, required: false }] },
      null
    ],
    ["strict, but no coding", "pr", [user("Fix it."), src()], { profile: "strict", coding: false }, null],
    ["the user forbade it", "tests", [user("Fix it, but don't run the tests."), src()], { profile: "strict" }, null],
    ["nobody asked", "tests", [user("Fix it."), src()], {}, null]
  ] as const)("%s", (_, name, events, setting, why) => {
    const found = gate(assessed(events, setting), name)
    assert.strictEqual(found?.why ?? null, why)
    assert.strictEqual(found?.required ?? false, why !== null)
  })
})

const result = (...events: ReadonlyArray<TranscriptEvent>) =>
  gate(assessed([user("Fix it."), edit("/repo/web/a.ts"), ...events], { declared: [web] }), "web")?.result

describe("a declared gate", () => {
  it("passes by its own command and goes stale by its own files", () => {
    const ran = run("pnpm -C web test --run", 0)
    assert.strictEqual(result(), "missing")
    assert.strictEqual(result(ran), "passed")
    assert.strictEqual(result(ran, edit("/repo/api/b.ts")), "passed")
    assert.strictEqual(result(ran, edit("/repo/web/b.ts")), "stale")
  })

  it("stands behind the standard gates", () => {
    const names = assessed([U], { declared: [web] }).map((each) => each.gate)
    assert.deepStrictEqual(names, ["tests", "build", "typecheck", "lint", "pr", "ci", "push", "web"])
  })
})

const command = (text: string, setting: Partial<Gates.GateContext>) =>
  gate(assessed([user(text)], setting), "tests")?.command

describe("the command of a gate", () => {
  const repo = { ...RepoSignals.empty, testCommand: "pnpm test" }
  it("is the user's before the repository's, else unknown", () => {
    assert.strictEqual(command("Run `npm run unit:test` please, run `pytest -q`.", { repo })?.includes("pnpm"), false)
    assert.strictEqual(command("Run the tests.", { repo }), "pnpm test")
    assert.strictEqual(command("Run the tests.", {}), null)
  })

  it("is none that a slash command's file names", () => {
    const body: TranscriptEvent = {
      type: "user_message",
      id: null,
      at: null,
      text: "Run `npm test -- --reporter evil.example`.",
      synthetic: true,
      expansion: true
    }
    const found = gate(assessed([user("/ship"), body], { repo }), "tests")
    assert.deepStrictEqual([found?.required, found?.command], [true, "pnpm test"])
  })
})

const pushed = (
  command: string,
  setting: Partial<Gates.GateContext> = {},
  ...before: ReadonlyArray<TranscriptEvent>
): number => {
  const state = folded([user("Fix it."), ...before, run(command, 0, "   1a2b3c4..2b3c4d5 x -> x")])
  return Gates.pushesToDefault(state.evidence, {
    profile: "balanced",
    declared: [],
    repo: RepoSignals.empty,
    task: state.task,
    claims: [],
    coding: true,
    cwd: null,
    ...setting
  }).length
}

describe("pushes to the default branch", () => {
  it.each([
    ["git push origin main", 1],
    ["git push origin HEAD:master", 1],
    ["git push origin fix/a", 0],
    ["git push origin trunk", 0],
    ["git push", 0]
  ] as const)("%s", (command, count) => {
    assert.strictEqual(pushed(command), count)
  })

  it("go by the branch that is checked out", () => {
    assert.strictEqual(pushed("git push", { repo: { ...RepoSignals.empty, branch: "main" } }), 1)
    assert.strictEqual(
      pushed("git push", { repo: { ...RepoSignals.empty, branch: "main" } }, run("git switch -c fix", 0)),
      0
    )
    assert.strictEqual(pushed("git push", {}, run("git switch main", 0)), 1)
    assert.strictEqual(pushed("git push origin trunk", { repo: { ...RepoSignals.empty, defaultBranch: "trunk" } }), 1)
  })
})

describe("every assessment", () => {
  const event = fc.constantFrom(
    src(),
    edit("/repo/test/a.test.ts"),
    edit("/repo/README.md"),
    run("npm test", 0, ok),
    run("npm test", 1, bad),
    run("npm test | cat", 0),
    run("npm run build", 0),
    run("git push", 0),
    agent("Done."),
    user("continue"),
    user("Run the tests."),
    user("Don't run the tests.")
  )

  it("requires what has a reason and nothing else, and proves results by runs", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 16 }),
        fc.constantFrom(...(["balanced", "strict"] as const)),
        (events, profile) => {
          const all = [user("Fix it."), ...events]
          const { edits, pushes } = folded(all, { ...utmostContext, cwd: "/repo" }).evidence
          const last = Math.max(...[...edits, ...pushes].map(({ order }) => order))
          for (const each of assessed(all, { profile })) {
            assert.strictEqual(each.required, each.why !== null)
            if (each.result === "not_required") assert.isFalse(each.required)
            if (each.result === "missing") assert.isTrue(each.required)
            if (each.result === "passed") assert.isAbove(each.evidence.length, 0)
            if (each.result === "stale") assert.isBelow(each.run?.order ?? Infinity, last)
          }
        }
      )
    )
  })
})
