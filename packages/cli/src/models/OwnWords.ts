/** What the user reads of a host's own small model. Pure: the terminal is a parameter. */
import type { Host } from "../host/Hosts.ts"
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Standing } from "./model.ts"

/** What is typed in a session of a host to have its model asked there, or to be rid of it. */
export const typed = ({ installation }: Host, word: "on" | "off"): string =>
  `\`${installation.words.command} model ${word}\``

/** What is measured is in docs/models.md. */
const rows = (host: Host): ReadonlyArray<readonly [term: string, text: string]> => {
  const { paid, program, title } = host.model
  return [
    [
      "who",
      program === null
        ? `${title}, in a hidden session without tools`
        : `${title}, by \`${program}\` and your login, without tools and hooks`
    ],
    ["sees", "the turn, secrets taken out; only reflexion's own words reach the agent"],
    [
      "when",
      "at stops of work, about two in three; at most 20 a day while you are there, without that limit in unattended runs"
    ],
    ["cost", `some 4,000 tokens in and 300 out, twice where an answer cannot be read; ${paid}`],
    ["wait", "20 s at most for all at a stop; a late answer counts for nothing"],
    [
      "off",
      `${typed(host, "off")} in a session, \`"model": "off"\` in your configuration, or \`reflexion models off ${host.name}\``
    ]
  ]
}

/** What the user is to know before they agree, in ten lines where there is room. */
export const terms = (style: TerminalStyle, host: Host): string =>
  Sheet.terms(
    style,
    `Ask ${host.model.program === null ? "a" : "your own"} small model at stops of work?`,
    rows(host)
  ).join("\n")

const day = (at: string): string => Sheet.moment(at).slice(0, 10)

/** Where the user agreed. */
export const agreed = ({ model, name }: Host): string =>
  `Agreed: ${model.title} is asked from the next stop on. \`reflexion models off ${name}\` takes that back.`

/** Where the user said no. */
export const declined = ({ name: host }: Host): string =>
  `No model is asked; evidence alone decides. \`reflexion models on ${host}\` changes that.`

/** Where the answer was neither. */
export const open = ({ name: host }: Host): string =>
  `Nothing changes: no model is asked. \`reflexion models on ${host}\` turns it on, and the next install asks again.`

export const forgotten = "What you said about your own small model is forgotten: none is asked."

/** Why nobody can agree. */
export const refused = ({ name: host }: Host, why: string): string =>
  `${why}; your own small model is asked where your login pays for it. To have it asked all the same, name it in your configuration: "model": "${host}/small"`

/** What agreeing does where the configuration names a model. */
export const behind = ({ by, model }: { readonly by: string; readonly model: string }): string =>
  `For now ${by} has the say, with "model": "${model}"; yours is asked where that says nothing.`

/** How it stands, without the host's name. */
export const standing = ({ model, name: host }: Host, found: Standing): string => {
  const by = model.program === null ? "" : `, by \`${model.program}\``
  const own = `${host}/small (${model.title}${by})`
  switch (found.state) {
    case "named":
      return found.model === "off" ? `off, by ${found.by}` : `${found.model}, named by ${found.by}`
    case "unread":
      return `off: ${found.why}`
    case "metered":
      return `off${found.agreed ? ", though you agreed" : ""}: ${found.why}; "model": "${host}/small" in your configuration has it asked all the same`
    case "said":
      return found.asked
        ? `${own}, by your yes of ${day(found.at)}`
        : `off, by your no of ${day(found.at)}: \`reflexion models on ${host}\` changes that`
    case "unasked":
      return `off: you were not asked; \`reflexion models on ${host}\` says what it takes and turns it on`
  }
}
