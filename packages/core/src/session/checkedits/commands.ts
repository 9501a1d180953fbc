/** What a command does to checks without an edit: snapshots written anew, hooks passed over, failing tests left out. */
import type { Evidence } from "../evidence/model.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import { shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { delta, shown } from "./deltas.ts"
import type { Delta } from "./model.ts"

const updates =
  /(?:^|\s)(?:--update-?snapshots?|--updateSnapshot|--snapshot-update|--update-goldens?|--update-golden-files|--accept-snapshots|-update|--update|-u)(?=\s|=true|$)|\b(?:UPDATE_(?:SNAPSHOTS?|GOLDENS?|EXPECT|SNAPS)|INSTA_UPDATE|INSTA_FORCE_UPDATE|SNAPSHOT_UPDATE|TRYBUILD)=|\bcargo insta (?:accept|review)\b/

const passesHooks =
  /\bgit\b.{0,200}\b(?:commit|push)\b.{0,400}?(?:\s--no-verify\b)|\bgit\b.{0,100}\bcommit\b(?:.{0,100}?\s)-n\b|\bHUSKY=0|\bSKIP=\S|\bLEFTHOOK=0|\bcore\.hooksPath=\/dev\/null/

/** What fails now is written down, and is no failure from then on. */
const writesBaseline =
  /--(?:generate|set|create|write|update|regenerate)-?baseline|--auto-gen-config|--add-noqa\b|--writebaseline|\bdetektBaseline|--suppress-all\b|--disable-next-line|\bcreateBaseline|\bupdate-?lint-?baseline|--baseline-file\b|\blintBaseline|\bupdateBaseline/i

const isTest = (simple: ShellCommand.SimpleCommand): boolean => simple.classes.includes("test")

/** What is named as left out of a run. */
const leftOut =
  /(?:--deselect|--ignore|--skip|-skip|--exclude|--testPathIgnorePatterns|--skip-testing|-skip-testing|--exclude-test)[= :]["']?([\w./:[\]-]{3,200})|-k ["']?not ([\w]{3,100})|-E ["']?not test\(([\w:]{3,100})/g

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

const ofLeftOut = (command: string, before: Evidence): ReadonlyArray<Delta> => {
  const failing = before.runs.findLast(({ gate, result }) => gate === "tests" && result === "failed")?.failing ?? []
  const named = [...command.slice(0, 4000).matchAll(leftOut)].map((match) => match[1] ?? match[2] ?? match[3] ?? "")
  return failing
    .filter(({ name }) => named.some((one) => letters(name).includes(letters(one.split("::").pop() ?? one))))
    .slice(0, 4)
    .map(({ name }) => done("skip", `run:${name}`, command, shown(name)))
}

const done = (kind: Delta["kind"], id: string, command: string, name: string | null = null): Delta =>
  delta(kind, 1, id, { name, now: shown(command), fits: true })

export const byCommand = (call: ToolCall, before: Evidence): ReadonlyArray<Delta> => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  if (command === null) return []
  const text = command.slice(0, 4000)
  const hooks = passesHooks.test(text) ? [done("silence", "no-verify", text)] : []
  const leaves = [...ofLeftOut(text, before), ...(writesBaseline.test(text) ? [done("silence", "baseline", text)] : [])]
  if (!updates.test(text)) return [...hooks, ...leaves]
  const simples = ShellCommand.analyze(command).commands.filter(isTest)
  const isUpdate = simples.some(
    ({ text: one, words }) => updates.test(one) || words.some((word) => word !== null && updates.test(` ${word}`))
  )
  return isUpdate || /\binsta accept|\bUPDATE_|\bINSTA_/.test(text)
    ? [...hooks, ...leaves, done("snapshot", "rewritten", text)]
    : [...hooks, ...leaves]
}

/** A formatter or a check that mends what it finds, in files that nobody names. */
export const mendsItself = (call: ToolCall): boolean => {
  const command = toolKind(call.tool) === "shell" ? shellCommand(call) : null
  return (
    command !== null &&
    /(?:^|\s)(?:--fix\w{0,10}|--write|--apply|--autocorrect(?:-all)?|fix|format|fmt)(?=\s|$)/.test(
      command.slice(0, 2000)
    ) &&
    /\b(?:eslint|oxlint|biome|prettier|oxfmt|ruff|black|isort|autopep8|gofmt|goimports|golangci-lint|cargo|rustfmt|rubocop|standardrb|php-cs-fixer|phpcbf|pint|swiftformat|swiftlint|mix|dotnet|ktlint|spotless\w{0,8}|clang-format|npm|pnpm|yarn|bun|make|just|mise|task|nx|turbo)\b/.test(
      command.slice(0, 2000)
    )
  )
}
