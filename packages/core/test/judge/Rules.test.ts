/** Every rule by its own page: it fires in its examples, spares its near misses, and a configuration turns it up and down. */
import { assert, describe, it } from "@effect/vitest"
import { lasting, unasked } from "../../src/judge/loops/RequestedRepeats.ts"
import * as Loops from "../../src/judge/loops/Loops.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RuleBook from "../../src/judge/rules/RuleBook.ts"
import { ruleNames } from "../../src/session/config/RuleNames.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { linesOf } from "../../src/judge/rules/ExampleLines.ts"
import { transcript } from "../support/events.ts"
import { write } from "../../../../scripts/rules.mjs"
import { readFileSync } from "node:fs"
import { utmost } from "../support/utmost.ts"

const docs = readFileSync(new URL("../../../../docs/rules.md", import.meta.url), "utf8")

/** These find something only where nobody is there. */
const alone: ReadonlySet<string> = new Set(["stop/asks-nobody", "work/nothing-run"])

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

describe("rules", () => {
  it("are those that a configuration knows, each once", () => {
    assert.sameMembers(
      RuleBook.rules.map(({ id }) => id),
      [...ruleNames]
    )
    assert.strictEqual(new Set(RuleBook.rules).size, ruleNames.length)
  })

  it("are all on their page, which `npm run docs:rules` writes", () => {
    assert.strictEqual(docs, write(RuleBook, linesOf))
  })

  for (const rule of RuleBook.rules) {
    const { fires, spares, what, why } = RuleBook.pageOf(rule)
    const judge = (events: ReadonlyArray<TranscriptEvent>, settings: ReflexionConfig.PartialConfig = {}): Verdict =>
      judgeAs(!alone.has(rule.id), events, settings)

    describe(`${rule.id}`, () => {
      it("says what it finds and why in a sentence each, with examples and near misses", () => {
        for (const sentence of [what, why]) assert.match(sentence, /^[A-Z][^\n]{20,300}\.$/)
        assert.isAtLeast(fires.length, 1)
        assert.isAtLeast(spares.length, 1)
      })

      for (const { events, title } of fires) {
        it(`fires: ${title}`, () => {
          const verdict = judge(events)
          assert.include(names(verdict), rule.id)
          assert.notStrictEqual(verdict.status, "complete")
        })

        it(`pushes as far as it is turned: ${title}`, () => {
          const others = Object.fromEntries(ruleNames.map((name) => [name, "off"]))
          const at = (level: string) => judge(events, { rules: { ...others, [rule.id]: level } } as never)
          assert.isTrue(at("push").shouldContinue, "pushed")
          assert.isFalse(at("ask").shouldContinue, "asked")
          const told = at("tell")
          assert.isFalse(told.shouldContinue, "told")
          assert.include(names(told), rule.id)
          const off = at("off")
          assert.isFalse(off.shouldContinue, "off")
          assert.notInclude(names(off), rule.id)
          if (rule.holds === true) assert.notStrictEqual(off.status, "complete")
        })
      }

      for (const { events, title } of spares) {
        it(`spares: ${title}`, () => {
          assert.notInclude(names(judge(events)), rule.id)
        })
      }
    })
  }
})
