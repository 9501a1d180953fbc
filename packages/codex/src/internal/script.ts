/**
 * Code mode: the model writes a script that calls the host's tools. Calls of older versions, and calls that the sandbox
 * refused, have no record. For these, reflexion reads the literals in the script.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as Patch from "./patch.ts"
import type { Part } from "./state.ts"

const maxScript = 256 * 1024
const maxParts = 16
const maxCommand = 16 * 1024

export interface Script {
  readonly parts: ReadonlyArray<Part>
  /** True if the script runs more commands or patches than its literals show. */
  readonly opaque: boolean
  readonly plan: unknown
}

export const read = (source: string): Script => {
  const code = source.slice(0, maxScript)
  const literals = literalsOf(code)
  const commands = literals.filter((one) => !one.dynamic && isValueOf("cmd", code, one.start))
  const patches = literals.filter((one) => !one.dynamic && one.text.startsWith("*** Begin Patch"))
  const runs = count(code, "tools.exec_command(") + count(code, "tools.apply_patch(")
  const parts = [...commands, ...patches]
    .toSorted((left, right) => left.start - right.start)
    .slice(0, maxParts)
    .map((one) => partOf(code, literals, one))
  const plan = code.indexOf("tools.update_plan(")
  return {
    parts,
    opaque: runs > parts.length,
    plan: plan === -1 ? null : JsonLines.first(code.slice(plan + "tools.update_plan(".length))
  }
}

const count = (code: string, call: string): number => code.split(call).length - 1

const partOf = (code: string, literals: ReadonlyArray<Literal>, { start, text }: Literal): Part =>
  text.startsWith("*** Begin Patch")
    ? { kind: "patch", text: Patch.bounded(text), cwd: null }
    : { kind: "command", text: Json.clip(text, maxCommand), cwd: directoryAfter(code, literals, start) }

/** Models write the `workdir` after the command, in the same arguments. */
const directoryAfter = (code: string, literals: ReadonlyArray<Literal>, start: number): string | null => {
  const index = literals.findIndex((one) => one.start === start)
  const next = literals.slice(index + 1, index + 4)
  const found = next.find((one) => !one.dynamic && isValueOf("workdir", code, one.start))
  const other = next.find((one) => isValueOf("cmd", code, one.start))
  return found !== undefined && (other === undefined || found.start < other.start) ? found.text.slice(0, 4096) : null
}

interface Literal {
  readonly start: number
  readonly text: string
  readonly dynamic: boolean
}

const isValueOf = (key: string, code: string, start: number): boolean => {
  const before = code.slice(Math.max(0, start - 40), start).trimEnd()
  if (!before.endsWith(":")) return false
  const name = before.slice(0, -1).trimEnd()
  return ['"', "'", ""].some((quote) => {
    const spelt = `${quote}${key}${quote}`
    return name.endsWith(spelt) && !/[\w$]/.test(name.charAt(name.length - spelt.length - 1))
  })
}

const maxLiterals = 2000

const literalsOf = (code: string): ReadonlyArray<Literal> => {
  const found: Array<Literal> = []
  const next = /["'`]|\/[/*]/g
  for (let match = next.exec(code); match !== null && found.length < maxLiterals; match = next.exec(code)) {
    const [mark] = match
    if (mark === "//") next.lastIndex = endOf(code, "\n", match.index)
    else if (mark === "/*") next.lastIndex = endOf(code, "*/", match.index)
    else {
      const [literal, end] = literalAt(code, match.index, mark)
      found.push(literal)
      next.lastIndex = end + 1
    }
  }
  return found
}

const endOf = (code: string, mark: string, from: number): number => {
  const end = code.indexOf(mark, from + 2)
  return end === -1 ? code.length : end + mark.length
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" }

const ends: Readonly<Record<string, RegExp>> = { '"': /["\\]/g, "'": /['\\]/g, "`": /[`\\]/g }

const literalAt = (code: string, start: number, quote: string): readonly [Literal, number] => {
  const next = new RegExp(ends[quote] ?? /$/g)
  let spelt = ""
  let from = start + 1
  let end = code.length
  next.lastIndex = from
  for (let match = next.exec(code); match !== null; match = next.exec(code)) {
    spelt += code.slice(from, match.index)
    if (match[0] === quote) {
      end = match.index
      break
    }
    const [value, length] = escapeAt(code, match.index + 1)
    spelt += value
    from = match.index + 1 + length
    next.lastIndex = from
  }
  const raw = quote === "`" && code.slice(Math.max(0, start - 12), start).endsWith("String.raw")
  const written = code.slice(start + 1, end)
  const joined = /^\s{0,20}[+.]/.test(code.slice(end + 1, end + 24))
  return [{ start, text: raw ? written : spelt, dynamic: joined || (quote === "`" && written.includes("${")) }, end]
}

const escapeAt = (code: string, at: number): readonly [string, number] => {
  const char = code.charAt(at)
  if (char === "\n") return ["", 1]
  if (char !== "u" && char !== "x") return [escapes[char] ?? char, 1]
  const digits = code.slice(at + 1, at + (char === "u" ? 5 : 3))
  return /^[0-9a-fA-F]+$/.test(digits)
    ? [String.fromCharCode(Number.parseInt(digits, 16)), digits.length + 1]
    : [char, 1]
}
