import { assert, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { afterAll } from "vitest"
import { main } from "../src/offline/OfflineEval.ts"
import * as OfflineOptions from "../src/offline/OfflineOptions.ts"
import * as Either from "effect/Either"

const scratch = Fs.mkdtempSync(Path.join(Os.tmpdir(), "offline-"))

afterAll(() => Fs.rmSync(scratch, { recursive: true, force: true }))

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

const says = (text: string) => [{ type: "text", text }]

/** A session in the host's own form: one stop that was premature and one that was right. */
const lines = (session: string): string => {
  const message = (index: number, role: "user" | "assistant", content: unknown) => ({
    type: role,
    sessionId: session,
    uuid: `${session}-${index}`,
    parentUuid: index === 0 ? null : `${session}-${index - 1}`,
    timestamp: at(index),
    cwd: "/repo",
    version: "2.0.0",
    isSidechain: false,
    userType: "external",
    message:
      role === "user" ? { role, content } : { role, id: `m${index}`, model: "m", content, stop_reason: "end_turn" }
  })
  return [
    message(0, "user", "Rename the parser module to reader and describe the zebra in the changelog."),
    message(1, "assistant", says("I had a look at the parser module. It is small.")),
    message(2, "user", "What does the lexer do?"),
    message(3, "assistant", says("It splits the text into words."))
  ]
    .map((line) => JSON.stringify(line))
    .join("\n")
}

const stop = (turn: number, push: boolean) => ({
  session: "s1",
  turn,
  userMessageAt: at(turn * 2),
  sample: "random",
  kinds: [push ? "premature" : "complete"],
  push,
  patterns: [],
  why: ["secret label"]
})

const data = (): string => {
  const folder = Path.join(scratch, "data", "shop")
  Fs.mkdirSync(Path.join(folder, "sessions"), { recursive: true })
  Fs.writeFileSync(Path.join(folder, "sessions", "s1.jsonl"), lines("s1"))
  Fs.writeFileSync(
    Path.join(folder, "stops.jsonl"),
    [stop(0, true), stop(1, false)].map((one) => JSON.stringify(one)).join("\n")
  )
  return Path.join(scratch, "data")
}

const run = async (...argv: ReadonlyArray<string>) => {
  const said: Array<string> = []
  const code = await main(argv, { out: (text) => void said.push(text), err: (text) => void said.push(text) })
  return { code, said: said.join("\n") }
}

const answer = (push: number, quote: string) =>
  JSON.stringify({
    status: push > 0.5 ? "in_progress" : "complete",
    confidence: 0.9,
    push,
    remaining_work: push > 0.5 ? [{ what: "x", kind: "order", event: "e0", quote, name: null }] : []
  })

const template = (
  head: string,
  body = "Was this done?\n{{task}}\nTools:\n{{tools_used:2}}\nIt said:\n{{agent_response}}"
) => {
  const file = Path.join(scratch, "other.md")
  Fs.writeFileSync(file, `---\n${head}\n---\n${body}\n`)
  return file
}

const head =
  '{"push":[{"equals":{"complete":false,"requires_human_action":[false,"no"]},"some":["missing","next_actions"]}]}'

const problem = (...argv: ReadonlyArray<string>) => Either.getOrNull(Either.flip(OfflineOptions.parse(argv))) ?? ""

const of = (file: string, ...more: ReadonlyArray<string>) =>
  problem("--export", "a", "--suite", "judge", "--prompt", file, ...more)

describe("eval:model", () => {
  it("says what is wrong with what cannot be run", () => {
    assert.include(problem(), "either --export DIR or --answers DIR")
    assert.include(problem("--export", "a", "--answers", "b"), "either --export DIR or --answers DIR")
    assert.include(problem("--export", "a", "--suite", "x"), "--suite: must be one of judge, stuck")
    assert.include(problem("--export", "a", "--limit", "0"), "--limit")
    assert.include(problem("--export", "a", "--data", "/no/such"), "--data: /no/such is not there")
    assert.include(problem("--answers", "a", "--record", "../x"), "--record")
  })

  it("writes a prompt a stop that tells nothing of its label, and puts the answers through the tier", async () => {
    const [prompts, answers] = [Path.join(scratch, "prompts"), Path.join(scratch, "answers")]
    const from = ["--suite", "judge", "--data", data()]
    const written = await run("--export", prompts, ...from)
    assert.strictEqual(written.code, 0)
    const files = Fs.readdirSync(Path.join(prompts, "judge"))
    assert.lengthOf(files, 2)
    Fs.mkdirSync(Path.join(answers, "judge"), { recursive: true })
    for (const name of files) {
      const text = Fs.readFileSync(Path.join(prompts, "judge", name), "utf8")
      assert.notMatch(text, /secret label|premature|"push": ?true|s1#/)
      assert.include(text, "# System")
      assert.match(name, /^[0-9a-f]{12}\.md$/)
      const isFirst = !text.includes("What the user ordered:\nWhat does the lexer do?")
      const said = answer(isFirst ? 0.9 : 0.1, "describe the zebra in the changelog")
      Fs.writeFileSync(Path.join(answers, "judge", name.replace(".md", ".json")), `Here it is:\n${said}`)
    }
    const { code, said } = await run("--answers", answers, ...from)
    assert.strictEqual(code, 0)
    assert.include(said, "2 of 2 questions were answered")
    assert.match(said, /model at 0\.65, asked at every stop +1 of 1 .* 0 of 1/)
    assert.match(said, /evidence alone +0 of 1/)
  })

  it("puts another judge's prompt in place of ours, and reads its answers as its template says", async () => {
    const [prompts, answers] = [Path.join(scratch, "other-prompts"), Path.join(scratch, "other-answers")]
    const from = ["--suite", "judge", "--data", data(), "--prompt", template(head)]
    const written = await run("--export", prompts, ...from)
    assert.include(written.said, "judge: 2 prompts, of another judge")
    const files = Fs.readdirSync(Path.join(prompts, "judge"))
    Fs.mkdirSync(answers)
    for (const name of files) {
      const text = Fs.readFileSync(Path.join(prompts, "judge", name), "utf8")
      assert.notMatch(text, /secret label|premature|# System|\{\{/)
      assert.include(text, "Was this done?\n")
      assert.include(text, "Tools:\n(none)\nIt said:\n")
      const isFirst = text.includes("Rename the parser module to reader")
      assert.strictEqual(text.includes("It said:\nI had a look at the parser module."), isFirst)
      const said = { complete: !isFirst, requires_human_action: false, missing: isFirst ? ["the rename"] : [] }
      Fs.writeFileSync(Path.join(answers, name.replace(".md", ".json")), JSON.stringify(said))
    }
    const { code, said } = await run("--answers", answers, ...from, "--misses")
    assert.strictEqual(code, 0)
    assert.match(said, /the other judge, asked at every stop +1 of 1 .* 0 of 1/)
    assert.include(said, "Could not be read, and so no push: 0.")
    assert.notMatch(said, /not found|false push /)
    for (const name of files) Fs.writeFileSync(Path.join(answers, name.replace(".md", ".json")), '{"missing":["x"]}')
    const unread = await run("--answers", answers, ...from, "--misses")
    assert.include(unread.said, "Could not be read, and so no push: 2.")
    assert.match(unread.said, /[0-9a-f]{12} not found/)
  })

  it("says what is wrong with another judge's template", () => {
    assert.include(of("/no/such.md"), "--prompt: /no/such.md cannot be read")
    assert.include(of(template("{}")), 'other.md: between the lines "---"')
    assert.include(of(template('{"push":[]}')), 'other.md: between the lines "---"')
    assert.include(of(template(head, "{{tsak}}")), "{{tsak}} is none of task, agent_response")
    Fs.writeFileSync(Path.join(scratch, "bare.md"), "Was this done? {{task}}")
    assert.include(of(Path.join(scratch, "bare.md")), "bare.md: line 1: it has to begin with")
    assert.include(of(template(head), "--suite", "stuck"), "--prompt is for the labelled stops")
    assert.include(of(template(head), "--record", "x"), "--record keeps answers to our own prompt")
    assert.strictEqual(of(template(head)), "")
  })

  it("takes every premature stop and a fixed part of the right ones", async () => {
    const prompts = Path.join(scratch, "few")
    const from = ["--suite", "judge", "--data", data()]
    assert.include((await run("--export", prompts, ...from, "--right", "1")).said, "judge: 2 prompts")
    assert.include(problem("--export", "a", "--right", "0"), "--right: must be a whole number")
  })

  it("counts what cannot be read as no answer, and ends with 1 where there is none", async () => {
    const answers = Path.join(scratch, "babble")
    const from = ["--suite", "judge", "--data", data()]
    const none = await run("--answers", answers, ...from)
    assert.deepStrictEqual([none.code, none.said.includes("none of 2 questions is answered")], [1, true])
    Fs.mkdirSync(answers)
    for (const name of Fs.readdirSync(Path.join(scratch, "prompts", "judge")))
      Fs.writeFileSync(Path.join(answers, name.replace(".md", ".json")), "It looks fine to me.")
    const { said } = await run("--answers", answers, ...from)
    assert.include(said, "Could not be read: 2.")
    assert.match(said, /model at 0\.65, asked at every stop +0 of 1 .* 0 of 1/)
  })

  it("asks about open cases of the stuck detector", async () => {
    const [prompts, answers] = [Path.join(scratch, "stuck"), Path.join(scratch, "stuck-answers")]
    await run("--export", prompts, "--suite", "stuck")
    const files = Fs.readdirSync(Path.join(prompts, "stuck"))
    assert.isAbove(files.length, 0)
    Fs.mkdirSync(answers)
    for (const name of files)
      Fs.writeFileSync(
        Path.join(answers, name.replace(".md", ".json")),
        '{"reason":"waiting_for_user","problem":"none","confidence":0.9,"push":0.1}'
      )
    const told = await run("--answers", answers, "--suite", "stuck")
    assert.include(told.said, `stuck: ${files.length} of ${files.length} open cases were answered`)
  })
})
