/**
 * Checks that a report names by their command or program: each becomes the check's own word, so that one set of rows reads
 * "`./mvnw verify` goes through" as "the tests go through".
 */
import { type Guarded, guarded } from "../../ground/text/Guarded.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { empty } from "../shell/Scripts.ts"

/** A sentence with its commands as words; `whole` and `part`: a command of tests that is named runs all of them, or not. */
export interface Worded {
  readonly text: string
  readonly commands: ReadonlyArray<{ readonly command: string; readonly word: string }>
  readonly whole: boolean
  readonly part: boolean
}

const wordOf: Readonly<Partial<Record<ShellCommand.CommandClass, string>>> = {
  test: "tests",
  typecheck: "typecheck",
  lint: "lint",
  build: "build"
}

/** A tool's own name says nothing of how much of the tests it ran. */
const isBare = (command: string): boolean => !/\s/.test(command.trim())

const read = (command: string): { readonly word: string; readonly filtered: boolean } | null => {
  const { commands, unknown } = ShellCommand.analyze(command, empty)
  const simple = commands[commands.length - 1]
  if (unknown || simple === undefined || simple.dryRun) return null
  const word = ["test", "typecheck", "lint", "build"] as const
  const found = word.find((name) => simple.classes.includes(name))
  return found === undefined ? null : { word: wordOf[found] ?? found, filtered: simple.filtered }
}

const span = /`([\w./@][^`\n]{1,160})`/g

/** What begins an item and has a colon, a dash or a bar behind it. */
const head = /^[^\w`./]{0,4}([a-z@./][\w./:@-]{1,60}(?: [\w./:@=-]{1,40}){0,6})(?=\s?(?:: |– |— |→|->|=> |\| ))/i

/** Programs that are checks by their name alone. */
const programs: ReadonlyArray<readonly [word: string, program: Guarded]> = [
  [
    "typecheck",
    guarded(
      "phpstan|psalm|pyright|mypy|dialyzer",
      () => /\b(?:phpstan|psalm|pyright|mypy|dialyzer)\b(?!\.|-\w| (?:rule|config|plugin|comment))/gi
    )
  ],
  [
    "lint",
    guarded(
      "rubocop|golangci|flake8|pylint|phpcs|checkstyle|detekt|ktlint|swiftlint|stylelint|shellcheck|spotbugs|eslint|oxlint|biome|credo|go vet",
      () =>
        /\b(?:rubocop|golangci-lint|flake8|pylint|phpcs|checkstyle|detekt|(?:kt|swift|style|es|ox)lint|shellcheck|spotbugs|biome|credo|go vet)\b(?!\.|-\w| (?:rule|config|plugin|comment))/gi
    )
  ],
  [
    "tests",
    guarded(
      "phpunit|mocha|exunit|junit|minitest|gtest|xunit|nunit|karma|bats",
      () =>
        /\b(?:phpunit|mocha|exunit|junit|minitest|gtest|xunit|nunit|karma|bats)\b(?!\.|-\w| (?:rule|config|plugin|comment|tests?\b))/gi
    )
  ]
]

const most = 12

/** A sentence with each command of a check, and each check's program, as the check's word. */
export const worded = (sentence: string): Worded => {
  let whole = false
  let part = false
  let seen = 0
  const commands: Array<Worded["commands"][number]> = []
  const asWord = (all: string, command: string): string => {
    if (seen++ >= most) return all
    const found = read(command)
    if (found === null) return all
    commands.push({ command, word: found.word })
    if (found.word === "tests" && !isBare(command)) {
      whole ||= !found.filtered
      part ||= found.filtered
    }
    return found.word
  }
  const first = head.exec(sentence.slice(0, 300))
  const command = first?.[1]
  const isCommand =
    command !== undefined && /^\S*[a-z]/.test(command) && !/^(?:all|the|both|no|test|tests|build|lint)\b/i.test(command)
  const headed =
    first !== null && isCommand ? sentence.replace(command, asWord(command, command.toLowerCase())) : sentence
  const spanned = headed.includes("`") ? headed.replaceAll(span, asWord) : headed
  const text = programs.reduce((said, [word, program]) => program.replace(said, word), spanned)
  return { text, commands, whole, part }
}

/** A command without what says only how it is started. */
const started = (command: string): string =>
  command
    .toLowerCase()
    .replaceAll(/\s\d?>{1,2}&?\s?\S{1,80}/g, "")
    .replaceAll(/["'\\]/g, "")
    .replaceAll(/(?:^|\s)(?:npx|bunx|uvx|exec|run|t(?=\s|$)|--)(?=\s|$)/g, (word) =>
      word.trim() === "t" ? " test" : " "
    )
    .replaceAll(/\s+/g, " ")
    .trim()

/** Whether a run is of the very command that a text names, all of it: nothing that was not said was left out of it. */
export const isNamed = ({ gate, text }: { readonly gate: string; readonly text: string }, command: string): boolean => {
  const ran = ShellCommand.analyze(command, empty).commands.map((simple) => started(simple.text))
  return worded(text).commands.some(({ command: own, word }) => word === gate && ran.includes(started(own)))
}

const programOf = (command: string): string => command.trim().split(/\s+/)[0]?.replace(/^.*\//, "") ?? ""

/** "`bash -n a.sh` is fine" says nothing of `shellcheck a.sh`; tests are run under many names. */
export const namesAnother = ({ gate, text }: { readonly gate: string; readonly text: string }, command: string) => {
  const own = worded(text).commands.filter(({ word }) => word === gate)
  return gate !== "tests" && own.length > 0 && own.every((one) => !command.includes(programOf(one.command)))
}
