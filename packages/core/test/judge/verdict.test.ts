/** The verdict on each session of `verdict.rows.ts`, with somebody there and with nobody. */
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import type { Level } from "../../src/session/config/Levels.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { transcript } from "../support/events.ts"
import { session, table } from "../support/sessions.ts"
import { rows, words } from "./verdict.rows.ts"

interface Setting {
  readonly config?: ReflexionConfig.PartialConfig
  readonly repo?: RepoSignals.RepoSignals
}

const scripts = {
  "package.json": '{ "scripts": { "test": "vitest run", "build": "tsc -b", "verify": "tsc && vitest run" } }'
}
const instructions = "- Always run `npm test` after changing source code, before you finish.\n"
const branches = { branch: "feature", defaultBranch: "main" }

const settings: Readonly<Record<string, Setting>> = {
  scripts: { repo: RepoSignals.fromFiles(scripts) },
  instructed: { repo: RepoSignals.fromFiles({ ...scripts, "AGENTS.md": instructions }) },
  strict: { config: { profile: "strict" }, repo: { ...RepoSignals.fromFiles(scripts), ...branches } },
  packages: {
    config: {
      gates: ["api", "web"].map((name) => ({
        name: `${name}-tests`,
        command: `pnpm --filter ${name} test*`,
        paths: [`packages/${name}/**`],
        required: true
      }))
    }
  }
}

/** "incomplete | nudge gates/failing | told checks/weakened". */
const brief = ({ findings, shouldContinue, status }: Verdict): string => {
  const at = (level: Level): string => findings.flatMap((one) => (one.level === level ? [one.rule] : [])).join(" ")
  const nudged = shouldContinue ? [`nudge ${at("nudge")}`] : []
  return [status, ...nudged, ...(at("tell") === "" ? [] : [`told ${at("tell")}`])].join(" | ")
}

const start = Date.parse("2026-03-02T09:00:00.000Z")

/** The events a minute apart. */
const timed = (line: string) =>
  session(line, words).map((event, index) => {
    const at = new Date(start + index * 60_000).toISOString()
    return event.type === "tool_call"
      ? { ...event, at, endedAt: event.status === "completed" ? at : null }
      : { ...event, at }
  })

describe("the verdict", () => {
  it.each(table(rows))("%s", (_, line = "", there = "", nobody = "=", setting = "") => {
    const { config = {}, repo } = settings[setting] ?? {}
    const context = { config: ReflexionConfig.merge(ReflexionConfig.defaults, config), ...(repo && { repo }) }
    for (const attended of [true, false]) {
      const verdict = Judgment.judge({ ...transcript(timed(line)), attended }, { context })
      const [expected = "", texts = ""] = (attended || nobody === "=" ? there : nobody).split(" | says ")
      assert.strictEqual(brief(verdict), expected, attended ? "somebody there" : "nobody there")
      for (const text of texts.split("; ")) assert.include(verdict.feedback ?? "", text)
    }
  })
})
