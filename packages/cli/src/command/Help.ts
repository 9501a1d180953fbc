/** Formats the help of commands for a terminal. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import type * as HelpDoc from "@effect/cli/HelpDoc"
import type * as Span from "@effect/cli/HelpDoc/Span"
import { pad, wrap } from "../terminal/Layout.ts"
import { paint, type TerminalStyle } from "../terminal/TerminalStyle.ts"

type Rows = ReadonlyArray<readonly [term: string, text: string]>

/** Formats terms and their meanings, in two columns if there is room. */
const terms = (style: TerminalStyle, rows: Rows): ReadonlyArray<string> => {
  // A longer term gets its own line.
  const column = Math.max(0, ...rows.map(([term]) => term.length).filter((length) => length <= 30)) + 2
  const room = style.width - column - 2
  return rows.flatMap(([term, text]) => {
    const head = paint(style, ["cyan"], pad(term, column))
    if (room < 24 || term.length > column - 2)
      return [
        ...wrap(term, style.width - 2).map((line) => `  ${paint(style, ["cyan"], line)}`),
        ...wrap(text, style.width - 6).map((line) => `      ${line}`)
      ]
    return wrap(text, room).map((line, index) => `  ${index === 0 ? head : " ".repeat(column)}${line}`)
  })
}

const textOfSpan = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return textOfSpan(span.left) + textOfSpan(span.right)
    default:
      return textOfSpan(span.value)
  }
}

/** The library's standard text for every option and argument. */
const implied =
  /^(?:A user-defined piece of text\.|A true or false value\.|This (?:setting is optional|argument may be repeated zero or more times|argument is optional)\.)$/u

/** Returns a document in one line, without the library's standard texts. */
export const textOf = (doc: HelpDoc.HelpDoc): string => {
  if (doc._tag === "Sequence") return [doc.left, doc.right].map(textOf).filter(Boolean).join(" ")
  const text = doc._tag === "Paragraph" || doc._tag === "Header" ? textOfSpan(doc.value) : ""
  return implied.test(text) ? "" : text
}

/** Returns the parts of a document in order. */
const partsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  doc._tag === "Sequence" ? [...partsOf(doc.left), ...partsOf(doc.right)] : doc._tag === "Empty" ? [] : [doc]

/** Returns the names of the options that a help describes. */
export const optionsIn = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  partsOf(doc).flatMap((part) =>
    part._tag === "DescriptionList"
      ? part.definitions.flatMap(([term]) => textOfSpan(term).match(/--[a-z-]+/gu) ?? [])
      : []
  )

const title = (style: TerminalStyle, text: string): string => paint(style, ["bold"], text)

/** Formats the usage line. Lines do not break inside brackets. */
const calls = (style: TerminalStyle, usage: string): ReadonlyArray<string> => {
  const whole = usage.replaceAll(/\[[^\]]*\]/gu, (group) => group.replaceAll(" ", "\u00a0"))
  return wrap(whole, style.width - 6).map(
    (line, index) => `${index === 0 ? "  " : "      "}${line.replaceAll("\u00a0", " ")}`
  )
}

/** Rows that follow each other without a heading form one table. */
const sections = (style: TerminalStyle, parts: ReadonlyArray<HelpDoc.HelpDoc>): ReadonlyArray<string> => {
  const found: Array<{ heading: string | null; text: string; rows: Array<readonly [string, string]> }> = []
  for (const part of parts) {
    if (part._tag === "Header") found.push({ heading: textOf(part), text: "", rows: [] })
    else if (part._tag === "Paragraph") found.push({ heading: null, text: textOf(part), rows: [] })
    else if (part._tag === "DescriptionList")
      found.at(-1)?.rows.push(...part.definitions.map(([term, doc]) => [textOfSpan(term), textOf(doc)] as const))
  }
  return found.flatMap(({ heading, rows, text }) => {
    const shown = rows.filter(([, said]) => said !== "")
    if (heading === "DESCRIPTION" || (heading === "ARGUMENTS" && shown.length === 0)) return []
    const lines = [
      ...(heading === null ? [] : [title(style, heading === "OPTIONS" ? "Options" : heading)]),
      ...(text === "" ? [] : wrap(text, style.width)),
      ...(shown.length === 0 ? [] : terms(style, shown))
    ]
    return lines.length === 0 ? [] : [lines.join("\n")]
  })
}

/** Returns a command's help: what it does, how it is called, and its options. */
export const render = (
  style: TerminalStyle,
  { help, usage }: { readonly help: HelpDoc.HelpDoc; readonly usage: string }
): string => {
  const [summary = "", ...others] = sections(style, partsOf(help))
  const isOptions = (section: string): boolean => section.startsWith(title(style, "Options"))
  const more = [...others.filter(isOptions), ...others.filter((section) => !isOptions(section))]
  return [summary, [title(style, "Usage"), ...calls(style, usage)].join("\n"), ...more].join("\n\n")
}

/** Groups of commands. Each group has a title, and each command has a sentence. */
export type Groups = ReadonlyArray<readonly [title: string, rows: Rows]>

/** The purpose of the program or a command, and how it is called. */
export interface About {
  readonly summary: string
  readonly usage: string
}

/**
 * Returns the help of the program, or of a command with verbs. `about` may also be a help that is already formatted.
 */
export const overview = (style: TerminalStyle, about: About | string, groups: Groups): string =>
  [
    ...(typeof about === "string"
      ? [about]
      : [
          wrap(about.summary, style.width).join("\n"),
          [title(style, "Usage"), ...calls(style, about.usage)].join("\n")
        ]),
    ...groups.map(([name, rows]) => [title(style, name), ...terms(style, rows)].join("\n"))
  ].join("\n\n")

/** Returns a hint with the candidate that a misspelled word most likely means. Empty if no candidate is close. */
export const hint = (word: string, candidates: ReadonlyArray<string>): string => {
  const steps = (candidate: string): number =>
    AutoCorrect.levensteinDistance(word.slice(0, 40), candidate, CliConfig.defaultConfig)
  const begun = word.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(word))
  const near = candidates.filter((candidate) => steps(candidate) <= Math.max(1, Math.floor(candidate.length / 2.5)))
  const [best] = begun.length === 1 ? begun : near.toSorted((one, other) => steps(one) - steps(other))
  return best === undefined ? "" : `; did you mean ${best}?`
}
