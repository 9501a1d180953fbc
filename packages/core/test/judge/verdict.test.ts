/** The tables of sessions next to this file: what is said of each, row by row. */
import { assert, describe, it } from "@effect/vitest"
import * as Compaction from "../../src/judge/compaction/Compaction.ts"
import * as Score from "../../src/judge/score/Score.ts"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import type { Level } from "../../src/session/config/Levels.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { transcript } from "../support/events.ts"
import { type Row, timed, told } from "../support/sessionRows.ts"
import * as compactions from "./compaction.rows.ts"
import * as scores from "./score.rows.ts"
import * as silences from "./stuck.rows.ts"
import * as verdicts from "./verdict.rows.ts"

/** Without the texts that have to be there. */
const answerOf = (expected: string): string => expected.replace(/ \| (?:says|never) .*/u, "")

const says = (text: string, expected: string): void => {
  for (const one of told(expected)) assert.include(text.toLowerCase(), one.toLowerCase())
  for (const one of told(expected, "never")) assert.notInclude(text, one)
}

const sessionOf = ({ events, session }: Row<unknown>) => transcript(timed(events), session)

/** "incomplete | nudge gates/failing | told checks/weakened". */
const brief = ({ findings, shouldContinue, status }: Verdict): string => {
  const at = (level: Level): string =>
    findings
      .filter((one) => one.level === level)
      .map(({ rule }) => rule)
      .join(" ")
  const only = at("tell")
  return [status, ...(shouldContinue ? [`nudge ${at("nudge")}`] : []), ...(only === "" ? [] : [`told ${only}`])].join(
    " | "
  )
}

const judge = (row: verdicts.VerdictRow, attended: boolean): Verdict => {
  const { expected: _expected, events: _events, name: _name, repo, session: _session, ...settings } = row
  const { files = {}, ...named } = repo ?? {}
  const signals = { ...RepoSignals.fromFiles(files), ...named }
  const config = ReflexionConfig.merge(ReflexionConfig.defaults, settings)
  return Judgment.judge({ ...sessionOf(row), attended }, { context: { config, ...(repo && { repo: signals }) } })
}

describe("the verdict", () => {
  it.each(verdicts.rows)("$name", (row) => {
    for (const attended of [true, false]) {
      const expected = typeof row.expected === "string" ? row.expected : row.expected[attended ? 0 : 1]
      const verdict = judge(row, attended)
      assert.strictEqual(brief(verdict), answerOf(expected), attended ? "somebody there" : "nobody there")
      says(verdict.feedback ?? "", expected)
    }
  })
})

describe("a silent agent", () => {
  it.each(silences.rows)("$name", (row) => {
    const session = sessionOf(row)
    const seconds = Number.parseInt(row.expected, 10)
    const last = Date.parse(session.events.at(-1)?.at ?? "")
    const now = new Date(last + seconds * 1000).toISOString()
    const { assessment } = StuckAssessment.assessTranscript(session, { now })
    const said = `${seconds} s: ${assessment.reason}${assessment.shouldNudge ? " | nudge" : ""}`
    assert.strictEqual(said, answerOf(row.expected))
    says(assessment.nudge ?? "", row.expected)
  })
})

describe("a compaction", () => {
  it.each(compactions.rows)("$name", (row) => {
    const { action, hasActiveGitWork, text } = Compaction.assess(sessionOf(row))
    assert.strictEqual(`${action}${hasActiveGitWork ? " | git" : ""}`, answerOf(row.expected))
    says(text, row.expected)
  })
})

describe("the score", () => {
  it.each(scores.rows)("$name", (row) => {
    const score = Score.assess(sessionOf(row))
    assert.strictEqual(String(score?.score), answerOf(row.expected))
    says(score?.reasons.join("\n") ?? "", row.expected)
  })
})
