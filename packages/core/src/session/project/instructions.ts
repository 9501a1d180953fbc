import * as ShellCommand from "../shell/ShellCommand.ts"
import { gateOfCheck } from "../gates/GateTable.ts"
import { lazy } from "../../ground/text/Lazy.ts"
import * as rows from "./instructionRows.ts"
import { matchesAny } from "../../ground/text/Text.ts"
import type { InstructedGate } from "./model.ts"
import type { Scripts } from "../shell/model.ts"

const maxLines = 4_000
const maxLine = 2_000

type Gates = ReadonlyArray<InstructedGate>

const gateOf: Partial<Record<ShellCommand.CommandClass, InstructedGate>> = gateOfCheck

const gatesOf = (command: string, scripts?: Scripts): Gates =>
  ShellCommand.analyze(command.slice(0, 300), scripts).commands.flatMap((one) =>
    one.dryRun ? [] : one.classes.flatMap((name) => gateOf[name] ?? [])
  )

/** A name of one check asks for that one, whatever its script does besides; any other name for what its script does. */
const ofCommand = (command: string, scripts: Scripts): Gates => {
  const byName = gatesOf(command)
  const byScript = gatesOf(command, scripts)
  return byScript.length === 0 || (byName.length === 1 && byName.every((gate) => byScript.includes(gate)))
    ? byName
    : byScript
}

const isRefused = (text: string): boolean => matchesAny(rows.denials, text) || matchesAny(rows.refusals, text)

/** Each check in each wording. */
const worded = lazy((): ReadonlyArray<rows.GateRow> =>
  rows.checks.flatMap(([gate, noun]) =>
    (gate === "ci" ? rows.holding : [rows.running, ...rows.holding]).map((source) => ({
      gate,
      pattern: new RegExp(source(noun), "i")
    }))
  )
)

const ofWords = (text: string): Gates =>
  worded()
    .concat(rows.named)
    .flatMap(({ gate, pattern }) => (pattern.test(text) ? [gate] : []))

/** "Bin/lint must be clean", "run cargo test": a command without the marks of code. */
const plainCommands = (text: string): ReadonlyArray<string> =>
  text.split(/[,:;] | (?:and|then|before|after|once|when) /).flatMap((clause) => {
    const words =
      /^(?:(?:always|please|then|also|must) ){0,2}(?:run|execute) (.{2,100})|^(.{2,100}?) (?:must|has to|have to)\b/.exec(
        clause.trim()
      )
    const command = words?.[1] ?? words?.[2] ?? ""
    return notCommand.test(command) ? [] : [command]
  })

/** What reads as English: "make sure", "just the tests", "go through". */
const notCommand =
  /^$|^(?:make sure|test|tests|build|check|just|all|the|a|every|go (?!test|vet|build))\b|[^\x20-\x7e]|(?: \S+){7}/

/** What a heading says of its section, and the head of a list or of a block of what stands below it. */
type Frame = "demanded" | "refused" | null

const frameOf = (head: string, isHeading: boolean): Frame => {
  if (isRefused(head)) return "refused"
  if (matchesAny(rows.moments, head) || matchesAny(rows.frames, head)) return "demanded"
  return !isHeading && matchesAny(rows.duties, head) && matchesAny(rows.acts, head) ? "demanded" : null
}

const afterHinge = (sentence: string): string | null => {
  for (const pattern of rows.hinges) {
    const match = pattern.exec(sentence)
    if (match !== null) return sentence.slice(match.index + match[0].length)
  }
  return null
}

/** The part of a sentence that is demanded, without what says when, if any is. */
const demandedIn = (sentence: string, frame: Frame): string | null => {
  const behind = afterHinge(sentence)
  if (behind !== null) return behind
  if (frame === "refused" || isRefused(sentence)) return null
  const text = rows.asides.reduce((rest, aside) => rest.replace(aside, " "), sentence)
  const atMoment = frame === "demanded" || matchesAny(rows.moments, text)
  if (!atMoment && (!matchesAny(rows.duties, text) || matchesAny(rows.manners, text))) return null
  return rows.moments.reduce((rest, moment) => rest.replace(moment, " "), text)
}

/** A line of prose, its code spans set aside. */
interface Line {
  readonly words: string
  readonly spans: ReadonlyArray<string>
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/\*\*|__/g, "")
    .trim()

