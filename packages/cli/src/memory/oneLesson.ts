/** The program behind `reflexion memory`: single lessons, shown, edited, resolved and deleted. */
import { limits, type Reflection } from "@reflexion/core/Reflection"
import type { Results } from "@reflexion/core/internal/memory/store/Queries"
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as LearnedFile from "@reflexion/hooks/memory/LearnedFile"
import * as LessonTrust from "@reflexion/hooks/memory/LessonTrust"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { MemoryError, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { escaped } from "../session/Report.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as MemoryReport from "./MemoryReport.ts"
import { type Memory, type Place, placeOf, refused, unreadable, within } from "./MemoryStore.ts"
import type { Given, Lesson } from "./model.ts"

const usage = (problem: string) => new UsageError({ command: "reflexion memory", problem })

const actions = ["show", "edit", "resolve", "rm"] as const

type Action = (typeof actions)[number]

const texts = ["analysis", "suggestion"] as const

type Work = Effect.Effect<void, MemoryError | ReflectionError | UsageError, CliProcess | ReflexionStore>

const optionsOf: Readonly<Record<Action, ReadonlyArray<string>>> = {
  show: ["format"],
  edit: texts,
  resolve: [],
  rm: []
}

const isAction = (word: string | undefined): word is Action => actions.some((action) => action === word)

/** An option that says nothing to what is done is a mistake. */
const fitting = (action: Action, { option }: Given) => {
  const other = Object.values(optionsOf)
    .flat()
    .find((name) => !optionsOf[action].includes(name) && option(name) !== null)
  return other === undefined ? Effect.void : Effect.fail(usage(`${action} takes no --${other}`))
}

/** Of a project's own memory it is known which failures are over: a file that was named is nobody's. */
const openIds = ({ given, path, root }: Place) =>
  given
    ? Effect.succeed(null)
    : Effect.try({
        try: () => {
          const learned = LearnedFile.read({ root, file: path }, Number.MAX_SAFE_INTEGER)
          return new Set(ReviewLesson.openIn(learned).map(({ id }) => id))
        },
        catch: (cause) => new MemoryError({ problem: explain(cause).problem })
      })

const statusOf = (reflection: Reflection, open: ReadonlySet<string> | null): Lesson["status"] => {
  if (RetryPrompt.isResolved(reflection)) return "resolved"
  if (open !== null && !open.has(reflection.id)) return "settled"
  return "open"
}

/** What stands in a project's memory and nobody here wrote or trusted; a file that was named is believed. */
const foreignIn = ({ given, root }: Place, reflections: ReadonlyArray<Reflection>) =>
  Effect.map(CliProcess, ({ env }): ReadonlySet<string> => {
    if (given) return new Set()
    const known = new Set(LessonTrust.known(UserDirectories.make(env), root, reflections))
    return new Set(reflections.flatMap((one) => (known.has(one) ? [] : [one.id])))
  })

const lessonOf = (
  reflection: Reflection,
  record: Results | undefined,
  { foreign, open }: { readonly foreign: ReadonlySet<string>; readonly open: ReadonlySet<string> | null }
): Lesson => ({
  reflection,
  status: statusOf(reflection, open),
  foreign: foreign.has(reflection.id),
  given: record?.injected ?? 0,
  succeeded: record?.succeeded ?? 0,
  failed: record?.failed ?? 0
})

const all = Effect.flatMap(ReflexionStore, ({ stream }) => Stream.runCollect(stream))

const print = (value: unknown): Effect.Effect<void> => Console.log(escaped(JSON.stringify(value, null, 2)))

const show = (given: Given, place: Place, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    const found = ids.length === 0 ? [...(yield* all)].toReversed() : yield* Effect.forEach(ids, store.get)
    const effectiveness = yield* store.effectiveness
    const known = { open: yield* openIds(place), foreign: yield* foreignIn(place, found) }
    const lessons = found.map((one) => lessonOf(one, effectiveness.get(one.id), known))
    if (given.option("format") === "json")
      return yield* print(lessons.map(({ reflection, ...more }) => ({ ...reflection, ...more })))
    const style = yield* Terminal.style
    const { env } = yield* CliProcess
    if (lessons.length === 0)
      return yield* Console.log(MemoryReport.empty(Terminal.tilde(env, place.path), yield* unreadable))
    yield* Console.log(
      ids.length === 0
        ? MemoryReport.lessons(style, lessons)
        : lessons.map((one) => MemoryReport.lesson(style, one)).join("\n\n")
    )
  })

