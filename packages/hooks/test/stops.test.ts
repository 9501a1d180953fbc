/** The results of sessions, stop by stop, as stops.rows.txt describes them. */
import { assert, describe, it } from "@effect/vitest"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Marks from "../src/config/Marks.ts"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import * as LearnedFile from "../src/memory/LearnedFile.ts"
import * as LessonTrust from "../src/memory/LessonTrust.ts"
import * as MemoryPlace from "../src/memory/MemoryPlace.ts"
import * as Hooks from "../src/session/Hook.ts"
import * as Handlers from "../src/process/handlers.ts"
import { rowsOf } from "../../opencode/test/support/rows.ts"
import * as CheckedProject from "./support/checkedProject.ts"
import * as ModelHost from "./support/modelHost.ts"
import * as Support from "./support/session.ts"
import { handle, lastDecision, type Scratch, type Session, stateFile } from "./support/session.ts"

/** A step's word, its object with optional fields at its end, and the expected result. */
const parsed = (step: string) => {
  const [, does = "", expected = ""] = /^(.*?)(?: = (.*))?$/.exec(step) ?? []
  const [, word = "", given = ""] = /^(\S+) ?(.*)$/.exec(does) ?? []
  const [, text = "", over = "{}"] = /^(.*?) ?(\{.*\})?$/.exec(given) ?? []
  const isJson = ["line", "config", "own", "limits"].includes(word)
  return { word, given, text, over: JSON.parse(isJson ? "{}" : over), expected }
}

const check = (answer: HookAnswer, expected: string, scratched: Scratch, step: string): void => {
  if (expected === "") return
  const [, tag = "", says = ""] = /^(not nudge|\S+) ?(.*)$/.exec(expected) ?? []
  const why = `${step}: ${lastDecision(scratched)}`
  if (tag === "not nudge") assert.notStrictEqual(answer._tag, "nudge", why)
  else assert.strictEqual(answer._tag, tag === "abstain" ? "nothing" : tag, why)
  const text = answer._tag === "nudge" ? `${answer.feedback}\n${answer.notice}` : Support.noticeOf(answer)
  if (tag === "abstain") assert.match(lastDecision(scratched), new RegExp(`^abstain: .*${says}`), why)
  else assert.match(text, new RegExp(says), why)
}

const memory = ({ root }: Scratch, name = "reflections.jsonl"): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const file = join(root, ".reflection", name)
  const text = Fs.existsSync(file) ? Fs.readFileSync(file, "utf8").trim() : ""
  return JSON.parse(`[${text.replaceAll("\n", ",")}]`)
}

const decisionLog = ({ hook }: Scratch): string => join(hook.directories.state, "log.jsonl")

/** Adds a lesson that was not learned here. */
const bring = (scratched: Scratch, analysis: string): void => {
  const last = memory(scratched).findLast((line) => "analysis" in line)
  const brought = { ...last, id: "refl_foreign", subtaskId: "other", analysis }
  Fs.appendFileSync(join(scratched.root, ".reflection", "reflections.jsonl"), `${JSON.stringify(brought)}\n`)
}

const track = ({ root }: Scratch, name: string): void => {
  Fs.rmSync(join(root, ".git"), { recursive: true })
  execFileSync("git", ["init", "--quiet"], { cwd: root })
  execFileSync("git", ["add", "--force", join(".reflection", name)], { cwd: root })
}

/** Marks all lessons as resolved, as the user does. */
const resolve = ({ hook, root }: Scratch): void => {
  const over = LearnedFile.read(MemoryPlace.of(root)).reflections.map(RetryPrompt.resolve)
  LessonTrust.own(hook.directories, over)
  LearnedFile.append(MemoryPlace.of(root), over)
}

const isWork = (line: string) => line.includes("tool_use") || line.includes("tool_result")

const isTold = (line: string) => line.includes('"attachment"')

const older = (line: string): string => {
  const timestamp = new Date(Date.now() - 7_200_000).toISOString()
  const message = { content: "What does src/total.ts do?" }
  return JSON.stringify({ ...JSON.parse(line), uuid: "old", timestamp, message })
}

/** How a session's record may be lost or damaged. */
const rewritten: Readonly<Record<string, (lines: ReadonlyArray<string>) => ReadonlyArray<string>>> = {
  untold: (lines) => lines.filter((line) => !isTold(line)),
  unworked: (lines) => lines.filter((line) => !isWork(line)),
  words: (lines) => lines.filter((line) => !isWork(line) && !isTold(line)),
  task: (lines) => lines.slice(0, 1),
  renamed: (lines) => lines.map((line) => line.replaceAll('"uuid":"s1-', '"uuid":"other-')),
  older: (lines) => [older(lines[0] ?? ""), ...lines],
  moved: (lines) => [...lines.slice(1), ...lines.slice(0, 1)],
  headless: (lines) => lines.slice(1)
}

