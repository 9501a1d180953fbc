/** What a session comes to, stop by stop, as stops.rows.txt tells it. */
import { assert, describe, it } from "@effect/vitest"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import {
  configure,
  handle,
  lastDecision,
  noticeOf,
  replyOf,
  scratch,
  type Scratch,
  session,
  type Session,
  stateFile,
  task,
  type
} from "./support/session.ts"

const rowsOf = (name: string) => {
  const lines = readFileSync(new URL(name, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  return lines.flatMap((title, index) =>
    title.startsWith(" ") ? [] : [[title, (lines[index + 1] ?? "").trim().split(" | ")] as const]
  )
}

/** A word and its object, which may end in fields, and what is expected. */
const parsed = (step: string) => {
  const [, does = "", expected = ""] = /^(.*?)(?: = (.*))?$/.exec(step) ?? []
  const [, word = "", given = ""] = /^(\S+) ?(.*)$/.exec(does) ?? []
  const [, text = "", over = "{}"] = /^(.*?) ?(\{.*\})?$/.exec(given) ?? []
  return {
    word,
    given,
    text,
    over: JSON.parse(word === "line" || word === "config" || word === "own" ? "{}" : over),
    expected
  }
}

const check = (answer: HookAnswer, expected: string, scratched: Scratch, step: string): void => {
  if (expected === "") return
  const [, tag = "", says = ""] = /^(not nudge|\S+) ?(.*)$/.exec(expected) ?? []
  const why = `${step}: ${lastDecision(scratched)}`
  if (tag === "not nudge") assert.notStrictEqual(answer._tag, "nudge", why)
  else assert.strictEqual(answer._tag, tag === "abstain" ? "nothing" : tag, why)
  const text = answer._tag === "nudge" ? `${answer.feedback}\n${answer.notice}` : noticeOf(answer)
  if (tag === "abstain") assert.match(lastDecision(scratched), new RegExp(`^abstain: .*${says}`), why)
  else assert.match(text, new RegExp(says), why)
}

const memory = ({ root }: Scratch, name = "reflections.jsonl"): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const file = join(root, ".reflection", name)
  const text = existsSync(file) ? readFileSync(file, "utf8").trim() : ""
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line))
}

const damage: Readonly<Record<string, (file: string) => void>> = {
  gone: (file) => rmSync(file, { force: true }),
  cut: (file) => truncateSync(file, 40),
  damaged: (file) => writeFileSync(file, "damaged")
}

const play = (first: Scratch, steps: ReadonlyArray<string>): void => {
  let scratched = first
  let id = "s1"
  const agents = new Map<string, Session>()
  for (const step of steps) {
    const { expected, given, over, text, word } = parsed(step)
    const agent = agents.get(id) ?? session(scratched, id)
    agents.set(id, agent)
    const stop = (): void => {
      const answer = handle(scratched.hook, agent.event({ message: text, ...over }))
      check(answer, expected, scratched, step)
      if (word === "done") agent.told(answer)
    }
    const tell = (tool: HookEvent["tool"]): void => {
      const common = { kind: "tool", name: "PostToolUse", agent: "main", turnId: "turn-1" } as const
      const event = tool === null ? {} : { ...common, tool }
      const answer = handle({ ...scratched.hook, watches: "todos" }, agent.event({ ...event, ...over }))
      assert.match(answer._tag === "context" ? answer.text : answer._tag, new RegExp(expected), step)
    }
    const words: Readonly<Record<string, () => unknown>> = {
      session: () => (id = text),
      ci: () => (scratched = { ...scratched, hook: { ...scratched.hook, env: { CI: text } } }),
      task: () => {
        scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
        agent.user(text === "" ? task : text)
      },
      fails: () => {
        const said = "I changed how the total is rounded."
        const answer = agent
          .runs("npm test", SampleFailure.output(text, "2", "1"), true)
          .says(said)
          .stop(said)
        check(answer, expected, scratched, step)
        agent.told(answer)
      },
      begins: () => {
        const event = session(scratched, text).event({ kind: "session_start", name: "SessionStart", ...over })
        const answer = handle(scratched.hook, event)
        assert.match(answer._tag === "context" ? answer.text : answer._tag, new RegExp(expected), step)
      },
      lessons: () =>
        assert.lengthOf(
          memory(scratched).filter((line) => "analysis" in line),
          Number(text),
          step
        ),
      outcomes: () => {
        const all = memory(scratched).flatMap((line) => (line["event"] === "outcome" ? [line["success"]] : []))
        assert.strictEqual(all.join(), text, step)
      },
      user: () => agent.user(text),
      says: () => agent.says(text),
      edits: () => agent.edits("src/total.ts"),
      looks: () => agent.runs("git status", "clean"),
      passes: () => agent.runs("npm test", "Tests  3 passed (3)"),
      red: () => agent.runs("npm test", text, true),
      line: () => agent.line(JSON.parse(given)),
      config: () => scratched.put(".reflection/config.json", given),
      own: () => configure(scratched, JSON.parse(given)),
      state: () => damage[text]?.(stateFile(scratched, id)),
      interrupt: () =>
        handle(scratched.hook, agent.event({ kind: "interrupt", name: "Interrupt", turnId: text, ...over })),
      types: () => assert.match(replyOf(type(scratched, agent, text)), new RegExp(expected), step),
      attempts: () => {
        const all = memory(scratched, "outcomes.jsonl").map(({ status }) => status)
        assert.strictEqual(all.join(), text, step)
      },
      findings: () => assert.lengthOf(memory(scratched, "findings.jsonl"), Number(text), step),
      event: () => tell(null),
      todos: () => {
        const [, status, contents = ""] = /^(\S+) (.*)$/.exec(text) ?? []
        const todos = contents.split("; ").map((content) => ({ content, status, activeForm: content }))
        tell({ name: "TodoWrite", input: { todos }, result: {} })
      },
      create: () => {
        const [, taskId, subject] = /^(\S+) (.*)$/.exec(text) ?? []
        tell({ name: "TaskCreate", input: { subject }, result: { task: { id: taskId, subject } } })
      },
      set: () => {
        const [taskId, status] = text.split(" ")
        tell({ name: "TaskUpdate", input: { taskId, status }, result: { success: true } })
      },
      log: () => assert.include(lastDecision(scratched), text),
      done: () => {
        agent.says(text)
        stop()
      },
      try: stop
    }
    const does = words[word] ?? assert.fail(step)
    does()
  }
}

describe("a stop", () => {
  it.scoped.each(rowsOf("stops.rows.txt"))("%s", ([, steps]) =>
    Effect.map(scratch, (scratched) => play(scratched, steps))
  )
})

describe("a todo list", () => {
  it.scoped.each(rowsOf("todos.rows.txt"))("%s", ([, steps]) =>
    Effect.map(scratch, (scratched) => play(scratched, steps))
  )
})
