/** What an agent says of its own state where it fills in a form: a block of status lines, or its last word. */
import { plain, tail } from "../../ground/text/Text.ts"

const entry = /^["']?([a-z][a-z _-]{1,40})["']?\s{0,2}[:=]\s{0,2}["']?(.{1,200})/i

const status = /^(?:(?:work|task|overall|loop|current|agent)[ _-])?(?:status|progress)$/i

const open =
  /^\W{0,3}(?:in[ _-]?progress|ongoing|under[ _-]?way|unfinished|incomplete|partial(?:ly)?|not (?:yet )?(?:done|finished|complete)|continu(?:e|ing))\b/i

/** "3/7 items", "1 of 3" */
const isPart = (value: string): boolean => {
  const [, some = "", all = ""] = /^\W{0,3}(\d{1,4}) ?(?:\/|of|out of) ?(\d{1,4})\b/i.exec(value) ?? []
  return Number(some) < Number(all)
}

const end = /^(?:exit[_-]signal|(?:all|task|work|plan)[_-](?:done|completed?|finished)|done|completed?|finished)$/i

/** "Continue with the next item", which is said to whoever comes after the stop. */
const goesOn =
  /^(?:(?:recommendation|next(?: step| action)?)\s{0,2}:\s{0,2})?(?:continue|proceed|go on|carry on) (?:with|to) (?:the )?(?:next|remaining|rest|other|item \d)\b/i

/** Whether a line says so, and is part of a form: in prose the same words may speak of a ticket. */
const isOpen = (line: string, isEdge: boolean): boolean => {
  const [, name = "", value = ""] = entry.exec(line) ?? []
  const key = name.trim()
  const isForm = key !== "" && key === key.toUpperCase()
  if (status.test(key)) return (open.test(value) || isPart(value)) && (isForm || (isEdge && value.length < 24))
  return end.test(key) && (isForm || key.includes("_")) && /^(?:false|no)\W{0,3}$/i.test(value)
}

/** The line by which a text says that its agent is not finished, null where it has none. */
export const saysInProgress = (text: string): string | null => {
  const lines = tail(text, 3000)
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? line.slice(0, 600).split(/[{},]\s{0,8}/) : [line]))
    .map((line) => plain(line.slice(0, 300)))
    .filter((line) => /\w/.test(line))
    .slice(-24)
  const last = lines.at(-1) ?? ""
  // What stands below "The service answers:" is shown, not said.
  const found = lines.find(
    (line, at) => isOpen(line, at === 0 || at === lines.length - 1) && !(lines[at - 1] ?? "").endsWith(":")
  )
  return found ?? lines.slice(-3).find((line) => goesOn.test(line) && !last.endsWith("?")) ?? null
}
