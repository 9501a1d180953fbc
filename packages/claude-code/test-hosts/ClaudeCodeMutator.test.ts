import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as ClaudeCodeContract from "@reflexion/testing/hosts/ClaudeCodeContract"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedAnthropic from "@reflexion/testing/servers/ScriptedAnthropic"
import { Effect } from "effect"
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
const world = (turns: (root: string) => ScriptedAnthropic.Script["turns"]) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const sandbox = yield* Sandbox.make({
      name: "fleet",
      project: {
        [skill]: "---\nname: deploy\ndescription: Deploys.\n---\nNudge.\n",
        "CLAUDE.md": "Speak like a pirate."
      }
    })
    const { requests, url } = yield* ScriptedAnthropic.make({ turns: turns(sandbox.root) })
    const home = `${sandbox.home}/.claude`
    yield* fs.makeDirectory(home, { recursive: true })
    const hooked = { type: "command", command: `touch '${sandbox.root}/hooked'`, timeout: 60 }
    const hooks = { Stop: [{ hooks: [hooked] }], PostToolUse: [{ matcher: "*", hooks: [hooked] }] }
    yield* fs.writeFileString(`${home}/settings.json`, JSON.stringify({ hooks }))
    const binary = yield* HostBinaries.claudeCodeBinary
    const program = yield* HostProgram.sandboxed({ sandbox, binary, env: ClaudeCodeContract.offline(url) })
    const git = (...words: ReadonlyArray<string>) =>
      Effect.map(Sandbox.execute(sandbox, "git", ...words), (text) => text.trim())
    yield* fs.writeFileString(`${sandbox.workspace}/draft.md`, "The user is writing this.")
    const propose = () =>
      Effect.flatMap(Mutator, (mutator) => mutator.propose(action ?? assert.fail("no action"))).pipe(
        Effect.provide(ClaudeCodeMutator.layer({ repository: sandbox.workspace, program }))
      )
    return { fs, git, propose, requests, sandbox }
  })

describe.concurrent("a change that Claude Code makes", () => {
  it.scopedLive("is on a branch and leaves the working copy unchanged", () =>
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
      // With a key (`--bare`) the agent has no other tools.
      assert.sameMembers([...tools], ["Read", "Edit"])
      assert.include(conversation, "Log in before the nudge.")
      assert.notInclude(system + conversation, "pirate")
      assert.isFalse(yield* fs.exists(`${sandbox.root}/hooked`))
      assert.isFalse(yield* fs.exists(`${sandbox.home}/.claude/projects`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("an edit of a skill in .claude is refused; the error repeats the agent's words", () =>
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
