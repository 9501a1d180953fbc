import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Mutator } from "@reflexion/core/Mutator"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { TaskControl } from "@reflexion/core/TaskControl"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as ClaudeCodeHost from "@reflexion/testing/hosts/ClaudeCodeHost"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedAnthropic from "@reflexion/testing/servers/ScriptedAnthropic"
import { Clock, Effect, Layer, Logger, LogLevel } from "effect"
import * as ClaudeCodeModel from "../src/ClaudeCodeModel.ts"
import * as ClaudeCodeMutator from "../src/ClaudeCodeMutator.ts"

const action = RecommendedAction.make({
  target: "deploy",
  change: "Log in before the nudge.",
  reason: "three runs had no token"
})

const skill = "skills/deploy.md"

const call = (tool: string, input: Readonly<Record<string, unknown>>) => ModelScript.act("", { tool, input })

const read = call("Read", { file_path: skill })

const edit = call("Edit", { file_path: skill, old_string: "Nudge.", new_string: "Log in. Nudge." })

/** A user's Claude Code with hooks, a server and instructions, over a repository that has a skill. */
const world = (
  turns: (root: string) => ScriptedAnthropic.Script["turns"],
  rules: NonNullable<ScriptedAnthropic.Script["rules"]> = []
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const sandbox = yield* Sandbox.make({
      name: "fleet",
      project: {
        [skill]: "---\nname: deploy\ndescription: Deploys.\n---\nNudge.\n",
        "CLAUDE.md": "Speak like a pirate."
      }
    })
    const { requests, url } = yield* ScriptedAnthropic.make({ turns: turns(sandbox.root), rules })
    const home = `${sandbox.home}/.claude`
    yield* fs.makeDirectory(home, { recursive: true })
    const hooked = { type: "command", command: `touch '${sandbox.root}/hooked'`, timeout: 60 }
    const hooks = { Stop: [{ hooks: [hooked] }], PostToolUse: [{ matcher: "*", hooks: [hooked] }] }
    yield* fs.writeFileString(`${home}/settings.json`, JSON.stringify({ hooks }))
    const binary = yield* HostBinaries.claudeCodeBinary
    const program = yield* HostProgram.sandboxed({ sandbox, binary, env: ClaudeCodeHost.offline(url) })
    const git = (...words: ReadonlyArray<string>) =>
      Effect.map(Sandbox.execute(sandbox, "git", ...words), (text) => text.trim())
    yield* fs.writeFileString(`${sandbox.workspace}/draft.md`, "The user is writing this.")
    const propose = () =>
      Effect.flatMap(Mutator, (mutator) => mutator.propose(action ?? assert.fail("no action"))).pipe(
        Effect.provide(ClaudeCodeMutator.layer({ repository: sandbox.workspace, program }))
      )
    return { fs, git, program, propose, requests, sandbox }
  })

const objective = "Deploy the shop's newest version."

/** Three attempts at a task that failed, one after the other. */
const failures = Effect.gen(function* () {
  const log = yield* OutcomeLog
  const now = yield* Clock.currentTimeMillis
  for (const back of [3, 2, 1])
    yield* log.append({
      id: `attempt-${back}`,
      taskId: "deploy",
      sessionId: `session-${back}`,
      objective,
      status: "failed",
      durationMs: 1000,
      tools: [],
      loaded: [{ kind: "file", name: skill }],
      resultLength: 400,
      backend: "claude-code",
      at: new Date(now - back * 60_000).toISOString()
    })
})

/** Every file of the work tree with its text, and what git has checked out there. */
const stateOf = (sandbox: Sandbox.Sandbox) =>
  Sandbox.execute(
    sandbox,
    "sh",
    "-c",
    "find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort -k 2; cat .git/HEAD; git rev-parse HEAD; git ls-files --stage; git stash list; git worktree list"
  )

