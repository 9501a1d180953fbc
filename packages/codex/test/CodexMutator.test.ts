import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Mutator } from "@reflexion/core/Mutator"
import * as RecommendedAction from "@reflexion/core/RecommendedAction"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { worksWith } from "../../core/test/support/works.ts"
import * as CodexMutator from "../src/CodexMutator.ts"
import { succeeded } from "./support/lines.ts"

const live = worksWith(NodeContext.layer, it.scopedLive)

const action = RecommendedAction.make({ target: "deploy", change: "Log in first.", reason: "" })

const over = Effect.fnUntraced(function* (printing: HostProgram.Printing) {
  const fs = yield* FileSystem.FileSystem
  const repository = yield* fs.makeTempDirectoryScoped()
  const git = (...words: ReadonlyArray<string>) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...words])
  git("init", "--quiet")
  git("commit", "--quiet", "--allow-empty", "--message=Begin")
  const { program, ...kept } = yield* HostProgram.fake(printing)
  const layer = CodexMutator.layer({ repository, program, model: "gpt-5.5", env: { CODEX_HOME: "/nowhere" } })
  const error = yield* Effect.flatMap(Mutator, (mutator) =>
    Effect.flip(mutator.propose(action ?? assert.fail("no action")))
  ).pipe(Effect.provide(layer))
  return { ...kept, error }
})

const line = `exec --json --ephemeral --skip-git-repo-check --disable hooks --sandbox workspace-write
-c agents.enabled=false -c approval_policy="never" -c include_apps_instructions=false -c include_collaboration_mode_instructions=false -c notify=[] -c project_doc_max_bytes=0 -c skills.include_instructions=false -c tools.experimental_request_user_input.enabled=false -c web_search="disabled"
-c features.apps=false -c features.code_mode_host=false -c features.goals=false -c features.image_generation=false -c features.memories=false -c features.multi_agent=false -c features.plugins=false -c features.shell_snapshot=false -c features.sleep_tool=false -c features.tool_suggest=false -c features.unbounded_connection_retries=false -c features.view_image=false
-c sandbox_workspace_write.network_access=false -c sandbox_workspace_write.exclude_slash_tmp=true -c sandbox_workspace_write.exclude_tmpdir_env_var=true -c sandbox_workspace_write.writable_roots=[]
--model gpt-5.5 -`

live("CodexMutator sandboxes Codex without hooks and servers, and keeps the change out of arguments", function* () {
  const { env, error, question, words } = yield* over({ out: succeeded("Not here.") })
  assert.match(error.message, /unchanged.*the agent said: Not here\.$/)
  assert.strictEqual((yield* words).join(" "), line.replaceAll("\n", " "))
  assert.include(yield* question, "Log in first.")
  assert.include(yield* env, "REFLEXION_ASKING=1")
})

live("CodexMutator fails with Codex's message", function* () {
  const { error } = yield* over({ err: "Not logged in", code: 1 })
  assert.strictEqual(error.reason, "failed")
  assert.include(error.message, "Not logged in")
})
