/** The text that an agent gets after its context was compacted. */
import * as PlainText from "../../ground/text/PlainText.ts"
import * as Redaction from "../../ground/redaction/Redaction.ts"
import type { Action } from "./model.ts"
import type { Standing } from "./forgeWork.ts"
import { clip, oneLine } from "../../ground/text/Text.ts"

/** What goes into the text. */
export interface Parts {
  readonly action: Action
  readonly words: ReadonlyArray<string>
  /** What they had asked before that, shortened. */
  readonly former: string | null
  /** What the agent had said before the last of them, where they mean something by it. */
  readonly before: string | null
  readonly open: ReadonlyArray<string>
  readonly running: ReadonlyArray<string>
  readonly forge: Standing
  /** What the user was asked, null where nothing was, and the end of the text that it stands in. */
  readonly question: { readonly text: string; readonly within: string } | null
  readonly plan: boolean
}

const maxWords = 2400
const maxFormer = 600
const maxBefore = 1000
const maxLength = 6000

/** Cleaned first: an unseen character in a token would keep it from being known as one. */
const clean = (text: string): string => Redaction.redact(PlainText.clean(text)).trim()

const quoted = (text: string, limit: number): string =>
  clip(clean(text), limit)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`${title}\n${lines.join("\n")}`]

const bullets = (items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.map((item) => `- ${oneLine(clean(item), 300)}`)

const asked = ({ before, former, words: [first, ...more] }: Parts): ReadonlyArray<string> => {
  if (first === undefined) return []
  const each = Math.floor(maxWords / 2 / Math.max(1, more.length))
  return [
    ...section("What the user asked for, in their words:", [
      quoted(first, more.length === 0 ? maxWords : maxWords / 2)
    ]),
    ...section(
      "And then:",
      more.map((text) => quoted(text, each))
    ),
    ...(former === null ? [] : section("Before that, they had asked:", [quoted(former, maxFormer)])),
    ...(before === null ? [] : section("What you had said before the last of that:", [quoted(before, maxBefore)]))
  ]
}

const kinds = { pr: "pull request", issue: "issue" } as const

const nameOf = ({ kind, number }: Standing["refs"][number]): string => `${kinds[kind]} #${number}`

const forgeLines = ({ branch, refs, unpushed }: Standing): ReadonlyArray<string> => [
  ...refs.map(
    (ref) => `${nameOf(ref)}${ref.url === null ? "" : `: ${ref.url}`}${ref.subject ? ", to be reviewed" : ""}`
  ),
  ...(branch === null ? [] : [`branch ${branch}${unpushed ? ", with commits that are not pushed" : ""}`])
]

/** Where a report goes: to the pull request, if there is one. */
const target = ({ refs: all }: Standing): string => {
  const refs = all.filter(({ subject }) => !subject)
  const ref = refs.findLast((one) => one.kind === "pr") ?? refs.at(-1)
  if (ref === undefined) return "the pull request or issue"
  const same = refs.filter((one) => one.kind === ref.kind && one.number === ref.number)
  return same.length > 1 && ref.repo !== null ? `${nameOf(ref)} of ${ref.repo}` : nameOf(ref)
}

const goOn = "Go on with the task where it stopped. What is done is done: look before you do anything a second time."

const steps = (parts: Parts): ReadonlyArray<string> => {
  const { forge, plan, question } = parts
  switch (parts.action) {
    case "needs_github_update":
      return [
        `Bring ${target(forge)} up to date, for it knows nothing of the last commits: one short comment that says what was done, what the checks say and what is left. Leave it out if the user wants none.`,
        goOn
      ]
    case "needs_clarification":
      return question === null
        ? ["The user has the next word: wait for it, and do nothing on your own."]
        : [
            `The user was asked: "${oneLine(clean(question.text), 300)}". Wait for the answer, and do nothing that depends on it.`
          ]
    case "task_complete":
      return ["By the evidence the task is done. Do not begin it again; wait for the user's next message."]
    case "continue_task":
      return plan ? ["Go on with the plan where it stopped. Plan mode: look and propose, change nothing."] : [goOn]
  }
}

export const render = (parts: Parts): string => {
  const next = steps(parts)
  const text = [
    "The context was compacted. What follows is from the session's record, and outranks the summary where they differ.",
    ...asked(parts),
    ...(parts.question === null ? [] : section("Your own last words:", [quoted(parts.question.within, maxBefore)])),
    ...section("Still open by the evidence:", bullets(parts.open)),
    ...section("Still running when the context was compacted:", bullets(parts.running)),
    ...section("Under way on the forge:", bullets(forgeLines(parts.forge))),
    `Next:\n${next.map((step, index) => (next.length === 1 ? step : `${index + 1}. ${step}`)).join("\n")}`
  ].join("\n\n")
  return clip(Redaction.redact(text), maxLength)
}
