/** Reads conditions for "done" from a text, one for each line or list item. A condition may name a command as proof. */
import { type Condition, distinct, numbered } from "./Conditions.ts"
import { type AcceptanceItem, maxCommand, maxItems, maxText } from "./model.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { oneLine } from "../../base/text/Text.ts"

export type { AcceptanceItem, AcceptanceResult } from "./model.ts"

export type { Condition } from "./Conditions.ts"

const maxInput = 20_000

const marker = /^\s{0,20}(?:[-*•+]|\d{1,3}[.)])\s{1,8}(?:\[[ xX]\]\s{1,4})?/

const heading = /^\s{0,3}#{1,6}\s/

const fence = /^\s{0,8}(?:```|~~~)/

const prompt = /^\s{0,20}\$\s{1,8}(\S.*)$/

const programs: ReadonlySet<string> = new Set(
  "pytest make tox nox jest vitest mocha ava rspec phpunit pest eslint biome tsc ruff mypy pyright just rake gradle gradlew mvn ctest bats cargo go deno bun npm pnpm yarn swift mix dotnet bazel shellcheck hadolint golangci-lint staticcheck".split(
    " "
  )
)

/** Matches a program with arguments. */
const several =
  /^(?:[A-Z_][A-Z0-9_]{0,40}=\S{0,100}\s){0,5}(?:\.{0,2}\/)?[a-z][\w.+-]{0,60}(?:\/[\w.+-]{1,60}){0,10}\s\S/

/** True for a command. A single word counts only if it is a known program or a path. */
const isCommand = (text: string): boolean => programs.has(text) || /^\.{1,2}\/\S+$/.test(text) || several.test(text)

/** Words that say that a quoted command runs or passes: "`npm test` passes". Other quotations are only names. */
const saying =
  /`([^`\n]{1,500})`\s(?:(?:must|should|still|now|also)\s){0,2}(?:pass(?:es)?|succeeds?|works|exits?|returns?|(?:is|be|stays?) (?:green|clean)|runs?|reports no)\b/i

const running = /\b(?:run|runs|running|execute|executing|by|via|with)\s`([^`\n]{1,500})`/i

/** Words such as "fails" or "not". A command in a text with such a word proves nothing. */
const negated = /\b(?:fails?|failing|not|never|without running|no longer|\w+n['’]t|instead of)\b/i

const named = (text: string): string | null =>
  [saying, running]
    .map((pattern) => pattern.exec(text)?.[1]?.trim() ?? "")
    .find((command) => isCommand(command) && !negated.test(text.replace(command, ""))) ?? null

export const condition = (line: string): Condition | null => {
  const bare = PlainText.clean(line).replace(marker, "").trim()
  const typed = prompt.exec(bare)?.[1]?.trim()
  const text = oneLine(typed ?? bare, maxText)
  if (text === "" || !/[\p{L}\p{N}]/u.test(text)) return null
  if (typed !== undefined) return { text, command: typed.length <= maxCommand ? typed : null }
  return { text, command: named(bare.slice(0, 2000)) }
}

const isItem = (line: string): boolean => marker.test(line) || prompt.test(line)

const joined = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const items: Array<string> = []
  let goesOn = false
  for (const line of lines) {
    if (line.trim() === "" || heading.test(line) || fence.test(line)) {
      goesOn = false
      continue
    }
    const last = items.length - 1
    if (goesOn && /^\s{2,}\S/.test(line) && !isItem(line)) items[last] = `${items[last] ?? ""} ${line.trim()}`
    else items.push(line)
    goesOn = marker.test(items[items.length - 1] ?? "")
  }
  return items
}

const inOneLine = (text: string): ReadonlyArray<string> =>
  prompt.test(text) ? [text] : text.split(/;\s{1,8}(?=(?:[^`]*`[^`]*`)*[^`]*$)/)

/** True for a line such as "Done when:" before the items of a list. */
const isLead = (line: string, at: number, all: ReadonlyArray<string>): boolean =>
  at === 0 && all.length > 1 && !isItem(line) && /:\s*$/.test(line)

export const conditions = (text: string): ReadonlyArray<Condition> => {
  const lines = text.slice(0, maxInput).replaceAll("\r", "").split("\n")
  const filled = lines.filter((line) => line.trim() !== "")
  const items = filled.length === 1 ? inOneLine(filled[0] ?? "") : joined(lines)
  const found = items.filter((line, at) => !isLead(line, at, items)).flatMap((line) => condition(line) ?? [])
  return distinct(found).slice(0, maxItems)
}

export const parse = (text: string): ReadonlyArray<AcceptanceItem> => numbered(conditions(text))

export const describe = ({ command, id, text }: AcceptanceItem): string =>
  command === null ? `${id}: ${text}` : `${id}: ${text === command ? "" : `${text} `}(proved by \`${command}\`)`
