/** Which files, tests and rules a configuration or a command leaves out, each by itself. */
import { leavesOut } from "./silencers.ts"

const maxEntries = 200

const quoted = /["'`]([^"'`\n]{1,200})["'`]/g

/** Behind the word on its own line: "exclude: [a, b]", "--ignore=a", "disable=A,B". */
const inline = (rest: string): ReadonlyArray<string> => {
  const list = /^\s{0,4}[[({]?([^\])}]{0,600})/.exec(rest)?.[1] ?? ""
  const strings = [...list.matchAll(quoted)].map((match) => match[1] ?? "")
  if (strings.length > 0) return strings
  const own = rest.replace(/^[\s[({>]{0,6}/, "").replace(/["'\])}<].{0,600}$/, "")
  return own
    .split(/[,\s|]+/)
    .map((item) => item.trim())
    .filter((item) => /[\w*]/.test(item) && !/^(?:true|false|null|=>?|\{|&&)$/.test(item))
    .slice(0, 20)
}

const item =
  /^(?:["'`][^"'`\n]{1,200}["'`]:?|-\s{1,8}\S.{0,200}|<(?:exclude|param|suppress|file|directory)\b.{0,200}|[\w*./-]{2,120},?)(?:\s{0,8}#.{0,200})?,?$/

/** What nobody checks anyway: what was installed, built or measured. */
const neverChecked =
  /^\W{0,6}(?:\*\*\/)?(?:node_modules|bower_components|dist|build|out|public|coverage|vendor|target|bin|obj|\.git|\.venv|venv|\.next|\.nuxt|\.cache|__pycache__|site-packages|generated|third_party)\b(?!\/[^*\s"'])[\s\S]{0,12}$/

const closes = /^[\])}]/

/** Entries of lists that are opened above, and those behind the word itself. */
export const leftOut = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let opened = -1
  for (const raw of text.slice(0, 60_000).split("\n")) {
    const line = raw.slice(0, 1000).trim()
    if (line === "" || /^(?:#|\/\/|;|<!--)/.test(line) || found.length >= maxEntries) continue
    const indent = raw.length - raw.trimStart().length
    const match = leavesOut.exec(line)
    if (match !== null && !(opened >= 0 && line.startsWith("- "))) {
      const rest = line.slice(match.index + match[0].length)
      const here = inline(rest.replace(/^[\s=:>]{1,4}/, ""))
      found.push(...(/^(?:-k|-m|--filter|-E|-LE|--gtest)/.test(match[0]) ? [line.slice(match.index)] : here))
      opened = here.length === 0 || /[[({,]\s{0,4}$/.test(line) ? indent : -1
    } else if (opened >= 0) {
      if (
        closes.test(line) ||
        (indent <= opened && !line.startsWith("- ") && !line.startsWith('"') && indent >= 0 && !item.test(line))
      )
        opened = -1
      else if (indent < opened) opened = -1
      else if (item.test(line)) found.push(line.replace(/,$/, ""))
    }
  }
  return found.filter((one) => !neverChecked.test(one)).slice(0, maxEntries)
}
