/** A reflection without a model: what the output of a failed attempt says, as a lesson for the next. */
import type { FailureContext, FailureType } from "./FailureContext.ts"
import * as FailureOutput from "../../session/output/FailureOutput.ts"
import type { CauseKind } from "../../session/output/failures/FailureSigns.ts"
import { ofText } from "../../ground/system/KeyHash.ts"
import { redactedEnds, redactedHead } from "../../ground/redaction/RedactedHead.ts"
import * as Advice from "./reflectionAdvice.ts"
import { limits } from "./Reflection.ts"
import { reflectionOf } from "./RuleReflection.ts"
import { clip } from "../../ground/text/Text.ts"
import { redact } from "../../ground/redaction/Redaction.ts"
import * as RetryPrompt from "./RetryPrompt.ts"
import type * as Reflection from "./Reflection.ts"
import type { Lesson } from "./model.ts"

export type { Lesson } from "./model.ts"

type Tell = (failure: FailureContext, output: FailureOutput.FailureOutput) => Advice.Lesson | null

const tests: Tell = Advice.ofTests
const files: Tell = Advice.ofFiles
const mute: Tell = Advice.ofMute
const compile: Tell = (failure, { compile: run }) => Advice.ofCompile(failure, run)
const lint: Tell = (_, { lint: run }) => Advice.ofLint(run)
const warned: Tell = (_, { findings: failing }) => Advice.ofLint({ runner: null, failing })

const cause =
  (...kinds: ReadonlyArray<CauseKind>): Tell =>
  (failure, { causes }) =>
    Advice.ofCause(
      failure,
      causes.find(({ kind }) => kinds.includes(kind))
    )

/** Where none of these is there, nothing of the project ran, and what failed says nothing of the work. */
const surroundings = cause("missing_command", "missing_script", "memory", "disk", "port", "permission")
const loading = cause("syntax", "missing_module")
const thrown = cause("exception", "assertion", "missing_file")
const waiting = cause("timeout", "connection")
/** A program that dies says why at the end; what it only logged stands before. */
const last: Tell = (failure, { causes }) => Advice.ofCause(failure, causes.at(-1))

/** What is asked first for each type of failure: its own subject, then what keeps it from being reached. */
const order: Readonly<Record<FailureType, ReadonlyArray<Tell>>> = {
  test_failure: [tests, loading, compile, waiting, surroundings, files, thrown, mute, lint, warned],
  typecheck_failure: [compile, loading, surroundings, lint, tests, files, thrown, warned, mute, waiting],
  build_failure: [loading, compile, surroundings, waiting, lint, tests, files, thrown, warned, mute],
  runtime_error: [last, compile, tests, files, mute, lint, warned],
  timeout: [waiting, surroundings, tests, thrown, loading, compile, files, mute, lint, warned],
  verification_failed: [tests, compile, lint, loading, files, thrown, waiting, surroundings, warned, mute]
}

/** Where nothing is known of the cause, nothing is known to be the same. */
const isSame = (sign: string, { tags }: Reflection.Reflection): boolean => sign !== "" && tags.includes(sign)

/** What was tried on the same cause before did not mend it. */
const again = (lesson: Advice.Lesson, before: ReadonlyArray<Reflection.Reflection>): Advice.Lesson => ({
  ...lesson,
  category: "approach_flaw",
  analysis: `${lesson.analysis} It failed the same way after attempt ${Math.max(...before.map(({ attemptNumber }) => attemptNumber))}: what was changed since did not touch the cause.`,
  suggestion: `Take another way than before. ${lesson.suggestion}`,
  items: ["Say in one sentence why the last change could not help.", ...lesson.items]
})

const maxPart = 65_536

const heads = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.map((text) => redactedHead(text, 1000))

