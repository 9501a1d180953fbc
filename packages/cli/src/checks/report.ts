/** What the user reads of the checks of a project. Pure: the terminal is a parameter. */
import * as Hosts from "../host/Hosts.ts"
import type { ProposedCheck } from "@reflexion/core/internal/session/project/ProposedChecks"
import type { Check } from "@reflexion/core/ReflexionConfig"
import { oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Known } from "./model.ts"

interface Row {
  readonly name: string
  readonly command: string
  readonly why: string
}

const proposedRow = ({ command, file, name, runs }: ProposedCheck): Row => ({
  name,
  command,
  why: runs === null ? `by ${file}` : `by ${file}: ${runs}`
})

const plainRow = ({ command, name }: Check): Row => ({ name, command, why: "" })

/** A command is shown whole: it is what may be run. */
const rows = (style: TerminalStyle, all: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const gates = Math.max(...all.map(({ name }) => width(oneLine(name)))) + 2
  const commands = Math.max(...all.map(({ command }) => width(oneLine(command)))) + 2
  return all.flatMap(({ command, name, why }) => {
    const head = `  ${paint(style, ["cyan"], pad(oneLine(name), gates))}`
    const room = style.width - gates - commands - 2
    const text = why === "" ? [] : [oneLine(why)]
    return room >= 20
      ? wrap(text.join(""), room).map((line, at) =>
          at === 0
            ? `${head}${pad(oneLine(command), commands)}${line}`.trimEnd()
            : `${" ".repeat(2 + gates + commands)}${line}`
        )
      : [
          `${head}${oneLine(command)}`,
          ...text.flatMap((line) => wrap(line, style.width - 6).map((part) => `      ${part}`))
        ]
  })
}

const section = (style: TerminalStyle, title: string, all: ReadonlyArray<Row>): ReadonlyArray<string> =>
  all.length === 0 ? [] : [...wrap(title, style.width), ...rows(style, all)]

/**
 * Where a check is run in a host; of none named, in each.
 *
 * @category rendering
 */
export const places = (host?: string): ReadonlyArray<string> =>
  Hosts.all.filter(({ name }) => host === undefined || name === host).map(({ installation: { words } }) => words.checks)

const when =
  "They run what the agent wrote. reflexion runs one when the agent stops after it changed code and the check was not green since, and when you type `/reflection checks`. What is red twice, and was not before the task, goes to the agent. You are shown what was run, how it ended and how long it took."

/**
 * What is put to the user: the whole list that would be taken.
 *
 * @category rendering
 */
export const question = (
  style: TerminalStyle,
  {
    fresh,
    host,
    known
  }: { readonly fresh: ReadonlyArray<ProposedCheck | Check>; readonly host?: string; readonly known: Known }
): string =>
  Sheet.blocks([
    section(style, paint(style, ["bold"], "Checks of this project that reflexion can run itself"), [
      ...known.taken
        .filter(({ name }) => !fresh.some((other) => other.name === name))
        .map((check) => ({ ...plainRow(check), why: "taken before" })),
      ...fresh.map((check) => ("file" in check ? proposedRow(check) : plainRow(check)))
    ]),
    [...wrap(when, style.width), ...places(host).flatMap((text) => wrap(text, style.width))]
  ])

/**
 * One line where nobody can be asked.
 *
 * @category rendering
 */
export const later = (proposed: ReadonlyArray<Pick<Check, "command">>): string =>
  `This project has checks that reflexion can run itself (${proposed.map(({ command }) => `\`${oneLine(command)}\``).join(", ")}); none is taken: \`reflexion checks add\`, in a terminal, asks you.`

export const took =
  "Taken for this project. `reflexion checks remove` takes them back. A host that is running reflexion as a plugin has to be started again."

export const declined = "Nothing is taken, and nothing is run. `reflexion checks add` asks again."

const nothing =
  "This project has no check that reflexion may run, and its files suggest none. `reflexion checks add GATE COMMAND` takes one of your own, as in: reflexion checks add tests 'make test'."

const hint = (known: Known): string =>
  known.proposed.length > 0
    ? "`reflexion checks add` takes those that are proposed, after asking you."
    : known.taken.length > 0
      ? "`reflexion checks remove` takes back what was taken; with a gate's name only its check."
      : "They are run when the agent stops after a change, and when you type `/reflection checks`."

/**
 * All of them.
 *
 * @category rendering
 */
export const list = (style: TerminalStyle, known: Known): string => {
  const { configured, proposed, taken } = known
  if (configured.length + proposed.length + taken.length === 0) return wrap(nothing, style.width).join("\n")
  return Sheet.blocks([
    section(style, "Configured (checks):", configured.map(plainRow)),
    section(style, "Taken for this project:", taken.map(plainRow)),
    section(style, "Proposed, not run:", proposed.map(proposedRow)),
    [...places(), hint(known)].flatMap((text) => wrap(text, style.width))
  ])
}
