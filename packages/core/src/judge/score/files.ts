/** Whether the right files were edited: the task's own words are all there is to go by. */
import type { Edit } from "../../session/evidence/Evidence.ts"
import { hasKnownEnding } from "../../ground/system/Paths.ts"
import type { Finding } from "./model.ts"
import { spoken } from "../../ground/text/Sentences.ts"

const pathLike = /(?:[\w@.-]{1,80}\/){0,12}[\w@-][\w@.-]{0,80}\.\w{1,10}\b/g

/** Files that a sentence names; an address is none. */
const filesIn = (sentence: string): ReadonlyArray<string> => {
  const named = sentence
    .slice(0, 1000)
    .replaceAll(/\bhttps?:\/\/\S{1,400}/g, " ")
    .match(pathLike)
  return [...new Set((named ?? []).map((path) => path.replace(/^\.\//, "")))].filter(
    (path) => hasKnownEnding(path) && /[a-z]/i.test(path)
  )
}

const isAt = ({ path }: Edit, named: string): boolean => path === named || path.endsWith(`/${named}`)

const forbids =
  /(?:\b(?:don?t|never|without|not(?: to)?|no need to)|n't)\s(?:\w{1,12}\s){0,2}(?:touch|chang|edit|modif|alter|rewrit|delet|renam|mov)\w{0,4}\b(.{0,300})/i

const leaves = /\bleave\b(.{0,200}?)\b(?:alone|as (?:it|they) (?:is|are)|untouched|unchanged)\b/i

const only = /\bonly\s(?:touch|change|edit|modify)\b(.{0,200})|\b(?:touch|change|edit|modify)\sonly\b(.{0,200})/i

/** Folders that a clause names. */
const foldersIn = (clause: string): ReadonlyArray<string> =>
  (clause.match(/(?:[\w@.-]{1,80}\/){1,12}(?![\w@-]|\.\w)/g) ?? []).map((path) => path.replace(/^\.\//, ""))

const isIn = ({ path }: Edit, folder: string): boolean => path.startsWith(folder) || path.includes(`/${folder}`)

/** "Don't change anything": with "else" or a place behind it, it says something else. */
const anything =
  /^\s(?:anything|any (?:code|files?|of it|of the code)|the code|code|files?)\b(?!\s(?:else|other|that|which|in|inside|under|outside|of|from|unless|except|beyond|besides|related|yet to|you))/i

const theTests = /^(?:\s(?:the|any|of|existing|our)){0,4}\s(?:tests?(?: files?)?|specs?)\b(?!\w|\.\w|\/)/i

const ends =
  /[;!]|\.\s|,\s(?:but|and (?:only|instead)|instead|only|just|please|edit|change|use|put|add|write|fix|modify|do)\b|\bbut\b|\bunless\b|\bexcept\b/i

/** "Don't touch a.ts, edit b.ts instead" forbids the first alone. */
const clause = (rest: string): string => rest.split(ends)[0] ?? ""

interface Rule {
  readonly kept: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  readonly nothing: boolean
  readonly tests: boolean
  readonly only: ReadonlyArray<string>
}

const ruleOf = (sentence: string): Rule => {
  const off = forbids.exec(sentence) ?? leaves.exec(sentence)
  const rest = clause(off?.[1] ?? "")
  const allowed = only.exec(sentence)
  return {
    kept: filesIn(rest),
    folders: off === null ? [] : foldersIn(rest),
    nothing: off !== null && anything.test(rest),
    tests: off !== null && theTests.test(rest),
    only: off === null ? filesIn(clause(allowed?.[1] ?? allowed?.[2] ?? "")) : []
  }
}

const rules = (sentences: ReadonlyArray<string>): Rule => {
  const all = sentences.map(ruleOf)
  return {
    kept: all.flatMap(({ kept }) => kept),
    folders: all.flatMap(({ folders }) => folders),
    nothing: all.some(({ nothing }) => nothing),
    tests: all.some(({ tests }) => tests),
    only: all.flatMap(({ only }) => only)
  }
}

const puts =
  /\b(?:add|put|write|create|implement|place|append|insert|document|define|export)\b[^.;]{0,300}\s(?:in|to|into|inside|at|as)\s{1,2}[`"']?$/i

/** Files that something is to be put into; where a mistake is mended the user can only guess. */
const placesIn = (sentence: string): ReadonlyArray<string> =>
  filesIn(sentence).filter((path) => puts.test(sentence.slice(0, sentence.indexOf(path))))

const proof = ({ callId, path }: Edit): string => (callId === null ? path : `${path} (${callId})`)

const listOf = (edits: ReadonlyArray<Edit>): string =>
  `${edits.slice(0, 4).map(proof).join(", ")}${edits.length > 4 ? ` and ${edits.length - 4} more` : ""}`

const finding = (most: (typeof Finding.Type)["most"], text: string): typeof Finding.Type => ({
  aspect: "files",
  most,
  text
})

const breaches = (
  edits: ReadonlyArray<Edit>,
  { folders, kept, nothing, only, tests }: Rule
): ReadonlyArray<typeof Finding.Type> => {
  const off = edits.filter(
    (edit) =>
      nothing ||
      kept.some((path) => isAt(edit, path)) ||
      folders.some((folder) => isIn(edit, folder)) ||
      (tests && edit.kind === "test")
  )
  const code = edits.filter(({ kind }) => kind === "source" || kind === "test" || kind === "conflict")
  const beyond = only.length === 0 ? [] : code.filter((edit) => !only.some((path) => isAt(edit, path)))
  return [
    ...(off.length === 0 ? [] : [finding(2, `edited ${listOf(off)}, which the user had told it to leave alone`)]),
    ...(beyond.length === 0
      ? []
      : [finding(3, `edited ${listOf(beyond)}, where the user had allowed ${only.slice(0, 4).join(", ")} only`)])
  ]
}

const unknownEdits = (edits: ReadonlyArray<Edit>): boolean => edits.some(({ path }) => path === "*")

interface Given {
  readonly task: string
  readonly edits: ReadonlyArray<Edit>
  /** Whether edits were made that are not on record. */
  readonly hidden: boolean
  /** Whether calls of another agent may be in the record: a subagent's can begin with those of the one that sent it. */
  readonly shared: boolean
}

/** Words of a person's own: a plan or a log names files for many reasons. */
const short = 600

/** The one place that the user named, where nothing was put into it. */
const misplaced = ({ edits, hidden }: Given, sentences: ReadonlyArray<string>): string | null => {
  const [wanted, ...others] = new Set(sentences.flatMap(filesIn))
  if (hidden || wanted === undefined || others.length > 0 || unknownEdits(edits)) return null
  return sentences.flatMap(placesIn).length > 0 && !edits.some((edit) => isAt(edit, wanted)) ? wanted : null
}

/** A folder that is made or removed is no file, and what lies outside the project is no part of the task. */
const isFile = ({ kind, path }: Edit): boolean =>
  kind !== "outside" && path !== "*" && (kind !== "config" || /[^/]\.[^/]{1,20}$|file$/i.test(path))

/** What the edits say of the files that the user named. */
export const filesFindings = (given: Given): ReadonlyArray<typeof Finding.Type> => {
  const edits = [...new Map(given.edits.map((edit) => [edit.path, edit])).values()].filter(isFile)
  if (edits.length === 0) return []
  const sentences = spoken(given.task)
  const rule = rules(sentences)
  const breached = breaches(edits, rule)
  if (breached.length > 0)
    return given.shared
      ? breached.map(({ text }) => finding(null, `cannot tell whether it was this agent: ${text}`))
      : breached
  const elsewhere = given.task.length > short ? null : misplaced({ ...given, edits }, sentences)
  if (elsewhere !== null) return [finding(4, `edited ${listOf(edits)}, and not ${elsewhere}, where the user wanted it`)]
  const named = sentences.flatMap(filesIn).filter((path) => !rule.kept.includes(path))
  const right = edits.filter((edit) => named.some((path) => isAt(edit, path)))
  if (right.length > 0)
    return [finding(5, `edited ${listOf(right)}, as the user named ${right.length === 1 ? "it" : "them"}`)]
  const why = named.length === 0 ? "the task names none" : `the task names ${named.slice(0, 3).join(", ")}`
  return [finding(null, `cannot tell whether these were the right files: ${listOf(edits)}; ${why}`)]
}
