/** Finds changes that a task made to a check. After such a change, a green result proves nothing. */
import { clip, oneLine } from "../base/text/Text.ts"
import { type CheckEdit, isSettings } from "../session/checkedits/CheckEdits.ts"
import type { ActiveCheck } from "../session/config/ReflexionConfig.ts"
import type { Facts } from "../session/facts/Facts.ts"
import * as ProposedChecks from "../session/project/ProposedChecks.ts"

/** Files that hold the settings of several tools. */
const shared = /^(?:pyproject|setup|tox|Makefile|Cargo|pom|build)\b/

/** True for the check's own script, and for a settings file of one of the check's tools. */
const isRead = (
  { kind, now, path, was }: CheckEdit,
  texts: ReadonlyArray<string>,
  words: ReadonlySet<string>
): boolean => {
  const base = path.split("/").at(-1) ?? ""
  const script = /^"([^"]+)"\s?:\s?"/.exec(was)?.[1]
  if (base === "package.json")
    return script === undefined ? kind !== "script" || texts.some((text) => text.includes(now)) : words.has(script)
  const [stem = ""] = base.replace(/^\./, "").split(".")
  const tool = stem.replace(/(?:rc|config)$/, "")
  return shared.test(base) || (tool.length > 1 && [...words].some((word) => word.startsWith(tool)))
}

const kinds: ReadonlySet<CheckEdit["kind"]> = new Set(["script", "silenced", "threshold"])

/** One line about what the task changed in the check's script or settings. Null if the record shows no change. */
export const changedIn = (
  facts: Facts,
  { command, directory }: Pick<ActiveCheck, "command" | "directory">
): string | null => {
  const texts = [command, ...ProposedChecks.reached(command, facts.repo)]
  const words = new Set(texts.flatMap((text) => text.match(/[\w.:/@-]+/g) ?? []))
  const root = directory ?? facts.cwd ?? ""
  const isNamed = (path: string): boolean =>
    [...words].some((word) => word === path || `${root}/${word.replace(/^\.\//, "")}` === path)
  const file = facts.evidence.edits.find(({ kind, path }) => kind === "script" && isNamed(path))
  if (file !== undefined) return `the task changed \`${clip(file.path, 120)}\``
  const edit = facts.checkEdits.find((one) => kinds.has(one.kind) && isSettings(one.path) && isRead(one, texts, words))
  if (edit === undefined) return null
  const [was, now] = [edit.was, edit.now].map((text) => (text === "" ? "nothing" : `\`${oneLine(text, 120)}\``))
  return `the task changed \`${clip(edit.path, 120)}\`: ${was} became ${now}`
}