describe("the cycle, with Claude Code as its model and its mutator", () => {
  it.scopedLive("leads from failures to a branch, and changes nothing where the user works", () =>
    Effect.gen(function* () {
      const recommends = {
        name: "analysis",
        when: ({ conversation }: ModelScript.ModelRequest) => conversation.includes(objective),
        replies: [
          ModelScript.say(
            JSON.stringify({
              analysis: `All of them stop at the nudge.\n\nSKILL_ACTION: ${skill}: Log in before the nudge.\nWhy: three runs had no token`
            })
          )
        ]
      } as const
      const { git, program, requests, sandbox } = yield* world(
        () => [read, edit, ModelScript.say("Done.")],
        [recommends]
      )
      const before = yield* stateOf(sandbox)
      const ports = Layer.mergeAll(
        Layer.provide(ReflectionAnalysis.Live(), ClaudeCodeModel.layer({ program })),
        ClaudeCodeMutator.layer({ repository: sandbox.workspace, program })
      )
      const cycle = ReflectionCycle.Live().pipe(
        Layer.provideMerge(Layer.merge(OutcomeLog.Memory, FindingLog.Memory)),
        Layer.provide([TaskControl.None, ports])
      )
      const { findings, mutations } = yield* Effect.gen(function* () {
        yield* failures
        const { run } = yield* ReflectionCycle
        const { mutations } = yield* run()
        return { mutations, findings: yield* Effect.flatMap(FindingLog, (log) => log.findings()) }
      }).pipe(Effect.provide(cycle))
      const [mutation, ...others] = mutations
      assert.lengthOf(others, 0)
      assert.strictEqual(mutation?.kind, "branch")
      const branch = mutation?.reference ?? ""
      assert.include(yield* git("show", `${branch}:${skill}`), "Log in. Nudge.")
      assert.strictEqual(yield* git("rev-parse", `${branch}^`), yield* git("rev-parse", "HEAD"))
      assert.strictEqual(yield* stateOf(sandbox), before)
      const analysis = findings.find(({ rule }) => rule === "analysis")
      assert.strictEqual(analysis?.actionTaken, `left branch ${branch}`)
      assert.include(analysis?.detail, "All of them stop at the nudge.")
      assert.lengthOf(yield* requests, 4)
    }).pipe(Effect.provide(NodeContext.layer), Logger.withMinimumLogLevel(LogLevel.Warning))
  )
})

describe.concurrent("a change that Claude Code makes", () => {
  it.scopedLive("is on a branch, and the working copy as it was", () =>
    Effect.gen(function* () {
      const { fs, git, propose, requests, sandbox } = yield* world(() => [read, edit, ModelScript.say("Done.")])
      const before = yield* git("status", "--porcelain", "--branch")
      const mutation = yield* propose()
      assert.strictEqual(mutation.detail, "1 file changed, 1 insertion(+), 1 deletion(-); the agent said: Done.")
      assert.include(yield* git("show", `${mutation.reference}:${skill}`), "Log in. Nudge.")
      assert.strictEqual(yield* git("status", "--porcelain", "--branch"), before)
      assert.strictEqual((yield* git("worktree", "list")).split("\n").length, 1)
      const [request, ...more] = yield* requests
      assert.lengthOf(more, 2)
      const { conversation = "", system = "", tools = [] } = request ?? {}
      // With a key (`--bare`) it has no others.
      assert.sameMembers([...tools], ["Read", "Edit"])
      assert.include(conversation, "Log in before the nudge.")
      assert.notInclude(system + conversation, "pirate")
      assert.isFalse(yield* fs.exists(`${sandbox.root}/hooked`))
      assert.isFalse(yield* fs.exists(`${sandbox.home}/.claude/projects`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("takes five rounds at most", () =>
    Effect.gen(function* () {
      const { git, propose, requests } = yield* world(() => [read, edit, read, read, read, read, read])
      const mutation = yield* propose()
      assert.include(mutation.detail, "its 5 rounds were used up")
      assert.lengthOf(yield* requests, 5)
      assert.include(yield* git("show", `${mutation.reference}:${skill}`), "Log in. Nudge.")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("hands on what the agent says of a skill in .claude, which it may not edit", () =>
    Effect.gen(function* () {
      const own = { file_path: ".claude/skills/login/SKILL.md" }
      const { propose } = yield* world(() => [
        call("Read", own),
        call("Edit", { ...own, old_string: "Nudge.", new_string: "Log in." }),
        ModelScript.say("I may not.")
      ])
      const error = yield* Effect.flip(propose())
      assert.match(error.message, /unchanged.*changed no file of the repository; the agent said: I may not\.$/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("writes nothing outside of the work tree, and runs nothing", () =>
    Effect.gen(function* () {
      const { fs, git, propose, sandbox } = yield* world((root) => [
        call("Write", { file_path: `${root}/home/fleet/escaped.md`, content: "x" }),
        call("Write", { file_path: `${root}/escaped.md`, content: "x" }),
        call("Bash", { command: `touch '${root}/ran'` }),
        ModelScript.say("Done.")
      ])
      const error = yield* Effect.flip(propose())
      assert.strictEqual(error.reason, "unchanged")
      for (const file of ["escaped.md", "home/fleet/escaped.md", "ran"])
        assert.isFalse(yield* fs.exists(`${sandbox.root}/${file}`), file)
      assert.strictEqual(yield* git("branch", "--list", "reflexion/*"), "")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
