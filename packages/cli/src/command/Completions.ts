/** Completion scripts for shells, made from what the commands accept. */
import { type CommandSpec, firstSentence, type OptionSpec } from "./CommandSpec.ts"

export type Shell = "bash" | "fish" | "zsh"

export const shells: ReadonlyArray<Shell> = ["bash", "fish", "zsh"]

const flags = ["--help", "--version", "--completions"]

const names = (specs: ReadonlyArray<CommandSpec>): string => specs.map(({ name }) => name).join(" ")

/** What can be offered for an option's value, null where that is not a matter of words. */
const wordsOf = ({ choices, suggestions }: Pick<OptionSpec, "choices" | "suggestions">): string | null =>
  (choices ?? suggestions)?.join(" ") ?? null

/** What a shell can offer where words of a command are named. */
const offered = (operands: "ids" | ReadonlyArray<string>): string => (operands === "ids" ? "" : operands.join(" "))

const bashValue = (command: CommandSpec, { name, value, ...option }: OptionSpec): ReadonlyArray<string> => {
  if (value === null) return []
  const pattern = `${command.name}:--${name}`
  const words = wordsOf(option)
  if (words !== null) return [`    ${pattern}) words="${words}" ;;`]
  return value === "DIR"
    ? [`    ${pattern}) COMPREPLY=( $(compgen -d -- "$cur") ); return ;;`]
    : [`    ${pattern}) return ;;`]
}

const bashOperand = ({ operands }: CommandSpec): string => {
  if (operands === "files") return "return"
  return operands === "directories" ? 'COMPREPLY=( $(compgen -d -- "$cur") ); return' : `words="${offered(operands)}"`
}

const bashOptions = (spec: CommandSpec): string => {
  const names = spec.options.map((one) => `--${one.name}`)
  return `    ${spec.name}:*) case "$cur" in -*) words="${[...names, "--help"].join(" ")}" ;; *) ${bashOperand(spec)} ;; esac ;;`
}

const bash = (specs: ReadonlyArray<CommandSpec>): ReadonlyArray<string> => [
  "_reflexion() {",
  '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" words',
  "  COMPREPLY=()",
  '  [ "$COMP_CWORD" -eq 1 ] && command=""',
  '  case "$command:$prev" in',
  ...specs.flatMap((spec) => [...spec.options.flatMap((option) => bashValue(spec, option)), bashOptions(spec)]),
  `    *:--completions) words="${shells.join(" ")}" ;;`,
  `    :*) words="${names(specs)} ${flags.join(" ")}" ;;`,
  "  esac",
  '  COMPREPLY=( $(compgen -W "$words" -- "$cur") )',
  "}",
  "complete -o bashdefault -o default -F _reflexion reflexion"
]

/** In single quotes, where `[`, `]` and `:` mean something to `_arguments`. */
const quoted = (text: string): string => text.replace(/[[\]:\\]/gu, "\\$&").replaceAll("'", "'\\''")

const zshValue = ({ value, ...option }: OptionSpec): string => {
  const words = wordsOf(option)
  if (words !== null) return `(${words})`
  if (value === "PATH") return "_files"
  return value === "DIR" ? "_files -/" : " "
}

const zshOption = (one: OptionSpec): string => {
  const value = one.value === null ? "" : `:${one.value}:${zshValue(one)}`
  return `        '--${one.name}[${quoted(one.description)}]${value}' \\`
}

const zshOperand = ({ operands }: CommandSpec): string => {
  if (operands === "files") return "        '*:file:_files'"
  return operands === "directories" ? "        '*:directory:_files -/'" : `        '*:argument:(${offered(operands)})'`
}

const zshCommand = (spec: CommandSpec): ReadonlyArray<string> => [
  `    ${spec.name})`,
  "      _arguments \\",
  ...spec.options.map(zshOption),
  "        '(-h --help)'{-h,--help}'[Print this help.]' \\",
  zshOperand(spec),
  "      ;;"
]

const zsh = (specs: ReadonlyArray<CommandSpec>): ReadonlyArray<string> => [
  "#compdef reflexion",
  "_reflexion() {",
  "  local state",
  "  _arguments -C \\",
  "    '(-h --help)'{-h,--help}'[Print help.]' \\",
  "    '--version[Print the version.]' \\",
  `    '--completions[Print a completion script.]:SHELL:(${shells.join(" ")})' \\`,
  `    '1:command:(${names(specs)})' \\`,
  "    '*::argument:->arguments'",
  '  [ "$state" = arguments ] || return',
  "  case $words[1] in",
  ...specs.flatMap(zshCommand),
  "  esac",
  "}",
  'if [ "$funcstack[1]" = _reflexion ]; then _reflexion "$@"; else compdef _reflexion reflexion; fi'
]

const fishText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const fishValue = ({ value, ...option }: OptionSpec): string => {
  if (value === null) return ""
  const words = wordsOf(option)
  if (words !== null) return `-x -a '${words}'`
  if (value === "PATH") return "-r -F"
  return value === "DIR" ? "-x -a '(__fish_complete_directories)'" : "-x"
}

const fishOperands = ({ name, operands }: CommandSpec): ReadonlyArray<string> => {
  if (operands === "files") return []
  const words = operands === "directories" ? "(__fish_complete_directories)" : offered(operands)
  return [`complete -c reflexion -n '__fish_seen_subcommand_from ${name}' -f -a '${words}'`]
}

const fishOption = (name: string, one: OptionSpec): string =>
  ["complete -c reflexion -n", `'__fish_seen_subcommand_from ${name}'`, `-l ${one.name}`, fishValue(one), "-d"]
    .filter((part) => part !== "")
    .concat(fishText(one.description))
    .join(" ")

const fishCommand = (spec: CommandSpec): ReadonlyArray<string> => [
  `complete -c reflexion -n __fish_use_subcommand -f -a ${spec.name} -d ${fishText(firstSentence(spec))}`,
  ...fishOperands(spec),
  ...spec.options.map((one) => fishOption(spec.name, one))
]

const fish = (specs: ReadonlyArray<CommandSpec>): ReadonlyArray<string> => [
  "complete -c reflexion -s h -l help -d 'Print help.'",
  "complete -c reflexion -n __fish_use_subcommand -l version -d 'Print the version.'",
  `complete -c reflexion -n __fish_use_subcommand -l completions -x -a '${shells.join(" ")}' -d 'Print a completion script.'`,
  ...specs.flatMap(fishCommand)
]

const generators = { bash, fish, zsh }

export const script = (shell: Shell, specs: ReadonlyArray<CommandSpec>): string => generators[shell](specs).join("\n")
