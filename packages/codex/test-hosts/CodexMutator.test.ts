import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as CodexContract from "@reflexion/testing/hosts/CodexContract"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedResponses from "@reflexion/testing/servers/ScriptedResponses"
import { Effect } from "effect"
import * as CodexMutator from "../src/CodexMutator.ts"

const action = RecommendedAction.make({
  target: "deploy",
  change: "Log in before the nudge.",
  reason: "three runs had no token"
})

const skill = "skills/deploy.md"

const run = (cmd: string) => ModelScript.act("", { tool: "exec_command", input: { cmd } })

const read = run(`cat ${skill}`)

const edit = run(`printf 'Log in. Nudge.\\n' > ${skill}`)

const configOf = (url: string, root: string) => `model = "gpt-5.5"
model_provider = "scripted"
notify = ["sh", "-c", "touch '${root}/notified'"]
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[mcp_servers.slow]
command = "/bin/sh"
args = ["-c", "touch '${root}/started'; sleep 60"]
`

/** A user's Codex with a server and a notification, over a repository that has a skill. */
const world = (turns: (root: string) => ScriptedResponses.Script["turns"]) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const sandbox = yield* Sandbox.make({
      name: "fleet",
      project: { [skill]: "Nudge.\n", "AGENTS.md": "Speak like a pirate." }
    })
    const { requests, url } = yield* ScriptedResponses.make({ turns: turns(sandbox.root) })
    const home = CodexContract.codexHome(sandbox)
    yield* fs.makeDirectory(home, { recursive: true })
    yield* fs.writeFileString(`${home}/config.toml`, configOf(url, sandbox.root))
    const env = { CODEX_HOME: home, SCRIPTED_API_KEY: "test" }
    const binary = yield* HostBinaries.codexBinary
    const program = yield* HostProgram.sandboxed({ sandbox, binary, env })
    const git = (...words: ReadonlyArray<string>) =>
      Effect.map(Sandbox.execute(sandbox, "git", ...words), (text) => text.trim())
    yield* fs.writeFileString(`${sandbox.workspace}/draft.md`, "The user is writing this.")
    const propose = Effect.flatMap(Mutator, (mutator) => mutator.propose(action ?? assert.fail("no action"))).pipe(
      Effect.provide(CodexMutator.layer({ repository: sandbox.workspace, program, env }))
    )
    return { fs, git, home, propose, requests, sandbox }
  })

describe.concurrent("a change that Codex makes", () => {
  it.scopedLive("is on a branch and leaves the working copy unchanged", () =>
    Effect.gen(function* () {
      const { fs, git, home, propose, requests, sandbox } = yield* world(() => [read, edit, ModelScript.say("Done.")])
      const before = yield* git("status", "--porcelain", "--branch")
      const mutation = yield* propose
      assert.strictEqual(mutation.detail, "1 file changed, 1 insertion(+), 1 deletion(-); the agent said: Done.")
      assert.strictEqual(yield* git("show", `${mutation.reference}:${skill}`), "Log in. Nudge.")
      assert.strictEqual(yield* git("status", "--porcelain", "--branch"), before)
      assert.strictEqual((yield* git("worktree", "list")).split("\n").length, 1)
      const [request, ...more] = yield* requests
      assert.lengthOf(more, 2)
      const { conversation = "" } = request ?? {}
      assert.include(conversation, "Log in before the nudge.")
      assert.notInclude(conversation, "pirate")
      for (const file of ["started", "notified"]) assert.isFalse(yield* fs.exists(`${sandbox.root}/${file}`))
      assert.isFalse(yield* fs.exists(`${home}/sessions`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("writes nothing outside of the work tree", () =>
    Effect.gen(function* () {
      const { fs, git, propose, sandbox } = yield* world((root) => [
        run(`touch '${root}/escaped' '${root}/home/fleet/escaped' /tmp/reflexion-escaped; git branch mine`),
        ModelScript.say("I may not.")
      ])
      const error = yield* Effect.flip(propose)
      assert.match(error.message, /\(unchanged\): .*the agent said: I may not\.$/su)
      for (const file of [`${sandbox.root}/escaped`, `${sandbox.workspace}/escaped`, "/tmp/reflexion-escaped"])
        assert.isFalse(yield* fs.exists(file), file)
      assert.strictEqual(yield* git("branch", "--list", "mine", "reflexion/*"), "")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
