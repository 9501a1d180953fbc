/** A test file that is started by itself, by an interpreter or as a program: what it ran, only its output can tell. */
import type * as ShellCommand from "../shell/ShellCommand.ts"

const interpreters =
  /^(?:python[\d.]{0,6}|pypy3?|node|nodejs|ruby|php|perl|lua|luajit|Rscript|julia|elixir|ts-node(?:-esm)?|tsx|deno|bun|bash|sh|zsh|fish|groovy|scala|swift|pwsh)$/

const installed = /(?:^|\/)(?:s?bin|\.bin|node_modules|vendor)\//

/** Whether its file's name is all there is to go by: no runner is known to stand behind it. */
export const isTestFile = ({ runner, words }: ShellCommand.SimpleCommand): boolean => {
  const program = words[0] ?? ""
  if (runner === null || program === "") return false
  const name = program.split("/").at(-1) ?? ""
  if (interpreters.test(runner)) return name.startsWith(runner)
  return (
    program.includes("/") &&
    /test|spec/i.test(program) &&
    !installed.test(program) &&
    name.replace(/\.\w{1,4}$/, "") === runner
  )
}

const passing =
  /\b(?:pass(?:ed|es|ing)?|ok|okay|succe(?:ss|ssful|ssfully|eded)|green|all good)\b|[✓✔√✅]|\b(\d{1,6})\/\1\b/i

/** Whether the output, but for what the command itself echoes, says of anything that it passed. */
export const saysPassed = (output: string, command: string): boolean =>
  output
    .slice(-16_000)
    .split(/\r?\n/)
    .some((line) => {
      const said = line.trim()
      return said !== "" && !command.includes(said) && passing.test(said.slice(0, 1000))
    })
