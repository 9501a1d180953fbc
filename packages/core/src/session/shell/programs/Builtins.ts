import type { Command } from "unbash"
import { join, wordArg } from "../scope.ts"
import type { Arg, Run, Scope } from "../model.ts"

export const trivial = new Set(
  "cd pushd popd export echo printf set true : unset local declare readonly typeset shopt umask sleep alias pwd date clear trap ulimit hash setopt sync wait disown read".split(
    " "
  )
)

/** Programs that only pass their input on, and so do not fail when nothing but their input is given. */
const sinks = new Set(
  "cat tail tee sort uniq wc nl tr cut column less more head sed awk gawk tac fold rev paste strings".split(" ")
)

/** A command whose failure is no news: it sets something up, or hands its input on. `wait $!` ends as what it waits for. */
export const isTrivial = (name: string, run: Run): boolean =>
  (trivial.has(name) && !(name === "wait" && run.args.length > 1)) ||
  (run.input !== null && sinks.has(name)) ||
  (name === "mkdir" && run.args.some(({ value }) => value === "-p"))

/** A reader that may stop before its input ends, and so end the writer with a signal. */
export const endsInputEarly = (node: { readonly type: string }): boolean =>
  node.type === "Command" && "name" in node && isEarly(node.name)

const isEarly = (name: unknown): boolean =>
  typeof name === "object" && name !== null && "value" in name && (name.value === "head" || name.value === "less")

/** What a command prints, where its words say it. */
export const outputOf = (node: Command, scope: Scope): string | null => {
  const name = node.name?.value
  if (name === "cat" && node.args.length === 0) {
    for (const redirect of node.redirects) if (redirect.type === "HereDoc") return redirect.body.text
    return null
  }
  if (name !== "echo" && name !== "printf") return null
  const words: Array<string> = []
  for (const item of node.args) {
    const value = item.type === "Word" ? wordArg(item, scope).value : null
    if (value === null) return null
    if (words.length > 0 || !/^-[neE]{1,3}$/.test(value)) words.push(value)
  }
  return words.join(" ")
}

const setOption = (name: "errexit" | "pipefail", on: boolean, { shell }: Scope): void => {
  if (shell[name] === on) return
  // Set in a branch, it may hold or not: then nothing is claimed that rests on it.
  const maybe = shell.uncertain || shell.chained
  if (maybe) shell.mayHaveFailed = true
  if (!on || !maybe) shell[name] = on
}

const setOptions = (args: ReadonlyArray<Arg>, scope: Scope): void => {
  for (let index = 1; index < args.length; index += 1) {
    const word = args[index]?.value ?? ""
    const on = word.startsWith("-")
    if ((!on && !word.startsWith("+")) || word.startsWith("--")) continue
    if (word.includes("e")) setOption("errexit", on, scope)
    if (word.includes("o")) {
      const option = args[index + 1]?.value
      if (option === "pipefail" || option === "errexit") setOption(option, on, scope)
      index += 1
    }
  }
}

const changeDir = (args: ReadonlyArray<Arg>, { shell }: Scope): void => {
  const target = args.slice(1).find(({ value }) => value === null || !/^-[PLe@]$|^--$/.test(value))
  const value = target === undefined ? "~" : target.value
  if (target?.text.startsWith("$(git rev-parse --show-toplevel") === true) shell.dir = ""
  else if (value === null || value === "-" || shell.uncertain) shell.dir = null
  else if (value.startsWith("/") || value.startsWith("~")) shell.dir = value
  else if (shell.dir !== null && value !== ".") {
    shell.dir = join(shell.dir, `${value}/`).replace(/^\.\/|\/{1,4}$/g, "")
  }
}

/** What a builtin changes in the shell around it. */
export const builtin = (name: string, args: ReadonlyArray<Arg>, scope: Scope): void => {
  if (name === "cd" || name === "pushd") changeDir(args, scope)
  else if (name === "popd") scope.shell.dir = null
  else if (name === "set") setOptions(args, scope)
  else if (name === "read" || name === "unset" || name === "mapfile") {
    for (const { value } of args) if (value !== null) scope.vars.set(value, null)
  }
}
