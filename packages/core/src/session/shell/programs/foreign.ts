import { has } from "../tool.ts"
import type { Arg } from "../model.ts"

/** What `cmd` or PowerShell is asked to run: a line of its own language, a script file, or nothing that can be known. */
export type Foreign =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "file"; readonly args: ReadonlyArray<Arg> }
  | { readonly kind: "unknown" | "nothing" }

const unknown: Foreign = { kind: "unknown" }

/** Calls joined by `&&`, which mean the same in every shell; backslashes are of paths. */
const plain = /^(?:[\w \t./\\:@=,"'+-]|&&){1,2000}$/

const lineOf = (words: ReadonlyArray<Arg>): Foreign => {
  const values = words.map(({ value }) => value)
  if (values.length === 0 || values.includes(null)) return unknown
  const text = values
    .join(" ")
    .slice(0, 2_001)
    .trim()
    .replace(/;\s{0,20}exit\s{1,20}\$LASTEXITCODE;?$/i, "")
  return text !== "-" && plain.test(text) ? { kind: "line", line: text.replaceAll("\\", "/") } : unknown
}

const option = (word: string): string => word.toLowerCase().replace(/^\/{1,2}|^--?/, "")

const ofCmd = (args: ReadonlyArray<Arg>): Foreign => {
  for (const [index, { value }] of args.entries()) {
    if (index === 0) continue
    if (value === null) return unknown
    if (!value.startsWith("/")) return unknown
    if (has("c k", option(value))) return lineOf(args.slice(index + 1))
  }
  return { kind: "nothing" }
}

const valued =
  "executionpolicy ep ex exec workingdirectory wd wo outputformat of inputformat version v configurationname windowstyle w settingsfile psconsolefile"

const ofPowerShell = (name: string, args: ReadonlyArray<Arg>): Foreign => {
  for (let index = 1; index < args.length; index += 1) {
    const value = args[index]?.value ?? null
    if (value === null || value === "-") return unknown
    const rest = args.slice(index + 1)
    if (!/^[-/]/.test(value)) {
      const file = name === "pwsh" || /\.ps1$/i.test(value.slice(-8))
      return file ? { kind: "file", args: args.slice(index) } : lineOf(args.slice(index))
    }
    const word = option(value)
    if (word !== "" && "command".startsWith(word)) return lineOf(rest)
    if (word === "f" || word === "file") return rest.length > 0 ? { kind: "file", args: rest } : unknown
    if (word === "e" || word === "ec" || (word.startsWith("en") && "encodedcommand".startsWith(word))) return unknown
    if (has(valued, word)) index += 1
  }
  return { kind: "nothing" }
}

/** What another system's shell is asked to run. */
export const foreign = (name: string, args: ReadonlyArray<Arg>): Foreign =>
  name === "cmd" ? ofCmd(args) : ofPowerShell(name, args)
