/** Turns findings into the data and texts of a verdict's JSON. */
import { oneLine } from "../../base/text/Text.ts"
import type { RuleFinding } from "../rules/model.ts"
import type { RuleName } from "../rules/Rules.ts"
import type { Finding, Verdict } from "./Verdict.ts"

/** Names of findings without a rule. No configuration sets their level. */
type OtherName = "model/unfinished" | "model/needs-user" | "review/comment" | "session/silent"

export type FoundName = RuleName | OtherName

const most = 20

const maxMessage = 300

/** The message may quote a reviewer and the agent's answer. */
const maxOther = 500

export const ofRule = ({ calls = [], failing = [], gate, level, rule, severity, user }: RuleFinding): Finding => ({
  rule: rule.id,
  level,
  severity,
  gate: gate ?? null,
  message: oneLine(user, maxMessage),
  evidence: calls,
  ...(failing.length > 0 && { failing })
})

/** The level is `nudge` if the agent is told to go on, else `tell`. */
export const ofOther = (
  rule: FoundName,
  message: string,
  over: Partial<Omit<Finding, "message" | "rule">> = {}
): Finding => ({
  rule,
  level: "tell",
  severity: "LOW",
  gate: null,
  evidence: [],
  ...over,
  message: oneLine(message, maxOther)
})

export const mapTexts = (found: Finding, change: (text: string) => string): Finding => ({
  ...found,
  message: change(found.message),
  ...(found.failing !== undefined && { failing: found.failing.map(change) }),
  ...(found.comment !== undefined && {
    comment: {
      file: change(found.comment.file),
      line: change(found.comment.line),
      said: change(found.comment.said),
      answer: found.comment.answer === null ? null : change(found.comment.answer)
    }
  })
})

/** True for a contradicted claim if another finding already reports the same run. */
const isSaid = ({ evidence, rule }: Finding, all: ReadonlyArray<Finding>): boolean =>
  rule === "claims/contradicted" &&
  all.some((other) => other.gate !== null && evidence.some((call) => other.evidence.includes(call)))

export const distinct = (found: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  found.filter((one) => !isSaid(one, found))

export const inWords = (found: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  distinct(found).map(({ message }) => message)

/** Limits the findings and adds their words, so that a verdict always has both. */
export const worded = (found: ReadonlyArray<Finding>): Pick<Verdict, "findings" | "missing"> => {
  const findings = found.slice(0, most)
  return { findings, missing: inWords(findings) }
}
