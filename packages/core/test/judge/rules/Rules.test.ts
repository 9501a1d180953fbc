/** Every rule by its examples: it fires, spares its near misses, a configuration turns it up and down, and what is said of it. */
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
import * as Array from "effect/Array"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const docs = readFileSync(new URL("../../../../../docs/rules.md", import.meta.url), "utf8")

/** These find something only where nobody is there. */
const alone: ReadonlySet<string> = new Set(["question/nobody-there", "work/nothing-run"])

/** As it is judged when the agent is silent after these events. */
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

/** The verdict with the rule at a level and no other rule. */
const only = (rule: Rules.RuleName, level: Level, events: ReadonlyArray<TranscriptEvent>): Verdict =>
  judgeAs(!alone.has(rule), events, {
    rules: { ...Object.fromEntries(Rules.rules.map(({ id }) => [id, "off"] as const)), [rule]: level }
  })

/** Every text that somebody gets of an example: the agent's reminder, and the user's line of that and where it is only told. */
const saidOf = (rule: Rules.RuleName, events: ReadonlyArray<TranscriptEvent>): string => {
  const [pushed, told] = [only(rule, "nudge", events), only(rule, "tell", events)]
  return [
    pushed.feedback ?? "",
    `To the user: ${Notice.nudge({ verdict: pushed, attempt: 1, maxAttempts: 3 })}`,
    `Told only: ${Notice.render({ notice: "incomplete", verdict: told, attempts: 0, maxAttempts: 3 })}`
  ].join("\n\n")
}

const goldenOf = (rule: Rules.RuleName): string =>
  fileURLToPath(new URL(`golden/${rule.replace("/", "-")}.txt`, import.meta.url))

describe("rules", () => {
  it("have a name each, and examples", () => {
    const names = Rules.rules.map(({ id }) => id)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(Object.keys(examples).toSorted(), names.toSorted())
  })

  it("are all on their page, which `npm run docs` writes", () => {
    assert.strictEqual(docs, write(Rules))
  })

  for (const { id, what, why } of Rules.rules) {
    const { fires, spares, tells = {} } = examples[id]

    describe(`${id}`, () => {
      it("says what it finds and why in a sentence each", () => {
        for (const sentence of [what, why]) assert.match(sentence, /^[A-Z][^\n]{20,300}\.$/)
      })

      it("has examples and near misses", () => {
        assert.isAbove(Object.keys(fires).length, 0)
        assert.isAbove(Object.keys(spares).length, 0)
      })

      it("says the same as before, to the agent and to the user", async () => {
        const bySaid = Array.groupBy(Object.entries({ ...fires, ...tells }), ([, events]) => saidOf(id, events))
        const texts = Object.entries(bySaid).map(
          ([said, alike]) => `${alike.map(([title]) => `# ${title}\n`).join("")}\n${said}\n`
        )
        await expect(texts.join("\n")).toMatchFileSnapshot(goldenOf(id))
      })

      for (const [title, events] of Object.entries(fires)) {
        it(`fires: ${title}`, () => {
          const verdict = judgeAs(!alone.has(id), events)
          assert.include(names(verdict), id)
          assert.notStrictEqual(verdict.status, "complete")
        })

        it(`pushes as far as it is turned: ${title}`, () => {
          assert.isTrue(only(id, "nudge", events).shouldContinue, "pushed")
          const told = only(id, "tell", events)
          assert.isFalse(told.shouldContinue, "told")
          assert.include(names(told), id)
          const off = only(id, "off", events)
          assert.isFalse(off.shouldContinue, "off")
          assert.notInclude(names(off), id)
          assert.notStrictEqual(off.status, "complete")
        })
      }

      for (const [title, events] of Object.entries(tells)) {
        it(`only tells: ${title}`, () => {
          const pushed = only(id, "nudge", events)
          assert.isFalse(pushed.shouldContinue)
          assert.deepStrictEqual(
            pushed.findings.map(({ level, rule }) => [rule, level]),
            [[id, "tell"]]
          )
        })
      }

      for (const [title, events] of Object.entries(spares)) {
        it(`spares: ${title}`, () => {
          assert.notInclude(names(judgeAs(!alone.has(id), events)), id)
        })
      }
    })
  }
})

describe("work/nothing-run", () => {
  it("is silent where the user has that check and says that it does not run now", () => {
    const [events = []] = Object.values(examples["work/nothing-run"].fires)
    const judged = (check: Omit<ReflexionConfig.Check, "command" | "name">) =>
      names(judgeAs(false, events, { checks: [{ name: "tests", command: "npm test", ...check }] }))
    for (const check of [{ when: "ask" }, { when: "claim" }, { paths: ["web/**"] }] as const)
      assert.notInclude(judged(check), "work/nothing-run", JSON.stringify(check))
    assert.include(judged({ paths: ["src/**"] }), "work/nothing-run")
  })
})
