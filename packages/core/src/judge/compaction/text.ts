/** Writes the text that an agent gets after its context was compacted. */
import * as PlainText from "../../base/text/PlainText.ts"
import * as Redaction from "../../base/redaction/Redaction.ts"
import type { Action } from "./model.ts"
import type { Forge } from "./forge.ts"
import { clip, oneLine } from "../../base/text/Text.ts"

export interface Parts {
  readonly action: Action
  readonly words: ReadonlyArray<string>
  readonly before: string | null
  readonly open: ReadonlyArray<string>
  readonly running: ReadonlyArray<string>
  readonly forge: Forge
  /** `within` is the end of the message with the question. Null if the agent asked nothing. */
  readonly question: { readonly text: string; readonly within: string } | null
  readonly plan: boolean
}

const maxWords = 2400
const maxSaid = 1000
const maxLength = 6000

/** Removes invisible characters first: inside a token, such a character would hide the token from the redaction. */
const clean = (text: string): string => Redaction.redact(PlainText.clean(text)).trim()

const quoted = (text: string, limit: number): string => clip(text, limit).replaceAll(/^/gm, "> ")

const bullets = (items: ReadonlyArray<string>): string =>
  items.map((item) => `- ${oneLine(clean(item), 300)}`).join("\n")

/** The messages share one length limit: short ones leave their unused space to long ones. */
const asked = (words: ReadonlyArray<string>): string => {
  const texts = words.map(clean)
  const fits = (limit: number): boolean =>
    texts.reduce((sum, { length }) => sum + Math.min(length, limit), 0) <= maxWords
  const shares = Array.from(texts, (_, index) => Math.floor(maxWords / (index + 1)))
  return texts.map((text) => quoted(text, shares.find(fits) ?? shares.at(-1) ?? 0)).join("\n\n")
}

const forgeLines = ({ branch, refs, unpushed }: Forge): ReadonlyArray<string> => [
  ...refs.map(({ name, url }) => (url === null ? name : `${name}: ${url}`)),
  ...(branch === null ? [] : [`branch ${branch}${unpushed ? ", with commits that are not pushed" : ""}`])
]

/** A pull request or issue that the user only named may be an example, so the text about it is conditional. */
const target = ({ refs }: Forge): string => {
  const ref = refs.findLast(({ name }) => name.startsWith("pull")) ?? refs.at(-1)
  const name = ref?.name ?? "the pull request or issue"
  return ref?.opened === true ? `Update ${name}` : `If ${name} is what you work on, update it`
}

const goOn = "Continue the task where it stopped. Do not repeat what is done: check first."

const nextOf = ({ action, forge, plan, question }: Parts): string => {
  switch (action) {
    case "needs_github_update":
      return `1. ${target(forge)}, because the pushed commits are not mentioned there. Write one short comment: what was done, what the checks show and what is left. Write no comment if the user wants none.\n2. ${goOn}`
    case "needs_clarification":
      return question === null
        ? "The next step is the user's: wait for their message, and do nothing on your own."
        : `The user was asked: "${oneLine(clean(question.text), 300)}". Wait for the answer, and do nothing that depends on it.`
    case "task_complete":
      return "The evidence shows that the task is done. Do not begin the task again; wait for the user's next message."
    case "continue_task":
      return plan ? "Continue the plan where it stopped. In plan mode, read and propose, but change nothing." : goOn
  }
}

export const render = (parts: Parts): string => {
  const { before, forge, open, question, running, words } = parts
  const sections: ReadonlyArray<readonly [title: string, text: string]> = [
    [`What the user asked for, in their words${words.length > 1 ? ", newest last" : ""}:`, asked(words)],
    ["What you said before the user's last message:", quoted(clean(before ?? ""), maxSaid)],
    ["Your own last words:", quoted(clean(question?.within ?? ""), maxSaid)],
    ["Still open, according to the record:", bullets(open)],
    ["Still running when the context was compacted:", bullets(running)],
    ["On the forge:", bullets(forgeLines(forge))],
    ["Next:", nextOf(parts)]
  ]
  const text = [
    "The context was compacted. The text below is from the session's record. If the summary differs, believe the record.",
    ...sections.flatMap(([title, body]) => (body === "" || body === "> " ? [] : [`${title}\n${body}`]))
  ].join("\n\n")
  return clip(Redaction.redact(text), maxLength)
}
