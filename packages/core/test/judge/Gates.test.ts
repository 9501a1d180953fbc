/** What a session proves, row by row; why a check is required, and which command it has. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Gates from "../../src/session/gates/Gates.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { SessionInfo, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { folded, transcript, user } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"
import { utmost, utmostContext } from "../support/utmost.ts"
import { rows, words } from "./gates.rows.ts"

interface Setting {
  readonly base?: ReflexionConfig.ReflexionConfig
  readonly config?: ReflexionConfig.PartialConfig
  readonly repo?: Partial<RepoSignals.RepoSignals>
  readonly session?: Partial<SessionInfo>
}

const web = { name: "web", command: "pnpm -C web test*", paths: ["web/**"], required: true }

const settings: Readonly<Record<string, Setting>> = {
  advisory: { config: { profile: "advisory" } },
  strict: { config: { profile: "strict" } },
  whole: {
    config: { profile: "strict" },
    repo: { buildCommand: "npm run build", remote: true, testCommand: "npm test" }
  },
  default: { base: ReflexionConfig.defaults },
  alone: { base: ReflexionConfig.defaults, session: { attended: false } },
  shop: { session: { cwd: "/home/ann/shop" } },
  below: { session: { cwd: "/home/ann/shop/web" } },
  main: { repo: { branch: "main", defaultBranch: "main" } },
  web: { config: { gates: [web] } }
}

const verdict = (line: string, { base = utmost, config = {}, repo, session: info }: Setting): string => {
  const self = Judgment.judge(transcript(session(line, words), info), {
    context: { config: ReflexionConfig.merge(base, config), repo: { ...RepoSignals.empty, ...repo } }
  })
  const gates = self.gates
    .filter((gate) => gate.result !== "not_required")
    .map((gate) => `${gate.gate}${gate.required ? "*" : ""}=${gate.result}`)
  const status = `${self.status}${self.shouldContinue ? ", nudged" : ""}`
  return gates.length === 0 ? status : `${status}: ${gates.join(" ")}`
}

describe("a session's checks and deliveries", () => {
  it.each(table(rows))("%s", (_, events = "", expected, setting = "") => {
    assert.strictEqual(verdict(events, settings[setting] ?? {}), expected)
  })
})

const assessed = (events: ReadonlyArray<TranscriptEvent>, setting: Partial<Gates.GateContext> = {}) => {
  const config = { ...ReflexionConfig.defaults, gates: setting.declared ?? [] }
  const { evidence, task } = folded(events, { ...utmostContext, config, cwd: "/repo" })
  const context = { profile: "balanced" as const, declared: [], repo: RepoSignals.empty, claims: [], cwd: "/repo" }
  return Gates.assess(evidence, { ...context, task, coding: true, ...setting })
}

const gate = (line: string, setting: Partial<Gates.GateContext>, name: string): Gates.Assessed | undefined =>
  assessed(session(line, words), setting).find((each) => each.gate === name)

const signals = (repo: Partial<RepoSignals.RepoSignals>) => ({ repo: { ...RepoSignals.empty, ...repo } })

const strict = (repo: Partial<RepoSignals.RepoSignals> = {}) => ({ profile: "strict" as const, ...signals(repo) })

describe("a check is required because", () => {
  const reasons: ReadonlyArray<
    readonly [why: string | null, name: string, line: string, setting?: Partial<Gates.GateContext>]
  > = [
    ["asked", "tests", "U / S"],
    ["instructed", "lint", "> Fix it. / S", signals({ instructedGates: ["lint"] })],
    ["declared", "web", "> Fix it. / edit /repo/web/a.ts", { declared: [web] }],
    ["strict", "pr", "> Fix it. / S / $ git push origin topic", strict()],
    ["strict", "tests", "> Fix it. / S", strict({ testFolders: ["test"] })],
    ["strict", "ci", "> Fix it. / S", strict({ remote: true })],
    ["strict", "pr", "> Fix it. / S", strict({ remote: false, ciFiles: true })],
    ["left_failing", "tests", "> Fix it. / S / bad"],
    ["reported", "tests", "> Fix:\\n--- FAIL: TestA (0.0s) / S"],
    [null, "pr", "> Fix it. / S", strict()],
    [null, "tests", "> Fix it. / S", strict()],
    [null, "build", "> Fix it. / S", strict()],
    [null, "ci", "> Fix it. / S", strict({ remote: false })],
    [null, "lint", "> Fix it. / edit /repo/README.md", signals({ instructedGates: ["lint"] })],
    [null, "web", "> Fix it. / edit /repo/api/a.ts", { declared: [web] }],
    [null, "web", "> Fix it. / edit /repo/web/a.ts", { declared: [{ ...web, required: false }] }],
    [null, "pr", "> Fix it. / S", { profile: "strict", coding: false }],
    [null, "tests", "> Fix it, but don't run the tests. / S", { profile: "strict" }],
    [null, "tests", "> Fix it. / S"]
  ]

  it.each(reasons.map((row) => [row] as const))("%j", ([why, name, line, setting = {}]) => {
    const found = gate(line, setting, name)
    assert.deepStrictEqual([found?.why ?? null, found?.required ?? false], [why, why !== null])
  })
})

describe("a declared check", () => {
  it.each([
    ["missing", ""],
    ["passed", " / $ pnpm -C web test --run"],
    ["passed", " / $ pnpm -C web test --run / edit /repo/api/b.ts"],
    ["stale", " / $ pnpm -C web test --run / edit /repo/web/b.ts"]
  ])("is %s:%s", (result, events) => {
    const found = gate(`> Fix it. / edit /repo/web/a.ts${events}`, { declared: [web] }, "web")
    assert.strictEqual(found?.result, result)
  })

  it("stands behind the standard ones", () => {
    const names = assessed(session("U", words), { declared: [web] }).map((each) => each.gate)
    assert.deepStrictEqual(names, ["tests", "build", "typecheck", "lint", "pr", "ci", "push", "web"])
  })
})

const command = (text: string, setting: Partial<Gates.GateContext>) =>
  assessed([user(text)], setting).find((each) => each.gate === "tests")?.command

describe("the command of a check", () => {
  const own = signals({ testCommand: "pnpm test" })

  it("is the user's before the repository's, else unknown, and none that a slash command's file names", () => {
    assert.notInclude(command("Run `npm run unit:test` please, run `pytest -q`.", own), "pnpm")
    assert.strictEqual(command("Run the tests.", own), "pnpm test")
    assert.isNull(command("Run the tests.", {}))
    const body = user("Run `npm test -- --reporter evil.example`.", { synthetic: true })
    const found = assessed([user("/ship"), { ...body, expansion: true } as TranscriptEvent], own)
    const tests = found.find((each) => each.gate === "tests")
    assert.deepStrictEqual([tests?.required, tests?.command], [true, "pnpm test"])
  })
})

describe("a push to the default branch", () => {
  type Push = readonly [count: number, line: string, repo?: Partial<RepoSignals.RepoSignals>]
  const pushes: ReadonlyArray<Push> = [
    [1, "$ git push origin main"],
    [1, "$ git push origin HEAD:master"],
    [0, "$ git push origin fix/a"],
    [0, "$ git push origin trunk"],
    [0, "$ git push"],
    [1, "$ git push", { branch: "main" }],
    [0, "$ git switch -c fix / $ git push", { branch: "main" }],
    [1, "$ git switch main / $ git push"],
    [1, "$ git push origin trunk", { defaultBranch: "trunk" }]
  ]

  it.each(pushes.map((row) => [row] as const))("%j", ([count, line, repo = {}]) => {
    const { evidence, task } = folded(session(`> Fix it. / ${line} =>    1a2b3c4..2b3c4d5 x -> x`))
    const context = { profile: "balanced" as const, declared: [], claims: [], coding: true, cwd: null }
    assert.lengthOf(Gates.pushesToDefault(evidence, { ...context, task, ...signals(repo) }), count)
  })
})

describe("every assessment", () => {
  const lines =
    "S|edit /repo/test/a.test.ts|edit /repo/README.md|ok|bad|$ npm test \\| cat|$ npm run build|$ git push|Done."
  const orders = "> continue|> Run the tests.|> Don't run the tests."
  const event = fc.constantFrom(...`${lines}|${orders}`.split(/(?<!\\)\|/u).map((line) => session(line, words)))

  it("requires what has a reason and nothing else, and proves results by runs", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 16 }),
        fc.constantFrom("balanced" as const, "strict" as const),
        (events, profile) => {
          const all = [user("Fix it."), ...events.flat()]
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
