/** What the user reads of the checks of a project. Pure: the terminal is a parameter. */
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import type { Check } from "@reflexion/core/ReflexionConfig"
import * as Hosts from "../host/Hosts.ts"
import { oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import * as Sheet from "../terminal/Sheet.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { paint, type Symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Known, Offered } from "./ProjectChecks.ts"

interface Row {
  readonly name: string
  readonly command: string
  readonly why: string
}

const rowOf = ({ command, file, name, runs }: Offered, before?: string): Row => {
  const by = before ?? (file === null ? null : `by ${file}`)
  return { name, command, why: [by, runs].filter((part) => part !== null).join(": ") }
}

const plainRow = ({ command, name }: Check): Row => ({ name, command, why: "" })

/** A command is shown whole: it is what may be run. */
const rows = (style: TerminalStyle, all: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const names = Math.max(...all.map(({ name }) => width(oneLine(name)))) + 2
  const commands = Math.max(...all.map(({ command }) => width(oneLine(command)))) + 2
  return all.flatMap(({ command, name, why }) => {
    const head = `  ${paint(style, ["cyan"], pad(oneLine(name), names))}`
    const room = style.width - names - commands - 2
    const text = why === "" ? [] : [oneLine(why)]
    return room >= 20
      ? wrap(text.join(""), room).map((line, at) =>
          at === 0
            ? `${head}${pad(oneLine(command), commands)}${line}`.trimEnd()
            : `${" ".repeat(2 + names + commands)}${line}`
        )
      : [
          `${head}${oneLine(command)}`,
          ...text.flatMap((line) => wrap(line, style.width - 6).map((part) => `      ${part}`))
        ]
  })
}

const section = (style: TerminalStyle, title: string, all: ReadonlyArray<Row>): ReadonlyArray<string> =>
  all.length === 0 ? [] : [...wrap(title, style.width), ...rows(style, all)]

/** Where a check is run in a host; without a host, in each. */
const places = (host?: string): ReadonlyArray<string> =>
  Hosts.all.filter(({ name }) => host === undefined || name === host).map(({ installation: { words } }) => words.checks)

const when =
  "With your yes each is run once now, as you. From then on reflexion runs it when the agent stops after a change and it was not green since, and when you type `/reflection checks run`: what the agent wrote is run with it. If the command's script changes, it is not run until you agree again."

/**
 * What is put to the user, below what they agreed to before.
 *
 * @category rendering
 */
export const question = (
  style: TerminalStyle,
  { fresh, host, known }: { readonly fresh: ReadonlyArray<Offered>; readonly host?: string; readonly known: Known }
): string =>
  Sheet.blocks([
    section(style, paint(style, ["bold"], "Checks of this project that reflexion can run"), [
      ...known.allowed
        .filter(({ name }) => !fresh.some((other) => other.name === name))
        .map((check) => rowOf(check, "allowed before")),
      ...fresh.map((check) => rowOf(check, known.changed.includes(check) ? "changed since you agreed" : undefined))
    ]),
    [...wrap(when, style.width), ...places(host).flatMap((text) => wrap(text, style.width))]
  ])

const signs: Readonly<Record<CheckResult.CheckResult["result"], keyof Symbols>> = {
  passed: "passed",
  failed: "failed",
  failed_before: "failed",
  flaky: "warning",
  timed_out: "warning",
  unavailable: "warning"
}

/**
 * How a check went when it was tried.
 *
 * @category rendering
 */
export const tried = (
  style: TerminalStyle,
  result: CheckResult.CheckResult,
  isKept: boolean
): ReadonlyArray<string> => {
  const isRed = result.result === "failed" || result.result === "failed_before"
  const further = isKept
    ? isRed
      ? ". What fails now is not held against a task that begins now"
      : ""
    : result.changed === true
      ? ""
      : `. Not kept: \`reflexion allow checks ${oneLine(result.gate)}\` keeps it all the same`
  return Terminal.signed(
    style,
    signs[result.result],
    `${oneLine(result.gate)}: ${CheckResult.describe(result)}${further}`
  )
}

const shown = (checks: ReadonlyArray<Pick<Check, "command">>): string =>
  checks.map(({ command }) => `\`${oneLine(command)}\``).join(", ")

/**
 * One line where nobody can be asked.
 *
 * @category rendering
 */
export const later = (fresh: ReadonlyArray<Pick<Check, "command">>): string =>
  `This project has checks that reflexion can run (${shown(fresh)}); none of them is allowed: \`reflexion allow checks\`, in a terminal, asks you.`

/**
 * What is allowed from now on. `isLoaded`: OpenCode has our plugin.
 *
 * @category rendering
 */
export const kept = (
  checks: ReadonlyArray<Pick<Check, "command">>,
  { isLoaded }: { readonly isLoaded: boolean }
): string =>
  checks.length === 0
    ? "Nothing is kept."
    : `Allowed in this project: ${shown(checks)}. \`reflexion allow checks --revoke\` takes that back.${isLoaded ? " A running OpenCode that had no check has to be started again." : ""}`

export const declined = "No check is run, and none is allowed. `reflexion allow checks` asks again."

const nothing =
  "This project has no check that reflexion may run, and its files suggest none. `reflexion allow checks NAME COMMAND` allows one of your own, as in: reflexion allow checks tests 'make test'."

/**
 * Where there is nothing to ask.
 *
 * @category rendering
 */
export const list = (style: TerminalStyle, { allowed, configured }: Known): string =>
  allowed.length + configured.length === 0
    ? wrap(nothing, style.width).join("\n")
    : Sheet.blocks([
        section(style, "Configured (checks):", configured.map(plainRow)),
        section(
          style,
          "Allowed in this project:",
          allowed.map((check) => rowOf(check))
        ),
        [
          ...places(),
          "`reflexion allow checks --revoke` takes back what was allowed; with a NAME only that check."
        ].flatMap((text) => wrap(text, style.width))
      ])
