/** What a run with a model was told to do. */
import type * as Either from "effect/Either"
import { parseArgs } from "node:util"
import * as ModelRouting from "@reflexion/core/internal/ask/models/ModelRouting"
import * as Arguments from "../report/Arguments.ts"
import * as Corpus from "../sessions/Corpus.ts"

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

export interface ModelOptions {
  /** As `PROVIDER/MODEL`. */
  readonly model: string
  /** Empty for all that there are. */
  readonly suites: ReadonlyArray<string>
  /** What a question's id begins with, one of these; empty for all. */
  readonly cases: ReadonlyArray<string>
  /** Questions that evidence leaves open, as the judge asks them, or every one. */
  readonly ask: "open" | "all"
  readonly repeats: number
  readonly concurrency: number
  /** At most so many questions of each suite, spread evenly over it; null for all. */
  readonly limit: number | null
  /** For one answer, in seconds; null for what the configuration says. */
  readonly timeout: number | null
  readonly maxTokens: number
  readonly price: Price | null
  readonly minAccuracy: number | null
  readonly config: string | null
  readonly json: string | null
  readonly markdown: string | null
  readonly promptfoo: boolean
  readonly misses: boolean
}

export const suites: ReadonlyArray<string> = ["cases", ...Corpus.names]

export const usage = `npm run eval -- --model PROVIDER/MODEL [options]

Asks a model about the hand-written cases and the labelled stops, through the judge, and prints how often it was right, how
often it gave no answer, how far its repeats agree, and what it cost. The key is read from the environment.

  --model PROVIDER/MODEL  the model that is measured, such as anthropic/claude-sonnet-4-5 or ollama/qwen3:32b
  --config FILE           a reflexion configuration: its models.providers, models.timeout and models.tokensPerReview count.
                          Without it the providers that are known by name can be asked
  --suite NAME            ${suites.join(", ")}; may be given several times, without it all of them
  --case ID               only the questions whose id begins so; may be given several times
  --ask open|all          what evidence leaves open, as in use (open), or every question (all)
  --limit N               at most N questions of each suite, spread evenly over it
  --repeats N             how often each question is asked, 1 to 20 (3)
  --concurrency N         how many are asked at the same time, 1 to 16 (4)
  --timeout SECONDS       for one answer, 1 to 600 (what the configuration says, else 60)
  --max-tokens N          for the whole run (1000000): what does not fit is not asked, and counted as unanswered
  --price IN/OUT          US dollars for a million tokens, such as 3/15: the cost is then given in dollars as well
  --min-accuracy SHARE    exit 1 where fewer of the verdicts (under --ask all of the model's own words) are right, such as 0.9
  --promptfoo             let promptfoo ask, in place of this program: the same questions, the same figures
  --misses                list every wrong answer
  --json FILE             write every answer and the figures
  --markdown FILE         add the report to a file, in Markdown

Exit status: 0, 1 where no question was answered or too few were right, 2 for what cannot be run.
`

const isModelName = (name: string): boolean => ModelRouting.parse(name) !== null && !/\s/u.test(name)

const number = (
  name: string,
  text: string | undefined,
  {
    least,
    most,
    otherwise,
    whole
  }: Readonly<Record<"least" | "most", number>> & {
    readonly otherwise: number | null
    readonly whole: boolean
  }
): number | null => {
  if (text === undefined) return otherwise
  const value = text.trim() === "" ? Number.NaN : Number(text)
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value
  throw new Arguments.Refused(
    `--${name}: must be a ${whole ? "whole " : ""}number from ${least} to ${most}, not "${text}"`
  )
}

const whole = (name: string, text: string | undefined, least: number, most: number, otherwise: number): number =>
  number(name, text, { least, most, otherwise, whole: true }) ?? otherwise

const price = (text: string | undefined): Price | null => {
  if (text === undefined) return null
  const found = /^(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)$/u.exec(text)
  if (found === null) throw new Arguments.Refused(`--price: must be two numbers such as 3/15, not "${text}"`)
  return { input: Number(found[1]), output: Number(found[2]) }
}

const read = (argv: ReadonlyArray<string>) =>
  parseArgs({
    args: [...argv],
    options: {
      model: { type: "string" },
      suite: { type: "string", multiple: true },
      case: { type: "string", multiple: true },
      ask: { type: "string" },
      repeats: { type: "string" },
      concurrency: { type: "string" },
      limit: { type: "string" },
      timeout: { type: "string" },
      "max-tokens": { type: "string" },
      price: { type: "string" },
      "min-accuracy": { type: "string" },
      config: { type: "string" },
      json: { type: "string" },
      markdown: { type: "string" },
      promptfoo: { type: "boolean", default: false },
      misses: { type: "boolean", default: false }
    }
  }).values

const decode = (argv: ReadonlyArray<string>): ModelOptions => {
  const given = read(argv)
  const { ask = "open", model = "", suite = [] } = given
  if (!isModelName(model))
    throw new Arguments.Refused(
      `--model: must be a provider, a slash and its model, such as openai/gpt-5, not "${model}"`
    )
  if (ask !== "open" && ask !== "all") throw new Arguments.Refused(`--ask: must be open or all, not "${ask}"`)
  for (const name of suite)
    if (!suites.includes(name)) throw new Arguments.Refused(`--suite: "${name}" is none of ${suites.join(", ")}`)
  return {
    model,
    suites: suite,
    cases: given.case ?? [],
    ask,
    repeats: whole("repeats", given.repeats, 1, 20, 3),
    concurrency: whole("concurrency", given.concurrency, 1, 16, 4),
    limit: number("limit", given.limit, { least: 1, most: 100_000, otherwise: null, whole: true }),
    timeout: number("timeout", given.timeout, { least: 1, most: 600, otherwise: null, whole: false }),
    maxTokens: whole("max-tokens", given["max-tokens"], 1, 1_000_000_000, 1_000_000),
    price: price(given.price),
    minAccuracy: number("min-accuracy", given["min-accuracy"], { least: 0, most: 1, otherwise: null, whole: false }),
    config: given.config ?? null,
    json: given.json ?? null,
    markdown: given.markdown ?? null,
    promptfoo: given.promptfoo,
    misses: given.misses
  }
}

/** The options, or what is wrong with them. */
export const parse = (argv: ReadonlyArray<string>): Either.Either<ModelOptions, string> =>
  Arguments.decode(() => decode(argv))

/** Whether these arguments ask for a run with a model. */
export const isAsked = (argv: ReadonlyArray<string>): boolean =>
  argv.some((word) => word === "--model" || word.startsWith("--model="))
