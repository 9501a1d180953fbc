import { assert, describe, expect, it } from "@effect/vitest"
import { lasting, unasked } from "../../../src/judge/loops/RequestedRepeats.ts"
import * as Loops from "../../../src/judge/loops/Loops.ts"
import * as StuckAssessment from "../../../src/judge/stuck/StuckAssessment.ts"
import * as Judgment from "../../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../../src/session/config/ReflexionConfig.ts"
import * as Rules from "../../../src/judge/rules/Rules.ts"
import type { Level } from "../../../src/session/config/Levels.ts"
import type { TranscriptEvent } from "../../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../../src/judge/verdict/Verdict.ts"
import * as Notice from "../../../src/review/records/Notice.ts"
import { transcript } from "../../support/events.ts"
import { utmost } from "../../support/utmost.ts"
import { write } from "../../../../../scripts/rules.mjs"
import { examples } from "./examples.ts"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const docs = readFileSync(new URL("../../../../../docs/rules.md", import.meta.url), "utf8")

/** These rules find something only if nobody is there. */
const alone: ReadonlySet<string> = new Set(["host/limit", "question/nobody-there", "work/nothing-run"])

/** The verdict when the agent is silent after these events. */
const judgeAs = (
  attended: boolean,
  events: ReadonlyArray<TranscriptEvent>,
  settings: ReflexionConfig.PartialConfig = {}
): Verdict => {
  const session = { ...transcript(events), attended }
  const config = ReflexionConfig.merge(utmost, settings)
  const context = { ...Judgment.defaultContext, cwd: session.cwd, config }
  const { judgment, loops: folded } = StuckAssessment.replay(session, context)
  const seen = unasked(Loops.read(folded), judgment.task)
  const loops = judgment.stop.spokeLast ? lasting(seen) : seen
  return Judgment.verdict(judgment, { session, context, now: judgment.stop.lastAt, loops })
}

const names = ({ findings }: Verdict): ReadonlyArray<string> => findings.map(({ rule }) => rule)

const only = (rule: Rules.RuleName, level: Level, events: ReadonlyArray<TranscriptEvent>): Verdict =>
  judgeAs(!alone.has(rule), events, {
    rules: { ...Object.fromEntries(Rules.rules.map(({ id }) => [id, "off"] as const)), [rule]: level }
  })

/** The agent's nudge of an example, the user's line about it, and that line if the rule only tells. */
const saidOf = (rule: Rules.RuleName, events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> => {
  const [pushed, told] = [only(rule, "nudge", events), only(rule, "tell", events)]
  const nudge = Notice.nudge({ verdict: pushed, attempt: 1, maxAttempts: 3 })
  const notice = Notice.render({ notice: "incomplete", verdict: told, attempts: 0, maxAttempts: 3 })
  return [
    ...(pushed.feedback ?? "").split("\n"),
    `To the user: ${nudge}`,
    `Told only: ${notice.replace(nudge.replace(/^.*?\): /, ""), "…")}`
  ]
}

/** The first example with all its lines, and each later one with only its new lines. */
const screens = (): string => {
  const known = new Set<string>()
  return Rules.rules
    .flatMap(({ id }) => {
      const sessions = Object.entries({ ...examples[id].fires, ...examples[id].tells })
      const parts = sessions.map(([title, events]) => {
        const said = saidOf(id, events)
        const lines = said.filter((line) => !known.has(line))
        for (const line of lines) known.add(line)
        return [`# ${title}, ${said.length} lines`, ...lines].join("\n")
      })
      return [`\n## ${id}`, ...parts]
    })
    .join("\n")
}

describe("rules", () => {
  it("each rule has a unique name, examples, near misses and two explaining sentences", () => {
    const names = Rules.rules.map(({ id }) => id)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(Object.keys(examples).toSorted(), names.toSorted())
    for (const { id, what, why } of Rules.rules) {
      for (const sentence of [what, why]) assert.match(sentence, /^[A-Z][^\n]{20,300}\.$/)
      for (const kind of ["fires", "spares"] as const) assert.isNotEmpty(Object.keys(examples[id][kind]), id)
    }
  })

  it("docs/rules.md has all rules, as `npm run docs` writes it", () => assert.strictEqual(docs, write(Rules)))

  it("the texts to the agent and the user match golden.txt", async () => {
    await expect(`${screens()}\n`).toMatchFileSnapshot(fileURLToPath(new URL("golden.txt", import.meta.url)))
  })
})

describe.each(Rules.rules.map(({ id }) => id))("%s", (id) => {
  const { fires, spares, tells = {} } = examples[id]
  const attended = !alone.has(id)

  it.each(Object.entries(fires))("fires, and nudges only at level `nudge`: %s", (_, events) => {
    const verdict = judgeAs(attended, events)
    assert.include(names(verdict), id)
    assert.notStrictEqual(verdict.status, "complete")
    const [pushed, told, off] = (["nudge", "tell", "off"] as const).map((level) => only(id, level, events))
    assert.deepStrictEqual([pushed?.shouldContinue, told?.shouldContinue, off?.shouldContinue], [true, false, false])
    assert.include(names(told ?? verdict), id)
    assert.notInclude(names(off ?? verdict), id)
    assert.notStrictEqual(off?.status, "complete")
  })

  for (const [title, events] of Object.entries(tells)) {
    it(`only tells: ${title}`, () => {
      const { findings, shouldContinue } = only(id, "nudge", events)
      assert.isFalse(shouldContinue)
      const found = findings.map(({ level, rule }) => [rule, level])
      assert.deepStrictEqual(found, [[id, "tell"]])
    })
  }

  it.each(Object.entries(spares))("spares: %s", (_, events) => assert.notInclude(names(judgeAs(attended, events)), id))
})

it("work/nothing-run is silent if the user configured that check not to run now", () => {
  const [events = []] = Object.values(examples["work/nothing-run"].fires)
  const judged = (check: Omit<ReflexionConfig.Check, "command" | "name">) =>
    names(judgeAs(false, events, { checks: [{ name: "tests", command: "npm test", ...check }] }))
  for (const check of [{ when: "ask" }, { when: "claim" }, { paths: ["web/**"] }] as const)
    assert.notInclude(judged(check), "work/nothing-run", JSON.stringify(check))
  assert.include(judged({ paths: ["src/**"] }), "work/nothing-run")
})
