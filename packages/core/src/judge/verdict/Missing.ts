/** What is missing, as data; and the one place where that is put into words for a reader of the JSON. */
import { oneLine } from "../../base/text/Text.ts"
import type { RuleFinding } from "../rules/model.ts"
import type { RuleName } from "../rules/Rules.ts"
import type { Finding, Verdict } from "./Verdict.ts"

/** What others than a rule find has a name of the same form, which no configuration turns up or down. */
type OtherName = "model/unfinished" | "model/needs-user" | "review/comment" | "session/silent"

/** By whom something may have been found. */
export type FoundName = RuleName | OtherName

/** Most findings that a verdict has. */
const most = 20

const maxMessage = 300

/** A reviewer's words and the agent's answer are longer. */
const maxOther = 500

/** What a rule found. */
export const ofRule = ({ calls = [], failing = [], gate, level, rule, severity, user }: RuleFinding): Finding => ({
  rule: rule.id,
  level,
  severity,
  gate: gate ?? null,
  message: oneLine(user, maxMessage),
  evidence: calls,
  ...(failing.length > 0 && { failing })
})

/** What another than a rule found: `nudge` where the agent is sent on for it, else the user is told. */
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

/** A finding with each of its texts changed alike. */
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

/** A claim that a run disproves says nothing new where that run's check is named too. */
const isSaid = ({ evidence, rule }: Finding, all: ReadonlyArray<Finding>): boolean =>
  rule === "claims/contradicted" &&
  all.some((other) => other.gate !== null && evidence.some((call) => other.evidence.includes(call)))

/** The findings for a person, who is told of each thing once. */
export const distinct = (found: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  found.filter((one) => !isSaid(one, found))

/** The same in words. */
export const inWords = (found: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  distinct(found).map(({ message }) => message)

/** As many findings as a verdict has, and the same in words: no verdict has the one without the other. */
export const worded = (found: ReadonlyArray<Finding>): Pick<Verdict, "findings" | "missing"> => {
  const findings = found.slice(0, most)
  return { findings, missing: inWords(findings) }
}
