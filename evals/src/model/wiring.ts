/**
 * Proves that a run with a model is wired from the command line to the server and back: a scripted server answers, refuses,
 * babbles, hangs and fails, and the figures have to be those that follow. With `--promptfoo` the same run is put by the
 * real promptfoo, too, and has to give the same.
 */
import * as Assert from "node:assert/strict"
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { suites } from "../case/Suites.ts"
import * as ScriptedServer from "./ScriptedServer.ts"

const assessment = (over: Readonly<Record<string, unknown>>): ScriptedServer.Reply => ({
  text: JSON.stringify({
    status: "complete",
    confidence: 0.95,
    evidence: null,
    remaining_work: [],
    next_steps: [],
    needs_user_action: [],
    stuck: false,
    alternate_approach: null,
    ...over
  })
})

const done = assessment({})
const begun = assessment({ status: "in_progress", next_steps: ["Go on."] })

/** Six stops that evidence leaves open, and how the model behaves at each; done is right at all of them. */
const behaviour: Readonly<Record<string, ScriptedServer.Rule["replies"]>> = {
  "unknown-result/no-exit-code": [done],
  "german/done": [{ refusal: "I would rather not." }],
  "spanish/done": [{ text: "It looks fine to me." }],
  "japanese/done": [{ hangs: true }],
  "chinese/answer": [{ status: 500 }],
  "wording/done/nothing-to-do": [done, begun, done]
}

/** The first words of the case's first message, by which its prompt is known. */
const needleOf = (id: string): string => {
  const found = Object.values(suites)
    .flat()
    .find((self) => self.id === id)
  const [first] = found?.events.filter((event) => event.type === "user_message") ?? []
  if (first?.type !== "user_message") throw new Error(`there is no case ${id}`)
  return JSON.stringify(first.text.slice(0, 24)).slice(1, -1)
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const program = fileURLToPath(new URL("../eval.js", import.meta.url))

const evaluate = (args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    const out: Array<Uint8Array> = []
    const err: Array<Uint8Array> = []
    child.stdout.on("data", (chunk) => out.push(chunk))
    child.stderr.on("data", (chunk) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code) =>
      resolve({ code, out: Buffer.concat(out).toString("utf8"), err: Buffer.concat(err).toString("utf8") })
    )
  })

/** What must come out of three repeats. Errors and unreadable answers are asked again once, so that they cost two calls. */
const figures = {
  suite: "cases",
  questions: 6,
  trials: 18,
  answered: 6,
  unanswered: { refused: 3, timed_out: 3, unavailable: 3, unparseable: 3 },
  pairs: 6,
  samePairs: 4,
  unanimous: 1,
  words: { hits: 5, trials: 6 },
  calls: 24,
  inputTokens: 15_000,
  outputTokens: 1_500,
  dollars: 0.0675
}

const asked = { done: 3, refused: 3, babbling: 6, hanging: 3, failing: 6, wavering: 3 }

const seen = (file: string) => {
  const { summaries, trials } = JSON.parse(Fs.readFileSync(file, "utf8"))
  const [summary] = summaries
  const { agreement, answered, cost, questions, suite, unanswered, words } = summary
  Assert.equal(trials.length, 18)
  return {
    trials: trials.map((trial: object) => ({ ...trial, ms: 0 })),
    figures: {
      suite,
      questions,
      trials: summary.trials,
      answered,
      unanswered,
      pairs: agreement.words.pairs,
      samePairs: agreement.words.same,
      unanimous: agreement.words.unanimous,
      words: { hits: words.hits, trials: words.trials },
      calls: cost.calls,
      inputTokens: cost.inputTokens,
      outputTokens: cost.outputTokens,
      dollars: cost.dollars
    }
  }
}

const run = async (folder: string, more: ReadonlyArray<string>) => {
  const rules = Object.entries(behaviour).map(([id, replies]) => ({ needle: needleOf(id), replies }))
  const server = await ScriptedServer.start(rules, { status: 404 })
  try {
    const config = Path.join(folder, "config.json")
    const json = Path.join(folder, "out.json")
    const markdown = Path.join(folder, "out.md")
    const providers = { scripted: { api: "chat-completions", url: server.url } }
    Fs.writeFileSync(config, JSON.stringify({ models: { providers } }))
    const cases = Object.keys(behaviour).flatMap((id) => ["--case", id])
    const settings = ["--suite", "cases", "--repeats", "3", "--concurrency", "8", "--timeout", "20", "--price", "3/15"]
    const files = ["--config", config, "--json", json, "--markdown", markdown]
    const ended = await evaluate(["--model", "scripted/large", ...cases, ...settings, ...files, ...more])
    Assert.equal(ended.code, 0, `${ended.out}\n${ended.err}`)
    const counted = rules.map(({ needle }) => server.asked.get(needle) ?? 0)
    Assert.deepEqual(counted, Object.values(asked), "how often the server was asked about each")
    const result = seen(json)
    Assert.deepEqual(result.figures, figures)
    Assert.ok(Fs.readFileSync(markdown, "utf8").includes("| questions | 6 |"))
    Fs.rmSync(markdown)
    return result
  } finally {
    await server.close()
  }
}

/** Whatever cannot be run says why in one line and ends with 2. */
const refused = async (args: ReadonlyArray<string>, said: string): Promise<void> => {
  const { code, err } = await evaluate(args)
  Assert.equal(code, 2, `${args.join(" ")}: ${err}`)
  Assert.ok(err.includes(said), `${args.join(" ")}: ${err}`)
}

interface Told {
  readonly id: string
  readonly repeat: number
}

/** By question and repeat, but for the one that wavers: which of its repeats does is a matter of their order. */
const steady = (trials: ReadonlyArray<Told>): ReadonlyArray<Told> =>
  trials
    .filter(({ id }) => !id.startsWith("wording/"))
    .toSorted((one, other) => one.id.localeCompare(other.id) || one.repeat - other.repeat)

const prove = async (withPromptfoo: boolean): Promise<void> => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-wiring-"))
  try {
    const own = await run(folder, [])
    await refused(["--model", "nonsense"], "--model: must be a provider")
    await refused(["--model", "nobody/large"], 'no provider "nobody" is known')
    await refused(["--model", "a/b", "--repeats", "many"], '--repeats: must be a whole number from 1 to 20, not "many"')
    process.stdout.write("The run with a model gives the figures that it must.\n")
    if (!withPromptfoo) return
    const theirs = await run(folder, ["--promptfoo"])
    Assert.deepEqual(steady(theirs.trials), steady(own.trials))
    process.stdout.write("promptfoo gives the same, answer by answer.\n")
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

await prove(process.argv.includes("--promptfoo"))
