import { assert, describe, it, vi } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { afterAll } from "vitest"
import { main } from "../src/Evaluation.ts"

const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "evals-"))

afterAll(() => Fs.rmSync(scratch, { recursive: true, force: true }))

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** A session in the host's own form, with a premature stop and a right one. */
const session = [
  ["user", "Rename the parser module to reader and describe the zebra in the changelog."],
  ["assistant", [{ type: "text", text: "I had a look at the parser module. It is small." }]],
  ["user", "What does the lexer do?"],
  ["assistant", [{ type: "text", text: "It splits the text into words." }]]
].map(([role, content], index) =>
  JSON.stringify({
    type: role,
    sessionId: "s1",
    uuid: `s1-${index}`,
    parentUuid: index === 0 ? null : `s1-${index - 1}`,
    timestamp: at(index),
    cwd: "/repo",
    version: "2.0.0",
    isSidechain: false,
    userType: "external",
    message: { role, content, ...(role === "assistant" && { id: `m${index}`, model: "m", stop_reason: "end_turn" }) }
  })
)

const label = (turn: number, push: boolean) =>
  JSON.stringify({
    session: "s1",
    turn,
    userMessageAt: at(turn * 2),
    sample: "random",
    kinds: [push ? "premature" : "complete"],
    push,
    why: ["secret label"]
  })

const data = Path.join(scratch, "data")
Fs.mkdirSync(Path.join(data, "shop", "sessions"), { recursive: true })
Fs.writeFileSync(Path.join(data, "shop", "sessions", "s1.jsonl"), session.join("\n"))
Fs.writeFileSync(Path.join(data, "shop", "stops.jsonl"), [label(0, true), label(1, false), label(7, false)].join("\n"))

const run = (...argv: ReadonlyArray<string>) => {
  const said: Array<string> = []
  const code = main(argv, { out: (text) => void said.push(text), err: (text) => void said.push(text) })
  return { code, said: said.join("\n") }
}

const answer = (push: number) => {
  const open = { what: "x", kind: "order", event: "e0", quote: "describe the zebra in the changelog", name: null }
  const isOpen = push > 0.5
  const status = isOpen ? "in_progress" : "complete"
  return JSON.stringify({ status, confidence: 0.9, push, remaining_work: isOpen ? [open] : [] })
}

const folder = (name: string, files: Readonly<Record<string, string>>): string => {
  const made = Path.join(scratch, name)
  Fs.mkdirSync(made)
  for (const [file, text] of Object.entries(files)) Fs.writeFileSync(Path.join(made, file), text)
  return made
}

describe("the evaluation", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["--data: /no/such is not there", ["--data", "/no/such"]],
    ["--answers: /no/such is not there", ["--answers", "/no/such"]],
    ["give one of them", ["--export", "a", "--answers", scratch]],
    ["--record: it needs --answers", ["--record", "x"]],
    ["no name of small letters", ["--answers", scratch, "--record", "../x"]],
    ["--check is of the recorded answers", ["--check", "--data", data]],
    ["Unknown option '--suite'", ["--suite", "cases"]],
    ["has no labelled stops", ["--data", folder("empty", {})]]
  ])("names what is wrong with invalid options or data: %s", (problem, argv) => {
    const { code, said } = run(...argv)
    assert.include(said, problem)
    assert.strictEqual(code, 2)
  })

  it("counts what evidence finds, and names labels without a stop", () => {
    const { code, said } = run("--data", data, "--misses")
    assert.strictEqual(code, 0)
    assert.match(said, /evidence, somebody there +0 of 1 .* 0 of 1/u)
    assert.include(said, "1 labels are of no stop on record: s1:7")
    assert.match(said, /shop\/s1:0 .* premature, not found/u)
    assert.notInclude(said, "model from")
  })

  it("exports prompts without the labels, and reads answers as the judge does", () => {
    const prompts = Path.join(scratch, "prompts")
    assert.strictEqual(run("--data", data, "--export", prompts).code, 0)
    const texts = Fs.readdirSync(prompts).map(
      (name) => [name, Fs.readFileSync(Path.join(prompts, name), "utf8")] as const
    )
    assert.lengthOf(texts, 2)
    const answers: Record<string, string> = {}
    for (const [name, text] of texts) {
      assert.match(name, /^[0-9a-f]{12}\.md$/u)
      assert.notMatch(text, /secret label|premature|"push": ?true|s1#/u)
      const isFirst = !text.includes("What the user ordered:\nWhat does the lexer do?")
      answers[name.replace(".md", ".json")] = `Here it is:\n${answer(isFirst ? 0.9 : 0.1)}`
    }
    const { code, said } = run("--data", data, "--answers", folder("answers", answers), "--misses")
    assert.strictEqual(code, 0)
    assert.match(said, /model from 0\.6, at every stop +1 of 1 .* 0 of 1/u)
    assert.include(said, "2 answers; ")
    assert.include(said, " 0 answers cannot be read")
    const babble = Object.fromEntries(Object.keys(answers).map((name) => [name, "I don't know."]))
    assert.include(run("--data", data, "--answers", folder("babble", babble)).said, " 2 answers cannot be read")
    const none = run("--data", data, "--answers", folder("none", {}))
    assert.deepStrictEqual([none.code, none.said.includes("has no answer to any of these stops")], [1, true])
  })

  it("writes a line of JSON for each stop", () => {
    const file = Path.join(scratch, "out.jsonl")
    run("--data", data, "--json", file)
    const stops = Fs.readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const told = stops.map(({ label: { push }, there: { nudge }, turn }) => `${turn} ${push} ${nudge}`)
    assert.deepStrictEqual(told.toSorted(), ["0 true false", "1 false false"])
  })

  it("without a corpus, says so and passes", () => {
    vi.stubEnv("REFLEXION_CORPUS", "/no/such")
    try {
      const { code, said } = run("--check")
      assert.strictEqual(code, 0)
      assert.include(said, "Nothing was judged, and no floor was looked at.")
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