/** Its secrets taken out before anything is cut, for half of one is not known again. */
const safe = ({ errorOutput, ...failure }: FailureContext): FailureContext => {
  const { head, tail } = redactedEnds(errorOutput, maxPart)
  const ends = tail === "" ? head : `${head}\n${tail}`
  const { missing, nextActions } = failure
  return {
    ...failure,
    errorOutput: ends,
    filesModified: heads(failure.filesModified),
    ...(missing !== undefined && { missing: heads(missing) }),
    ...(nextActions !== undefined && { nextActions: heads(nextActions) })
  }
}

const maxSign = 160

const madeUp =
  /(\/tmp|\/var\/(?:tmp|folders)|\\Temp)([\\/][^\s'"]{1,300})| at 0x[\da-f]{6,16}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** A temporary folder, an address in memory and a random id are others in each attempt. */
const lasting = (text: string): string =>
  text.replace(madeUp, (_, folder = "", rest = "#") => {
    const [, , ...parts]: ReadonlyArray<string> = rest.split(/[\\/]/)
    const file = parts.pop() ?? ""
    return [folder, "#", ...parts.map((part) => (/\d|^tmp/.test(part) ? "#" : part)), file].join("/")
  })

/** One that is too long is told from others by what is left out as well. */
const signOf = (text: string): string => {
  const whole = lasting(redact(text.trim()))
  return whole.length <= maxSign ? whole : `${clip(whole, maxSign - 8)} ${ofText(whole).toString(36)}`
}

const clipped = (text: string, limit: number): string => clip(redact(text), limit)

const newest = (reflections: ReadonlyArray<Reflection.Reflection>): Reflection.Reflection | undefined =>
  reflections.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)).at(-1)

/** Whether the last word on a failure of this cause was that it is over. */
const isBack = (sign: string, previous: ReadonlyArray<Reflection.Reflection>): boolean => {
  const last = newest(previous.filter((one) => isSame(sign, one)))
  return last !== undefined && RetryPrompt.isResolved(last)
}

/**
 * The same lesson, worded as of a failure that came back where the user had resolved it.
 *
 * @category constructors
 */
export const reopenedAfter = (previous: ReadonlyArray<Reflection.Reflection>, lesson: Lesson): Lesson =>
  isBack(lesson.tags[1] ?? "", previous) ? RetryPrompt.reopen(lesson) : lesson

/**
 * `previous` are the reflections that the attempt was given: a cause that is met again asks for another approach, and one that
 * the user had resolved is said to be back. Secrets are taken out, lengths are within `Reflection.limits`.
 *
 * @category constructors
 */
export const reflect = (failure: FailureContext, previous: ReadonlyArray<Reflection.Reflection> = []): Lesson => {
  const known = safe(failure)
  const output = FailureOutput.read(known.errorOutput, known.failureType === "test_failure")
  const found = [Advice.ofMissing, ...order[known.failureType]]
    .map((tell) => tell(known, output))
    .find((lesson) => lesson !== null)
  const first = found ?? Advice.ofType(known, output)
  const sign = signOf(first.sign)
  const before = isBack(sign, previous)
    ? []
    : previous.filter((one) => isSame(sign, one) && !RetryPrompt.isResolved(one))
  const lesson = before.length === 0 ? first : again(first, before)
  const { item, items, text } = limits
  return reopenedAfter(previous, {
    category: lesson.category,
    analysis: clipped(lesson.analysis, text),
    suggestion: clipped(lesson.suggestion, text),
    actionItems: lesson.items.slice(0, items).map((one) => clipped(one, item)),
    confidence: lesson.confidence,
    source: "heuristic",
    model: null,
    tags: sign === "" ? [failure.failureType] : [failure.failureType, sign]
  })
}

/**
 * The same as the record that is kept of it. What was made of words that speak to their reader is marked, and goes into no
 * prompt.
 *
 * @category constructors
 */
export const make = (
  failure: FailureContext,
  {
    previous = [],
    ...record
  }: Pick<Reflection.Reflection, "createdAt" | "id"> & {
    readonly previous?: ReadonlyArray<Reflection.Reflection>
  }
): Reflection.Reflection => reflectionOf(failure, reflect(failure, previous), record)
