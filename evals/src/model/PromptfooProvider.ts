/**
 * The model tier as a custom provider of promptfoo's, and the questions as its tests. What promptfoo loads of it are the
 * files in `evals/promptfoo`; `Promptfoo.ts` starts it and hands the run's arguments over in the environment.
 */
import * as Either from "effect/Either"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Corpus from "../sessions/Corpus.ts"
import * as Asking from "./Asking.ts"
import * as ModelOptions from "./ModelOptions.ts"
import { type Question, questions } from "./Question.ts"
import * as Trial from "./Trial.ts"
import * as TrialJson from "./TrialJson.ts"
import { costOf } from "./TrialMetrics.ts"

/** The variable that holds a run's arguments, as a JSON list. */
export const variable = "REFLEXION_EVAL_ARGUMENTS"

/** What a provider is called with, as far as it is read here. */
export interface CallContext {
  readonly vars: Readonly<Record<string, unknown>>
  readonly repeatIndex?: number
}

/** What a provider answers with. */
export interface ProviderResponse {
  /** A `Trial` as JSON: promptfoo would hand an object to its assertions as text anyway. */
  readonly output: string
  readonly tokenUsage: {
    readonly total: number
    readonly prompt: number
    readonly completion: number
    readonly numRequests: number
  }
  readonly cost?: number
  readonly latencyMs: number
  readonly cached: false
}

/** What an assertion answers with. */
export interface Grading {
  readonly pass: boolean
  readonly score: number
  readonly reason: string
}

const orThrow = <A>(either: Either.Either<A, string>): A =>
  Either.getOrThrowWith(either, (problem) => new Error(problem))

const given = (text: string | undefined): ReadonlyArray<string> => {
  const value: unknown = JSON.parse(text ?? "null")
  if (Array.isArray(value) && value.every((word) => typeof word === "string")) return value
  throw new Error(`${variable} is not set: start promptfoo by npm run eval -- --model PROVIDER/MODEL --promptfoo`)
}

const optionsOf = (env: NodeJS.ProcessEnv): ModelOptions.ModelOptions =>
  orThrow(ModelOptions.parse(given(env[variable])))

/** promptfoo's tests: a question each, told by its suite and id. What a question says reaches only the model. */
export const tests = (env: NodeJS.ProcessEnv) =>
  questions(optionsOf(env), Corpus.directory()).map(({ id, suite }) => ({
    description: `${suite}: ${id}`,
    vars: { suite, id }
  }))

const key = (suite: unknown, id: unknown): string => JSON.stringify([suite, id])

/** One for all of a run: its budget is that of the run. */
export class Provider {
  readonly #options: ModelOptions.ModelOptions
  readonly #questions: ReadonlyMap<string, Question>
  readonly #runtime

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.#options = optionsOf(env)
    const config = orThrow(Asking.configOf(this.#options))
    this.#questions = new Map(
      questions(this.#options, Corpus.directory()).map((question) => [key(question.suite, question.id), question])
    )
    this.#runtime = ManagedRuntime.make(
      Layer.merge(Asking.layer(config, this.#options), Logger.remove(Logger.defaultLogger))
    )
  }

  id(): string {
    return `reflexion:${this.#options.model}`
  }

  /** Fails only for what is no fault of the model's: a question that is not there, a model that cannot be asked at all. */
  async callApi(_prompt: string, { repeatIndex = 0, vars }: CallContext): Promise<ProviderResponse> {
    const question = this.#questions.get(key(vars["suite"], vars["id"]))
    if (question === undefined) throw new Error(`there is no question ${key(vars["suite"], vars["id"])}`)
    const trial = await this.#runtime.runPromise(Trial.ask(question, repeatIndex))
    const { dollars } = costOf([trial], this.#options.price)
    return {
      output: TrialJson.encode(trial),
      tokenUsage: {
        total: trial.inputTokens + trial.outputTokens,
        prompt: trial.inputTokens,
        completion: trial.outputTokens,
        numRequests: trial.calls
      },
      ...(dollars !== null && { cost: dollars }),
      latencyMs: Math.round(trial.ms),
      cached: false
    }
  }

  close(): Promise<void> {
    return this.#runtime.dispose()
  }
}

const failed = (reason: string): Grading => ({ pass: false, score: 0, reason })

const graded = ({ after, label, problem, right }: Trial.Trial): Grading => {
  if (problem !== null) return failed(`no answer: ${problem}`)
  const readers = `the readers say ${label.statuses.join(" or ")}`
  if (right === null) return failed(`abstained; ${readers}`)
  return { pass: right, score: right ? 1 : 0, reason: `${after.status}; ${readers}` }
}

/** promptfoo's assertion: the verdict is the readers', and no answer is none. */
export const assertion = (output: unknown): Grading =>
  Either.match(TrialJson.decode(output), { onLeft: failed, onRight: graded })