const lineOf = (text: string): Line => {
  const spans: Array<string> = []
  const words = text.replace(/`([^`]{1,200})`/g, (_, code: string) => `\`${spans.push(code) - 1}\``)
  return {
    words: plain(words).replace(/\b(?:do not|don't) forget\b/g, "remember"),
    spans
  }
}

const codesIn = (text: string, spans: Line["spans"]): ReadonlyArray<string> =>
  [...text.matchAll(/`(\d{1,3})`/g)].map((match) => spans[Number(match[1])] ?? "")

/** What a sentence in another language demands: its commands, or else the tests. */
const ofForeign = (sentence: string, spans: Line["spans"], scripts: Scripts): Gates => {
  const isDemand = rows.languages.some(
    ({ act, demand, refusal }) => demand.test(sentence) && act.test(sentence) && !refusal.test(sentence)
  )
  if (!isDemand) return []
  const codes = codesIn(sentence, spans).flatMap((code) => ofCommand(code, scripts))
  return codes.length > 0 ? codes : rows.foreignTests.test(sentence) ? ["tests"] : []
}

const ofSentence = (sentence: string, spans: Line["spans"], frame: Frame, isItem: boolean, scripts: Scripts): Gates => {
  const text = demandedIn(sentence, frame)
  if (text === null) return ofForeign(sentence, spans, scripts)
  const isRun = (isItem && frame === "demanded") || afterHinge(sentence) !== null || matchesAny(rows.acts, sentence)
  const codes = [...(isRun ? codesIn(text, spans) : []), ...plainCommands(text)]
  return [...ofWords(text), ...codes.flatMap((code) => ofCommand(code, scripts))]
}

const ofLine = (text: string, frame: Frame, isItem: boolean, scripts: Scripts): Gates => {
  const { spans, words } = lineOf(text)
  const whole = plain(text.replaceAll("`", ""))
    .split(/[.!?](?:\s|$)/)
    .filter((sentence) => !matchesAny(rows.refusals, sentence))
  return [
    ...rows.policies.flatMap(({ gate, pattern }) => (whole.some((one) => pattern.test(one)) ? [gate] : [])),
    ...words
      .split(/[.;!?](?:\s|$)|[。；！？]/)
      .flatMap((sentence) => ofSentence(sentence.trim(), spans, frame, isItem, scripts))
  ]
}

interface Block {
  readonly kind: "heading" | "item" | "row" | "prose" | "code"
  readonly text: string
  readonly indent: number
}

const opener = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s{1,4}(?:\[[ x]\]\s)?/i

/** Headings, items, rows of tables, lines of code, and paragraphs with their lines joined; comments are left out. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let fenced = false
  let hidden = false
  let joins = false
  for (const full of text.split("\n", maxLines)) {
    const line = full.slice(0, maxLine).replace(/^[\s>]{0,20}>\s?/, "")
    const last = blocks.at(-1)
    const indent = line.length - line.trimStart().length
    hidden = hidden || (!fenced && line.trimStart().startsWith("<!--"))
    const skipped = hidden
    if (line.includes("-->")) hidden = false
    if (skipped) continue
    if (/^\s{0,12}(?:```|~~~)/.test(line)) {
      fenced = !fenced
      joins = false
      if (!fenced) blocks.push({ kind: "code", text: "", indent })
    } else if (fenced) blocks.push({ kind: "code", text: line.replace(/^\s{0,8}\$\s/, ""), indent })
    else if (line.trim() === "") joins = false
    else if (/^\s{0,3}#{1,6}\s/.test(line))
      blocks.push({ kind: "heading", text: line.replace(/^[\s#]{1,10}/, ""), indent })
    else if (joins && last !== undefined && /^\s{0,3}(?:-{3,}|={3,})\s*$/.test(line)) {
      blocks[blocks.length - 1] = { ...last, kind: "heading" }
      joins = false
    } else if (/^\s{0,3}\|/.test(line)) blocks.push({ kind: "row", text: line, indent })
    else if (opener.test(line)) {
      blocks.push({ kind: "item", text: line.replace(opener, ""), indent })
      joins = true
    } else if (joins && last !== undefined && last.text.length < maxLine)
      blocks[blocks.length - 1] = { ...last, text: `${last.text} ${line.trim()}` }
    else {
      blocks.push({ kind: "prose", text: line, indent })
      joins = true
    }
  }
  return blocks
}

/** Whether instructions forbid to push straight to the default branch. */
export const protectsDefault = (text: string): boolean => rows.protecting.test(text.replaceAll("`", ""))

/** Gates that instructions demand in so many words; anything less plain is left out. */
export const instructedGates = (text: string, scripts: Scripts): Gates => {
  const found = new Set<InstructedGate>()
  let section: Frame = null
  let list: { readonly frame: Frame; readonly indent: number } | null = null
  let before: Block["kind"] = "heading"
  for (const block of blocksOf(text)) {
    const { indent, kind, text: own } = block
    const head = lineOf(own).words
    if (kind === "heading") section = frameOf(head, true)
    const isOutside = kind === "prose" ? indent === 0 : kind === "item" && indent <= (list?.indent ?? -1)
    if (kind === "heading" || isOutside) list = null
    const frame: Frame = list?.frame ?? section
    if (kind === "code") {
      if (frame === "demanded" && own !== "") for (const gate of ofCommand(own, scripts)) found.add(gate)
      if (own === "" && indent === 0) list = null
    } else if (kind !== "heading") {
      for (const gate of ofLine(own, frame, kind === "item" || kind === "row", scripts)) found.add(gate)
      const opens = head.endsWith(":") || (kind === "row" && before !== "row")
      const opened = opens ? frameOf(head, false) : null
      if (opened !== null) list = { frame: opened, indent: kind === "item" ? indent : -1 }
    }
    before = kind
  }
  return [...found]
}
