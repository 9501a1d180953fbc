/** Finds the gates that a project's instructions demand with a command. A model judges the rest of the text. */
import { gateOfCheck, type CheckGate } from "../vocabulary/GateTable.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { Scripts } from "../shell/model.ts"

export type InstructedGate = CheckGate | "pr"

type Gates = ReadonlyArray<InstructedGate>

const gateOf: Partial<Record<ShellCommand.CommandClass, InstructedGate>> = gateOfCheck

const gatesOf = (command: string, scripts?: Scripts): Gates =>
  ShellCommand.analyze(command.slice(0, 300), scripts).commands.flatMap((one) =>
    one.dryRun ? [] : one.classes.flatMap((name) => gateOf[name] ?? [])
  )

/** If the command's name means one check, only that check counts. Otherwise, everything that the script does counts. */
const ofCommand = (command: string, scripts: Scripts): Gates => {
  const byName = gatesOf(command)
  const byScript = gatesOf(command, scripts)
  return byScript.length === 0 || (byName.length === 1 && byName.every((gate) => byScript.includes(gate)))
    ? byName
    : byScript
}

/** Demands that apply to every task: at the end of the work, or without exceptions. */
const demands: ReadonlyArray<RegExp> = [
  /\b(?:before|prior to) (?:[\w']+ ){0,4}?(?:commit|push|finish|complet|submit|merg|report|claim)\w*/i,
  /\b(?:before|prior to) (?:[\w']+ ){0,4}?(?:(?:a |every |the )?pr|(?:pull|merge) request|done|moving on)\b/i,
  /\bafter (?:[\w']+ ){0,4}?(?:changes?|edits?|editing|changing)\b(?! (?:to|in|of|on) (?!(?:the )?code))/i,
  /\b(?:when|once) (?:you|your|the|all|everything)(?: [\w']+){0,3}? (?:done|finished|finish|completed?)\b/i,
  /\b(?:must|ha(?:s|ve) to|needs? to) (?:always )?(?:be )?(?:run|pass|succeed|green|clean)\b/i,
  /\balways (?:run|execute)\b(?![^`]{0,60}\b(?:with|using|via|from) )|\bis (?:required|mandatory)\b(?! (?:to|for|by|in)\b)/i,
  /\b(?:definition of done|quality gates?|(?:required|mandatory) (?:checks?|commands)|checklist)\b/i
]

/** "Not done until" is a demand, although it contains a negation. */
const hinge =
  /\b(?:not|never|nothing|no|\w+n't)\b.{0,60}\b(?:done|over|finished|complete|commit|push|merge)\b.{0,60}\b(?:until|without)\b/i

/** Text that is no demand: it forbids a command, leaves it optional, names a special case, or lets others run it. */
const refusals: ReadonlyArray<RegExp> = [
  /\b(?:(?:do|should|must|need) not|(?:do|should|need)n't|never (?=run|do|execute)|no need|optional(?:ly)?|skip|instead of)\b/i,
  /^(?:and |but |also )?if\b|\b(?:if (?:you|your|the|an?|any|needed|necessary|possible)|only (?:if|when|for)|unless you|in case)\b/i,
  /\b(?:when|whenever|while) (?:you )?(?:add|chang|modif|edit|touch|updat|work|creat|writ)\w*(?! (?:any |the )?(?:code|anything|source|files?)\b)/i,
  /^(?:for|in|on) (?!every|each|all|any)[^,]{1,40},|\bwhen the (?!work|task|change)/i,
  /\b(?:ci|hooks?|husky|pipelines?|workflows?|actions?|bots?|maintainers?|reviewers?|i) (?:(?:will|also|then|always) )?(?:runs?|executes?|checks?)\b/i,
  /\b(?:automatically|for you|in ci|on ci|by (?:husky|ci|an? hook)|you (?:can|may|could)|feel free|might|example|used to|recommended|ideally|usually)\b/i
]

const isRefused = (text: string): boolean => refusals.some((pattern) => pattern.test(text))

/** A heading, or a line that ends in a colon, applies to the lines below. */
type Frame = "demanded" | "refused" | null

const frameOf = (text: string): Frame =>
  hinge.test(text)
    ? "demanded"
    : isRefused(text) || /^(?:never|don't|do not)$/i.test(text)
      ? "refused"
      : demands.some((pattern) => pattern.test(text))
        ? "demanded"
        : null

const pullRequest: ReadonlyArray<RegExp> = [
  /\b(?:all|every|everything|only|any)\b.{0,60}\b(?:through|via|by) (?:\w+ ){0,2}(?:prs?|(?:pull|merge) requests?)\b(?! \w+s\b)/i,
  /\b(?:prs?|(?:pull|merge) requests?) only\b|\balways (?:[\w' ]{0,60} )?(?:open|create|submit) an? (?:pr|(?:pull|merge) request)\b/i
]

const insteadOfMain =
  /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit).{0,30}\b(?:main|master|trunk|default branch)\b.{0,30}\b(?:prs?|(?:pull|merge) requests?)\b/i

const protecting =
  /(?:\b(?:never|not|no)|n't)\b.{0,20}\b(?:push|commit)\w*\b.{0,30}\b(?:to|on|onto) (?:the )?(?:main|master|trunk|default branch)\b/i

export const protectsDefault = (text: string): boolean => protecting.test(text.replaceAll("`", ""))

interface Block {
  readonly kind: "code" | "heading" | "text"
  readonly text: string
}

/** Lines of a paragraph are joined. HTML comments are left out. */
const blocksOf = (text: string): ReadonlyArray<Block> => {
  const shown = text.split("<!--").map((part, index) => (index === 0 ? part : (part.split("-->", 2)[1] ?? "")))
  const fences = shown.join("").split(/^[ \t>]{0,12}(?:```|~~~).*$/m)
  return fences.flatMap((part, index): ReadonlyArray<Block> => {
    if (index % 2 === 1)
      return part.split("\n").map((line) => ({ kind: "code", text: line.replace(/^\s{0,8}\$\s/, "") }))
    return part
      .replaceAll(/^[ \t]{0,3}> ?/gm, "")
      .replaceAll(/^[ \t]{0,20}(?:[-*+]|\d{1,3}[.)]|\|)[ \t]/gm, "\n$&")
      .replaceAll(/^ {0,3}#.*/gm, "\n$&\n")
      .split(/\n[ \t]*\n/)
      .filter((block) => block.trim() !== "")
      .map((block) => ({
        kind: /^\s{0,3}#|\n(?:-{3,}|={3,})\s*$/.test(block) ? "heading" : "text",
        text: block.trim().replaceAll(/\s+/g, " ").replaceAll("**", "")
      }))
  })
}

export const instructedGates = (full: string, scripts: Scripts): Gates => {
  const found = new Set<InstructedGate>()
  let section: Frame = null
  let list: Frame = null
  for (const { kind, text } of blocksOf(full.slice(0, 100_000))) {
    // Code spans are replaced first, because their dots do not end a sentence.
    const codes: Array<string> = []
    const words = text.replaceAll(/`([^`]{1,200})`/g, (_, code: string) => `\`${codes.push(code) - 1}\``)
    const add = (command: string): void => {
      for (const gate of ofCommand(command, scripts)) found.add(gate)
    }
    if (kind === "heading") [section, list] = [frameOf(words.replace(/^[# ]+/, "")), null]
    else if (kind === "code") {
      if ((list ?? section) === "demanded") add(text)
    } else {
      const plain = text.replaceAll("`", "")
      if (insteadOfMain.test(plain) || (!isRefused(plain) && pullRequest.some((one) => one.test(plain))))
        found.add("pr")
      if (!/^[-*+\d]/.test(words)) list = null
      const outer = list ?? section
      for (const sentence of words.split(/[.;!?](?:\s|$)/)) {
        if (outer === "refused" || (frameOf(sentence) ?? outer) !== "demanded") continue
        const wanted = sentence.replaceAll(/\b(?:before|after) (?:you )?(?:run(?:ning)? )?`\d+`/g, " ")
        for (const match of wanted.matchAll(/`(\d{1,3})`/g)) add(codes[Number(match[1])] ?? "")
      }
      if (words.endsWith(":")) list = frameOf(words)
    }
  }
  return [...found]
}
