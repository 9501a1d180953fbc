/** A scratch home, a workspace and a session's record in Claude Code's form, driven through the handlers in-process. */
import * as ConfigSources from "../../src/config/ConfigSources.ts"
import * as ClaudeCodeHook from "../../src/process/ClaudeCodeHook.ts"
import type { Hook } from "../../src/session/Hook.ts"
import type { HookAnswer, HookEvent } from "../../src/input/HookEvent.ts"
import * as Handlers from "../../src/process/handlers.ts"
import * as UserDirectories from "../../src/places/UserDirectories.ts"
import type * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface Scratch {
  readonly home: string
  readonly root: string
  readonly put: (name: string, text: string) => void
  readonly hook: Hook<ClaudeCodeTranscript.State>
}

/** Every directory lies in one folder that goes with the scope; the clock stands still unless a test moves it. */
export const scratch = Effect.acquireRelease(
  Effect.sync((): Scratch => {
    const home = Fs.realpathSync(Fs.mkdtempSync(join(tmpdir(), "reflexion-hooks-")))
    const root = join(home, "shop")
    Fs.mkdirSync(join(root, ".git"), { recursive: true })
    Fs.writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
    const put = (name: string, text: string): void => {
      Fs.mkdirSync(dirname(join(root, name)), { recursive: true })
      Fs.writeFileSync(join(root, name), text)
    }
    // Files get their times from the real clock, so the hook's clock starts with the real time.
    const started = Date.now()
    const hook: Hook<ClaudeCodeTranscript.State> = {
      ...ClaudeCodeHook.program,
      build: "test",
      settle: ConfigSources.settle,
      directories: UserDirectories.make({ HOME: home }),
      env: {},
      part: "all",
      now: () => started,
      begun: started,
      deadline: Number.POSITIVE_INFINITY
    }
    return { home, root, put, hook }
  }),
  ({ home }) => Effect.sync(() => Fs.rmSync(home, { recursive: true, force: true }))
)

/** A test with a scratch home of its own. */
export const inScratch = (title: string, work: (scratched: Scratch) => void) =>
  it.scoped(title, () => Effect.map(scratch, work))

export interface Session {
  readonly file: string
  readonly user: (text: string, more?: object) => Session
  readonly says: (text: string) => Session
  readonly calls: (tool: string, input: object, result: string, failed?: boolean) => Session
  readonly edits: (path: string) => Session
  readonly runs: (command: string, result: string, failed?: boolean) => Session
  readonly told: (answer: HookAnswer) => Session
  readonly line: (value: object) => Session
  readonly event: (over?: Partial<HookEvent>) => HookEvent
  readonly stop: (message: string, over?: Partial<HookEvent>) => HookAnswer
  /** A stop whose review may use more than evidence. */
  readonly consulted: (message: string, over?: Partial<HookEvent>) => Promise<HookAnswer>
}

/** The answer to an event that evidence alone decides. It comes at once. */
export const handle = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  const answered = Handlers.handle(hook, event)
  if (answered instanceof Promise) throw new Error("more than evidence was looked at")
  return answered
}

const since = Date.now() - 3_600_000