const damage: Readonly<Record<string, (file: string) => void>> = {
  gone: (file) => Fs.rmSync(file, { force: true }),
  cut: (file) => Fs.truncateSync(file, 40),
  damaged: (file) => Fs.writeFileSync(file, "damaged")
}

const finished = "The rounding is fixed and all tests pass."

/**
 * What a hook that runs after the turn sees. In `slow`, it sees the end after twenty looks; in `busy` and `gone`, the
 * user goes on.
 */
const rests: Readonly<Record<string, () => Hooks.Rest | null>> = {
  "": () => ({ over: () => null, hasBegun: () => true }),
  none: () => null,
  slow: () => {
    let looks = 0
    return { over: () => null, hasBegun: () => ++looks > 20 }
  },
  busy: () => ({ over: () => "the user has continued in the meantime", hasBegun: () => false }),
  gone: () => {
    let looks = 0
    return { over: () => (looks++ < 2 ? null : "the user has continued in the meantime"), hasBegun: () => true }
  }
}

const play = async (first: Scratch, steps: ReadonlyArray<string>): Promise<void> => {
  let scratched = first
  let id = "s1"
  let checked: ReturnType<typeof CheckedProject.project> | undefined
  const agents = new Map<string, Session>()
  for (const step of steps) {
    const { expected, given, over, text, word } = parsed(step)
    const agent = agents.get(id) ?? Support.session(scratched, id)
    agents.set(id, agent)
    const stop = (): void => {
      const answer = handle(scratched.hook, agent.event({ message: text, ...over }))
      check(answer, expected, scratched, step)
      if (word === "done") agent.told(answer)
    }
    const tell = (tool: HookEvent["tool"], hook: Scratch["hook"] = { ...scratched.hook, watches: "todos" }): void => {
      const common = { kind: "tool", name: "PostToolUse", agent: "main", turnId: "turn-1" } as const
      const event = tool === null ? {} : { ...common, tool }
      const answer = handle(hook, agent.event({ ...event, ...over }))
      assert.match(answer._tag === "context" ? answer.text : answer._tag, new RegExp(expected), step)
    }
    const part = async (one: "now" | "later", { event }: Session) => {
      const rest = (rests[text] ?? assert.fail(step))()
      const hook = { ...scratched.hook, part: one, rest: () => rest }
      return Handlers.handle(hook, event({ message: finished, turnId: "t1" }))
    }
    const clock = (over: Partial<Scratch["hook"]>): void => {
      scratched = { ...scratched, hook: { ...scratched.hook, ...over } }
    }
    const words: Readonly<Record<string, () => unknown>> = {
      session: () => (id = text),
      ci: () => clock({ env: { CI: text } }),
      begun: () => clock({ begun: first.hook.now() + Number(text) }),
      later: () => clock({ now: () => first.hook.now() + Number(text), begun: first.hook.now() + Number(text) }),
      loop: () => {
        Fs.rmSync(join(scratched.root, ".git"), { recursive: true })
        Fs.symlinkSync(".git", join(scratched.root, ".git"))
      },
      linked: () => {
        Fs.mkdirSync(join(scratched.home, "elsewhere"))
        Fs.symlinkSync(join(scratched.home, "elsewhere"), join(scratched.root, ".reflection"))
      },
      unfollowed: () => assert.deepStrictEqual(Fs.readdirSync(join(scratched.home, "elsewhere")), [], step),
      filed: () => {
        Fs.rmSync(join(scratched.root, ".reflection"))
        Fs.writeFileSync(join(scratched.root, ".reflection"), "a file")
      },
      host: () => {
        const [name, failing] = text.split(" ")
        scratched = ModelHost.install(scratched, name === "codex" ? name : "claude", failing === "failing")
      },
      keyed: () => clock({ env: { ...scratched.hook.env, ANTHROPIC_API_KEY: "sk-secret" } }),
      agree: () => ModelHost.agree(scratched),
      asked: () => assert.lengthOf(ModelHost.questions(scratched), Number(text), step),
      german: () => {
        scratched.put("package.json", "{}")
        agent.user(`${ModelHost.asked} ${text}`).edits("src/parser.js").says(ModelHost.claim)
      },
      ends: async () => {
        const event = agent.event({ message: ModelHost.claim })
        check(await Handlers.handle(scratched.hook, event), expected, scratched, step)
      },
      project: () => (checked = CheckedProject.project(scratched, text === "green")),
      allows: () => Effect.runPromise(CheckedProject.take(scratched, checked?.command ?? "false")),
      names: () => Support.configure(scratched, { checks: [{ name: "tests", command: checked?.command }] }),
      ran: () => assert.strictEqual(checked?.runs(), Number(text), step),
      verdict: () => assert.deepNestedInclude(Support.record(scratched), { "verdict.source": text }),
      looked: async () => check(await agent.says(text).consulted(text), expected, scratched, step),
      both: async () => {
        const [first, second] = [agent.says(text).consulted(text), agent.consulted(text)]
        check(await second, "nothing", scratched, step)
        check(await first, expected, scratched, step)
      },
      now: async () => check(await part("now", agent), expected, scratched, step),
      after: async () => check(await part("later", agent), expected, scratched, step),
      prompt: async () => {
        const event = agent.event({ prompt: text, kind: "prompt", name: "UserPromptSubmit" })
        const hook = { ...scratched.hook, rest: () => rests[""]?.() ?? null }
        check(await Handlers.handle(hook, event), expected, scratched, step)
      },
      blocked: () => Fs.mkdirSync(decisionLog(scratched), { recursive: true }),
      unruled: () => {
        const text = Fs.readFileSync(decisionLog(scratched), "utf8")
        Fs.writeFileSync(decisionLog(scratched), text.replaceAll(/,"rules":\[[^\]]*\]/g, ""))
      },
      limits: () => {
        const roots = [scratched.root, `${scratched.home}/other`]
        const found = roots.map((root) => Hooks.settingsOf(scratched.hook, root).config.ruleLimits)
        assert.deepStrictEqual(found, [JSON.parse(given), {}], step)
      },
      forgive: () => Marks.clear(scratched.hook.directories, scratched.root, text),
      resolve: () => resolve(scratched),
      track: () => track(scratched, text),
      bring: () => bring(scratched, text),
      trusts: () => {
        const { reflections } = LearnedFile.read(MemoryPlace.of(scratched.root))
        LessonTrust.trust(scratched.hook.directories, scratched.root, reflections)
      },
      long: () => {
        for (let at = 0; at < 24; at++) agent.runs("cat notes.txt", `${text} ${at} ${"word ".repeat(20_000)}`)
      },
      runs: () => {
        const [command = "", output = ""] = text.split(" => ")
        agent.runs(command, output)
      },
      repeats: () => tell({ name: "Bash", input: { command: text }, result: { stdout: "no" } }, scratched.hook),
      record: () => {
        const lines = Fs.readFileSync(agent.file, "utf8").trim().split("\n")
        Fs.writeFileSync(agent.file, `${(rewritten[text] ?? assert.fail(step))(lines).join("\n")}\n`)
      },
      task: () => {
        scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
        agent.user(text === "" ? Support.task : text)
      },
      fails: () => {
        const said = "I changed how the total is rounded."
        agent.runs("npm test", SampleFailure.output(text, "2", "1"), true).says(said)
        const answer = agent.stop(said, over)
        check(answer, expected, scratched, step)
        agent.told(answer)
      },
      begins: () => {
        const event = Support.session(scratched, text).event({ kind: "session_start", name: "SessionStart", ...over })
        const answer = handle(scratched.hook, event)
        assert.match(answer._tag === "context" ? answer.text : answer._tag, new RegExp(expected), step)
      },
      lessons: () => {
        const lessons = memory(scratched).filter((line) => "analysis" in line)
        assert.lengthOf(lessons, Number(text), step)
      },
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
      own: () => Support.configure(scratched, JSON.parse(given)),
      state: () => damage[text]?.(stateFile(scratched, id)),
      interrupt: () =>
        handle(scratched.hook, agent.event({ kind: "interrupt", name: "Interrupt", turnId: text, ...over })),
      types: () => assert.match(Support.replyOf(Support.type(scratched, agent, text)), new RegExp(expected), step),
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
      failures: () => assert.lengthOf(Support.failures(scratched), Number(text), step),
      log: () => assert.include(lastDecision(scratched), text),
      done: () => {
        agent.says(text)
        stop()
      },
      try: stop
    }
    const does = words[word] ?? assert.fail(step)
    // All rows are played at once, and the test runner gets time between two steps.
    await setImmediate()
    await does()
  }
}

describe.each([
  ["a stop", "stops.rows.txt"],
  ["a todo list", "todos.rows.txt"]
])("%s", (_, file) => {
  it.scopedLive.each(rowsOf(new URL(file, import.meta.url)))("%s", ([, steps]) =>
    Effect.flatMap(Support.scratch, (scratched) => Effect.promise(() => play(scratched, steps)))
  )
})
