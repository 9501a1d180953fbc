/** What the user reads of a host's own small model. Pure: the terminal is a parameter. */
import * as Sheet from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Standing } from "./model.ts"

/**
 * A small model of a host's, which is asked only where the user agreed. `program`: by which it is
 * asked, null where the host does it itself; `paid`: what an answer counts against; `off`: what is typed in a session to be rid of it there.
 */
export interface Small {
  readonly host: string
  readonly model: string
  readonly program: string | null
  readonly paid: string
  readonly off: string
}

const plan = "it counts against your plan's limits"

export const all: ReadonlyArray<Small> = [
  {
    host: "claude-code",
    model: "Claude Haiku",
    program: "claude -p",
    paid: plan,
    off: "/reflection model off"
  },
  {
    host: "codex",
    model: "gpt-6-luna",
    program: "codex exec",
    paid: plan,
    off: "reflection model off"
  },
  {
    host: "opencode",
    model: "the small model of the session's provider",
    program: null,
    paid: "it is paid as the session is, by your plan or your key",
    off: "/reflection model off"
  }
]

/** What is typed in a session of a host to have its model asked there. */
export const on = (host: string): string => (host === "codex" ? "`reflection model on`" : "`/reflection model on`")

/** Null for a host that nobody knows. */
export const of = (host: string): Small | null => all.find((one) => one.host === host) ?? null

/** What is measured is in docs/models.md. */
const rows = ({ host, model, off, paid, program }: Small): ReadonlyArray<readonly [term: string, text: string]> => [
  [
    "who",
    program === null
      ? `${model}, in a hidden session without tools`
      : `${model}, by \`${program}\` and your login, without tools and hooks`
  ],
  ["sees", "the turn, secrets taken out; only reflexion's own words reach the agent"],
  [
    "when",
    "at stops of work, about two in three; at most 20 a day while you are there, without that limit in unattended runs"
  ],
  ["cost", `some 4,000 tokens in and 300 out, twice where an answer cannot be read; ${paid}`],
  ["wait", "20 s at most for all at a stop; a late answer counts for nothing"],
  ["off", `\`${off}\` in a session, \`"model": "off"\` in your configuration, or \`reflexion models off ${host}\``]
]

/** What the user is to know before they agree, in ten lines where there is room. */
export const terms = (style: TerminalStyle, small: Small): string =>
  Sheet.terms(
    style,
    `Ask ${small.program === null ? "a" : "your own"} small model at stops of work?`,
    rows(small)
  ).join("\n")

const day = (at: string): string => Sheet.moment(at).slice(0, 10)

/** Where the user agreed. */
export const agreed = ({ host, model }: Small): string =>
  `Agreed: ${model} is asked from the next stop on. \`reflexion models off ${host}\` takes that back.`

/** Where the user said no. */
export const declined = ({ host }: Small): string =>
  `No model is asked; evidence alone decides. \`reflexion models on ${host}\` changes that.`

/** Where the answer was neither. */
export const open = ({ host }: Small): string =>
  `Nothing changes: no model is asked. \`reflexion models on ${host}\` turns it on, and the next install asks again.`

export const forgotten = "What you said about your own small model is forgotten: none is asked."

/** Why nobody can agree. */
export const refused = ({ host }: Small, why: string): string =>
  `${why}; your own small model is asked where your login pays for it. To have it asked all the same, name it in your configuration: "model": "${host}/small"`

/** What agreeing does where the configuration names a model. */
export const behind = ({ by, model }: { readonly by: string; readonly model: string }): string =>
  `For now ${by} has the say, with "model": "${model}"; yours is asked where that says nothing.`

/** How it stands, without the host's name. */
export const standing = (host: string, found: Standing): string => {
  const small = of(host)
  const by = small === null || small.program === null ? "" : `, by \`${small.program}\``
  const own = `${host}/small (${small?.model ?? host}${by})`
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