export const session = ({ home, hook, root }: Scratch, sessionId: string): Session => {
  const file = join(home, `${sessionId}.jsonl`)
  let count = 0
  const id = (): string => `${sessionId}-${++count}`
  const line = (value: object): Session => {
    const uuid = id()
    const timestamp = new Date(since + 1000 * count).toISOString()
    const common = { sessionId, cwd: root, uuid, parentUuid: null, timestamp }
    Fs.appendFileSync(file, `${JSON.stringify({ ...common, ...value })}\n`)
    return self
  }
  const assistant = (content: object): Session =>
    line({ type: "assistant", message: { id: id(), content: [content], stop_reason: "end_turn" } })
  const event = (over: Partial<HookEvent> = {}): HookEvent => ({
    kind: "stop",
    name: "Stop",
    sessionId,
    turnId: null,
    blocks: false,
    continued: false,
    transcript: file,
    cwd: root,
    subagent: false,
    plan: false,
    message: null,
    background: 0,
    prompt: null,
    compacted: false,
    tool: null,
    ...over
  })
  const self: Session = {
    file,
    line,
    event,
    user: (text, more) => line({ type: "user", message: { content: text }, ...more }),
    says: (text) => assistant({ type: "text", text }),
    calls: (tool, input, result, failed = false) => {
      const call = id()
      assistant({ type: "tool_use", id: call, name: tool, input })
      const block = { type: "tool_result", tool_use_id: call, content: result, is_error: failed }
      return line({ type: "user", message: { content: [block] } })
    },
    edits: (path) => self.calls("Edit", { file_path: join(root, path), old_string: "a", new_string: "b" }, "updated"),
    runs: (command, result, failed = false) =>
      self.calls("Bash", { command }, failed ? `Exit code 1\n${result}` : result, failed),
    told: (answer) =>
      answer._tag === "nudge"
        ? line({
            type: "attachment",
            attachment: { type: "hook_additional_context", hookEvent: "Stop", content: [answer.feedback] }
          })
        : self,
    stop: (message, over = {}) => handle(hook, event({ message, ...over })),
    consulted: async (message, over = {}) => Handlers.handle(hook, event({ message, ...over }))
  }
  return self
}

/** The decision log's lines, oldest first. */
export const decisions = ({ hook }: Scratch): ReadonlyArray<{ readonly decision: string; readonly reason: string }> => {
  const file = join(hook.directories.state, "log.jsonl")
  return Fs.existsSync(file) ? JSON.parse(`[${Fs.readFileSync(file, "utf8").trim().replaceAll("\n", ",")}]`) : []
}

export const lastDecision = (scratched: Scratch): string => {
  const last = decisions(scratched).at(-1)
  return last === undefined ? "none" : `${last.decision}: ${last.reason}`
}

export const task = "Fix the rounding in src/total.ts and make sure that the tests pass."
export const claim = "Done, the rounding is fixed."

/** An agent that was asked for passing tests and edited. */
export const edited = (scratched: Scratch, id = "s1", asked = task): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(asked).edits("src/total.ts")
}

/** An agent that edited, ran no tests, and says that it is done. */
export const begun = (scratched: Scratch, id = "s1"): Session => edited(scratched, id).says(claim)

export const type = ({ hook }: Scratch, agent: Session, prompt: string): HookAnswer =>
  handle(hook, agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt }))

export const replyOf = (answer: HookAnswer): string => (answer._tag === "reply" ? answer.text : `(${answer._tag})`)

export const feedbackOf = (answer: HookAnswer): string =>
  answer._tag === "nudge" ? answer.feedback : `(${answer._tag})`

/** What the user is shown. */
export const noticeOf = (answer: HookAnswer): string =>
  answer._tag === "nudge" ? answer.notice : answer._tag === "notice" ? answer.text : `(${answer._tag})`

/** Writes the user's own configuration. */
export const configure = ({ hook }: Scratch, config: object): void => {
  Fs.mkdirSync(hook.directories.config, { recursive: true })
  Fs.writeFileSync(join(hook.directories.config, "config.json"), JSON.stringify(config))
}

export const failures = (scratched: Scratch): ReadonlyArray<string> =>
  decisions(scratched).flatMap(({ decision, reason }) => (decision === "failure" ? [reason] : []))

export const reasons = (scratched: Scratch): string =>
  decisions(scratched)
    .map(({ decision, reason }) => `${decision}: ${reason}`)
    .join("\n")

export const stateFile = ({ hook }: Scratch, id = "s1"): string =>
  join(hook.directories.state, "sessions", "claude-code", `${id}.json`)

/** The last review's full record. */
export const record = ({ root }: Scratch): unknown => {
  const folder = join(root, ".reflection")
  const name = Fs.readdirSync(folder).findLast((one) => /_\d{13}\.json$/.test(one)) ?? "none"
  return JSON.parse(Fs.readFileSync(join(folder, name), "utf8"))
}