/** Words of the user's are kept whole or not at all. */
const worded = ({ option }: Given) =>
  Effect.gen(function* () {
    const said = texts.flatMap((name) => {
      const text = option(name)?.trim() ?? null
      return text === null ? [] : [[name, text] as const]
    })
    if (said.length === 0) return yield* usage("edit needs --suggestion or --analysis, with what it is to say")
    for (const [name, text] of said) {
      if (text === "") return yield* usage(`--${name}: is empty; to take the lesson away: reflexion memory rm ID`)
      if (text.length > limits.text)
        return yield* usage(`--${name}: has ${text.length} characters, of which at most ${limits.text} are kept`)
    }
    const edit: Partial<Pick<Reflection, "analysis" | "suggestion">> = Object.fromEntries(said)
    return edit
  })

/** Edited, it is believed as the user's own: then nothing of it may be another's words. */
const mayEdit = Effect.fnUntraced(function* (
  place: Place,
  before: Reflection,
  words: Partial<Pick<Reflection, "analysis" | "suggestion">>
) {
  if (texts.every((name) => words[name] !== undefined)) return
  if ((yield* foreignIn(place, [before])).size === 0) return
  const id = oneLine(before.id)
  return yield* new MemoryError({
    problem: `${id} was not learned here, and an edited lesson is believed as your own: give both --suggestion and --analysis in your words, or read it (reflexion memory show ${id}) and trust the memory as it is (reflexion trust)`
  })
})

const edit = (given: Given, place: Place, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [id, ...more] = ids
    if (id === undefined || more.length > 0) return yield* usage(`edit needs the ID of one reflection`)
    const words = yield* worded(given)
    const store = yield* ReflexionStore
    const before = yield* store.get(id)
    yield* mayEdit(place, before, words)
    const own = words.suggestion === undefined ? {} : { actionItems: [] }
    const changed: Reflection = { ...before, ...words, ...own, source: "human", model: null }
    yield* store.append(changed)
    yield* Console.log(`${oneLine(id)} says now: ${oneLine((yield* store.get(id)).suggestion)}`)
    if (RetryPrompt.render([changed]) === "" && !RetryPrompt.isResolved(changed))
      yield* Console.error("reflexion: it goes into no prompt, for it speaks to its reader")
  })

const resolve = (ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    const found = yield* Effect.forEach(ids, store.get)
    yield* store.append(found.filter(Predicate.not(RetryPrompt.isResolved)).map(RetryPrompt.resolve))
    yield* Console.log(
      `${counted(ids.length, "reflection")} resolved: no prompt is given ${ids.length === 1 ? "it" : "them"} any more`
    )
  })

const remove = (ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    // All of them are known before any goes.
    yield* Effect.forEach(ids, store.get)
    yield* store.prune({ where: ({ id }) => ids.includes(id) })
    yield* Console.log(`${counted(ids.length, "reflection")} deleted`)
  })

export const memory = (given: Given): Memory =>
  Effect.gen(function* () {
    const [action, ...words] = given.operands
    if (!isAction(action))
      return yield* usage(
        action === undefined
          ? `needs one of ${actions.join(", ")}`
          : `"${oneLine(action)}" is none of ${actions.join(", ")}`
      )
    yield* fitting(action, given)
    const ids = [...new Set(words)]
    if (ids.length === 0 && action !== "show")
      return yield* usage(`${action} needs the ID of a reflection; 'reflexion memory show' lists them`)
    const place = yield* placeOf(given)
    const work: Record<Action, Work> = {
      show: show(given, place, ids),
      edit: edit(given, place, ids),
      resolve: resolve(ids),
      rm: remove(ids)
    }
    yield* within(place, { writes: false })(
      Effect.mapError(work[action], (error) => (error._tag === "ReflectionError" ? refused(error) : error))
    )
  })
