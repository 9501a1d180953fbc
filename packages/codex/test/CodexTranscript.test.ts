import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as CodexTranscript from "../src/CodexTranscript.ts"
import {
  asked,
  at,
  call,
  completed,
  custom,
  done,
  event,
  exited,
  item,
  line,
  meta,
  numbered,
  oldRollout,
  output,
  running,
  said,
  started,
  told
} from "./support/lines.ts"
import { recorded } from "./support/recorded.ts"

const { brief } = Decoding

const decodeValues = (...values: ReadonlyArray<unknown>) => Decoding.fold(CodexTranscript, values)[0]

const decoded = (...values: ReadonlyArray<unknown>) => brief(decodeValues(meta(), ...values))

/** The last state of the call with this id. */
const settled = (id: string, ...values: ReadonlyArray<unknown>) => {
  const found = decodeValues(meta(), ...values).findLast((one) => one.type === "tool_call" && one.id === id)
  return found?.type === "tool_call" ? found : undefined
}

const sessionOf = (...values: ReadonlyArray<unknown>) => {
  let state = CodexTranscript.initial
  for (const value of values) state = CodexTranscript.step(state, value)[0]
  return CodexTranscript.session(state)
}

const ended = (exit_code: number) =>
  done({
    type: "CommandExecution",
    id: "c1",
    command: ["make"],
    status: "failed",
    exit_code,
    aggregated_output: "x"
  })

/** What a script answers. */
const answered = (text: string) => [
  { type: "input_text", text: "Script completed\nWall time 0.1 seconds\nOutput:\n" },
  { type: "input_text", text }
]

const stream = (...values: ReadonlyArray<unknown>) =>
  brief(decodeValues({ type: "thread.started", thread_id: "s1" }, { type: "turn.started" }, ...values))

/** A prompt and an answer as new versions record them. */
const prompt = (text: string) => [
  numbered(told(text, ["user.text"])),
  numbered(done({ type: "UserMessage", id: "u1", content: [{ type: "text", text }] }))
]

const answer = (text: string) => [
  numbered(done({ type: "AgentMessage", id: "m1", content: [{ type: "Text", text }], phase: "final_answer" })),
  numbered(said(text, { id: "m1", phase: "final_answer" }))
]

const poll = (id: string) => call(id, "write_stdin", { session_id: 7, chars: "" })

describe("the session", () => {
  it("is what the first line says, not what a fork copied", () => {
    const forked = meta({ id: "s2", forked_from_id: "s1", cwd: "/repo" })
    assert.deepStrictEqual(sessionOf(forked, meta({ id: "s1", cwd: "/elsewhere" })), {
      host: "codex",
      sessionId: "s2",
      parentSessionId: null,
      cwd: "/repo",
      mode: "unknown",
      attended: true
    })
  })

  it.each([
    [{ originator: "codex_exec", source: "exec" }, false],
    [{ originator: "codex_sdk_ts", source: "exec" }, false],
    [{ originator: "codex_cli_rs", source: "cli" }, true],
    [{ originator: "codex-tui", source: "vscode" }, true],
    [{ originator: "codex_vscode", source: "vscode" }, true],
    [{ originator: "Codex Desktop", source: "vscode" }, true],
    [{ originator: "a_client_of_mine", source: "vscode" }, null],
    [{ originator: undefined, source: undefined }, null]
  ])("has somebody in it by its client: %j", (client, attended) => {
    assert.strictEqual(sessionOf(meta({ id: "s1", cwd: "/repo", ...client })).attended, attended)
  })

  it.each([
    ["codex-screen", true],
    ["codex-exec", false],
    ["codex-exec-resumed-on-screen", null]
  ])("has somebody in it by its record: %s", (name, attended) => {
    assert.strictEqual(sessionOf(...recorded(name)).attended, attended)
  })

  it("has nobody in it where the command's own events tell of it", () => {
    assert.isFalse(sessionOf({ type: "thread.started", thread_id: "s1" }).attended)
  })

  it.each([
    [{ subagent: { thread_spawn: { parent_thread_id: "p1", depth: 1 } } }, {}, "p1"],
    [{ subagent: "review" }, { parent_thread_id: "p2" }, "p2"],
    [{ subagent: "review" }, { session_id: "p3" }, "p3"],
    [{ subagent: "compact" }, {}, "unknown"],
    ["exec", { session_id: "s1", forked_from_id: "p4" }, null]
  ])("of an agent, source %j, has a parent", (source, over, expected) => {
    assert.strictEqual(sessionOf(meta({ source, ...over })).parentSessionId, expected)
  })

  it("has the directory of a URL", () => {
    assert.strictEqual(sessionOf(meta({ cwd: "file:///repo/a" })).cwd, "/repo/a")
  })
})

describe("rollouts of before October 2025", () => {
  it("tell the session by their head and by what the model was told of the directory", () => {
    const { cwd, host, parentSessionId, sessionId } = sessionOf(...oldRollout("/repo"))
    assert.deepStrictEqual(
      { cwd, host, parentSessionId, sessionId },
      {
        host: "codex",
        sessionId: "s1",
        parentSessionId: null,
        cwd: "/repo"
      }
    )
  })

  it("have their calls, a patch as a patch", () => {
    const calls = decodeValues(...oldRollout("/repo")).flatMap((one) => (one.type === "tool_call" ? [one] : []))
    assert.deepStrictEqual(
      calls.map(({ cwd, exitCode, input, status, tool }) => [tool, input, cwd, status, exitCode]),
      [
        ["shell", { command: "make" }, "/repo", "pending", null],
        ["shell", { command: "make" }, "/repo", "error", 1],
        ["apply_patch", { patch: "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch" }, "/repo/b", "pending", null],
        ["apply_patch", { patch: "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch" }, "/repo/b", "completed", 0]
      ]
    )
  })

  it.each([
    ["its head", oldRollout("/repo")[0], true],
    ["its head with git", { id: "s1", timestamp: at(0), instructions: "", git: { branch: "main" } }, true],
    ["a state", { record_type: "state" }, true],
    ["an id and a time alone", { id: "s1", timestamp: at(0) }, false],
    ["a head that has a type", { id: "s1", timestamp: at(0), instructions: "", type: "session" }, false],
    ["an item that any program may write", { type: "message", role: "user", content: [] }, false]
  ])("are known by %s", (_, value, expected) => {
    assert.strictEqual(CodexTranscript.decoder.recognises(value), expected)
  })
})

describe("messages of old rollouts", () => {
  it("are told once, a person's under the time of the event", () => {
    const prompt = asked("fix it")
    const events = decodeValues(
      meta(),
      started(),
      ...prompt,
      event({ type: "agent_message", message: "on it" }),
      said("on it", { phase: "commentary" }),
      event({ type: "agent_message", message: "done" }),
      said("done", { phase: "final_answer" }),
      completed()
    )
    assert.deepStrictEqual(brief(events), ["user 0: fix it", "agent: on it", "agent: done"])
    assert.strictEqual(events[0]?.at, prompt[1]?.["timestamp"])
  })

  it("are told once whichever record comes first", () => {
    const [toModel, toUser] = asked("fix it")
    const agent = event({ type: "agent_message", message: "done" })
    const expected = ["user 0: fix it", "agent: done"]
    assert.deepStrictEqual(decoded(started(), toUser, toModel, said("done"), agent, completed()), expected)
    assert.deepStrictEqual(decoded(toUser, started(), toModel, agent, said("done"), completed()), expected)
  })

  it("say twice what was said twice", () => {
    const twice = [event({ type: "agent_message", message: "again" }), said("again")]
    assert.deepStrictEqual(decoded(started(), ...asked("go"), ...twice, ...twice), [
      "user 0: go",
      "agent: again",
      "agent: again"
    ])
  })

  it("take a text of no event for a person's where no event ever names one", () => {
    assert.deepStrictEqual(decoded(told("fix it"), said("done"), told("and this"), said("done too")), [
      "user 0: fix it",
      "agent: done",
      "user 1: and this",
      "agent: done too"
    ])
    assert.deepStrictEqual(
      decoded(started(), ...asked("fix it"), said("done"), told("Review the changes"), said("ok")),
      ["user 0: fix it", "agent: done", "agent: ok"]
    )
  })

  it("are a person's at the end of the record too", () => {
    assert.deepStrictEqual(decoded(told("fix it")), ["user 0: fix it"])
  })

  it.each([
    "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /repo\n\n<INSTRUCTIONS>\nRun the tests.\n</INSTRUCTIONS>",
    "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nRun the tests.\n</INSTRUCTIONS>",
    "<user_instructions>\nRun the tests.\n</user_instructions>",
    "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
    "<user_action>\n  <context>User initiated a review</context>\n</user_action>"
  ])("leave out what the host tells the model: %j", (text) => {
    assert.deepStrictEqual(decoded(told(text), started(), ...asked("go")), ["user 0: go"])
  })

  it("mark what stands in the user's place and is the host's", () => {
    assert.deepStrictEqual(
      decoded(started(), ...asked("go"), told("<user_shell_command>\nls\n</user_shell_command>")),
      ["user 0: go", "synthetic: <user_shell_command>\nls\n</user_shell_command>"]
    )
  })

  it("call a prompt of nothing but an image one", () => {
    const picture = event({ type: "user_message", message: "", local_images: ["a.png"] })
    assert.deepStrictEqual(decoded(started(), picture), ["user 0: [image]"])
  })
})

describe("messages of new rollouts", () => {
  it("are told once", () => {
    const events = decodeValues(meta(), started(), ...prompt("fix it"), ...answer("done"), completed())
    assert.deepStrictEqual(brief(events), ["user 0: fix it", "agent: done"])
    assert.deepInclude(events[1], { completed: true, id: "m1" })
  })

  it("are a person's only where the host says so", () => {
    const mixed = numbered(
      item({
        type: "message",
        role: "user",
        content: [{ text: "<skill>…</skill>" }, { text: "fix it" }],
        internal_chat_message_metadata_passthrough: { content_item_kinds: ["skills.skill", "user.text"] }
      })
    )
    assert.deepStrictEqual(decoded(started(), mixed), ["user 0: fix it"])
    const goal = '<codex_internal_context source="goal">\nContinue.\n</codex_internal_context>'
    assert.deepStrictEqual(decoded(started(), numbered(told(goal, ["goal.internal_context"]))), [`synthetic: ${goal}`])
  })

  it("are told once where the two records spell a prompt differently", () => {
    const shown = numbered(done({ type: "UserMessage", id: "u1", content: [{ type: "text", text: "see [Image #1]" }] }))
    const toModel = numbered(told("see <image name=[Image #1]>", ["user.text"]))
    const again = prompt("and now?")
    assert.deepStrictEqual(decoded(started(), toModel, shown, ...again, ...again), [
      "user 0: see <image name=[Image #1]>",
      "user 0: and now?",
      "user 0: and now?"
    ])
  })

  it("show a hook's reason as the hook wrote it", () => {
    const one = `<hook_prompt hook_run_id="stop:0:/h.json">Run &lt;npm test&gt; &amp; say &quot;ok&quot; &#x2713;</hook_prompt>`
    const hook = numbered(told(`${one}<hook_prompt hook_run_id="stop:1:/h.json">And lint.</hook_prompt>`, ["unknown"]))
    const shown = numbered(done({ type: "HookPrompt", id: "h1", fragments: [{ text: "…" }] }))
    assert.deepStrictEqual(decoded(started(), ...prompt("go"), ...answer("done"), hook, shown), [
      "user 0: go",
      "agent: done",
      'synthetic: Run <npm test> & say "ok" ✓\nAnd lint.'
    ])
  })

  it("leave out the summary that the model writes of what is compacted", () => {
    const summary = numbered(said("Still to do: run the tests?"))
    const compacted = numbered(line("compacted", { message: "…", replacement_history: [{}] }))
    assert.deepStrictEqual(decoded(started(), ...prompt("go"), summary, compacted, ...answer("done")), [
      "user 0: go",
      "compacted: null",
      "agent: done"
    ])
  })

  it("keep a text of no event that nothing speaks against", () => {
    assert.deepStrictEqual(decoded(started(), ...prompt("go"), numbered(said("done")), completed()), [
      "user 0: go",
      "agent: done"
    ])
    assert.deepStrictEqual(decoded(started(), ...prompt("go"), numbered(said("done"))), ["user 0: go", "agent: done"])
  })
})

describe("turns", () => {
  it("are begun by the first message after the host began one; what is typed meanwhile joins it", () => {
    assert.deepStrictEqual(
      decoded(
        started(),
        ...asked("one"),
        ...asked("also"),
        completed(),
        started(),
        ...asked("two"),
        event({ type: "turn_aborted", reason: "interrupted" }),
        ...asked("three")
      ),
      ["user 0: one", "user 0: also", "user 2: two", "aborted: interrupted", "user 3: three"]
    )
  })

  it("are begun by every message where the host never says so", () => {
    assert.deepStrictEqual(decoded(...asked("one"), ...asked("two")), ["user 0: one", "user 1: two"])
  })

  it("have their mode from their prompt on", () => {
    const plan = started({ collaboration_mode_kind: "plan" })
    const events = decoded(plan, ...asked("how?"), completed(), started({ collaboration_mode_kind: "default" }))
    assert.deepStrictEqual(events, ["user 0: how?", "mode: plan"])
    const goal = decoded(plan, ...asked("how?"), completed(), started({ collaboration_mode_kind: "x" }), said("on it"))
    assert.deepStrictEqual(goal, ["user 0: how?", "mode: plan", "mode: build", "agent: on it"])
  })

  it.each([
    [{ message: "Stream disconnected", codex_error_info: "other" }, "api_error"],
    [{ message: "You've hit your usage limit.", codex_error_info: "usage_limit_exceeded" }, "rate_limited"],
    [{ message: "exceeded retry limit, last status: 429 Too Many Requests" }, "rate_limited"],
    [{ message: "x", codex_error_info: { http_connection_failed: {} } }, "api_error"]
  ])("that end with %j say so", (error, kind) => {
    assert.deepStrictEqual(decoded(started(), ...asked("go"), completed({ error })), [
      "user 0: go",
      `${kind}: ${error.message}`
    ])
  })
})

describe("shell calls", () => {
  it.each<[string, unknown, string | null, number | null, string]>([
    ["exit 0", exited(0, "ok\n"), "completed", 0, "ok\n"],
    ["exit 3", exited(3, "no\n"), "error", 3, "no\n"],
    ["the command repeated", `Command: /bin/zsh -lc 'make\nOutput: x'\n${exited(2, "no")}`, "error", 2, "no"],
    ["JSON", '{"output":"ok","metadata":{"exit_code":0,"duration_seconds":0.1}}', "completed", 0, "ok"],
    ["JSON that failed", '{"output":"no","metadata":{"exit_code":1}}', "error", 1, "no"],
    ["a plain exit code", "Exit code: 1\nWall time: 0 seconds\nOutput:\nno", "error", 1, "no"],
    [
      "an exit code inside",
      "Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nok",
      "completed",
      0,
      "ok"
    ],
    [
      "interrupted",
      "Wall time: 0.6 seconds\naborted by user",
      "interrupted",
      null,
      "Wall time: 0.6 seconds\naborted by user"
    ],
    ["interrupted, old", "aborted by user after 3.2s", "interrupted", null, "aborted by user after 3.2s"],
    ["refused", "exec command rejected by user", "denied", null, "exec command rejected by user"],
    [
      "text that only speaks of it",
      "the patch was rejected by user 7",
      "completed",
      null,
      "the patch was rejected by user 7"
    ],
    ["content parts", [{ type: "input_text", text: exited(0, "ok") }], "completed", 0, "ok"]
  ])("settle by their output: %s", (_, text, status, exitCode, printed) => {
    const found = settled("c1", call("c1", "exec_command", { cmd: "make" }), output("c1", text))
    assert.deepStrictEqual([found?.status, found?.exitCode, found?.output], [status, exitCode, printed])
  })

  it.each([
    'exec_command failed for `/bin/zsh -lc ps`: CreateProcess { message: "Rejected(\\"blocked by policy\\")" }',
    'exec_command failed for `/bin/zsh -lc ps`: CreateProcess { message: "Codex(Sandbox(Denied { output: … }))" }'
  ])("are denied by a policy and by the sandbox: %s", (text) => {
    assert.strictEqual(settled("c1", call("c1", "exec_command", { cmd: "ps" }), output("c1", text))?.status, "denied")
  })

  it.each<[string, unknown, unknown]>([
    ["exec_command", { cmd: "npm test" }, "npm test"],
    ["shell", { command: ["bash", "-lc", "npm test && echo"] }, "npm test && echo"],
    ["shell", { command: ["/bin/zsh", "-c", "npm test"] }, "npm test"],
    ["shell", { command: ["npm", "test"] }, ["npm", "test"]],
    ["shell_command", { command: "/bin/bash -lc 'npm test'" }, "npm test"],
    ["shell_command", { command: `bash -lc "echo \\"a b\\""` }, 'echo "a b"'],
    ["shell_command", { command: "bash -lc 'a' b" }, "bash -lc 'a' b"],
    ["shell_command", { command: 'bash -lc "echo $HOME"' }, 'bash -lc "echo $HOME"']
  ])("%s %j have the command as it was written", (name, args, command) => {
    const found = settled("c1", item({ type: "function_call", call_id: "c1", name, arguments: JSON.stringify(args) }))
    assert.deepStrictEqual(found?.input, { command })
  })

  it("run where their arguments say, else in the turn's directory", () => {
    const context = line("turn_context", { cwd: "/repo/b", model: "m" })
    assert.strictEqual(settled("c1", context, call("c1", "exec_command", { cmd: "ls" }))?.cwd, "/repo/b")
    const given = call("c1", "exec_command", { cmd: "ls", workdir: "/tmp" })
    assert.strictEqual(settled("c1", context, given)?.cwd, "/tmp")
  })

  it("settle once, by the host's item where it comes first", () => {
    const ran = { type: "CommandExecution", id: "c1", command: ["bash", "-lc", "make"], status: "failed", exit_code: 3 }
    assert.deepStrictEqual(
      decoded(
        call("c1", "exec_command", { cmd: "make" }),
        done({ ...ran, aggregated_output: "no", cwd: "file:///repo" }),
        output("c1", exited(3, "no"))
      ),
      ["exec_command c1 pending", "exec_command c1 error 3"]
    )
    const old = { type: "exec_command_end", call_id: "c1", command: ["bash", "-lc", "make"], status: "completed" }
    assert.deepStrictEqual(
      decoded(
        call("c1", "exec_command", { cmd: "make" }),
        output("c1", exited(0, "ok")),
        event({ ...old, exit_code: 0, aggregated_output: "ok" })
      ),
      ["exec_command c1 pending", "exec_command c1 completed 0"]
    )
  })

  it("stay pending where the process was killed", () => {
    assert.deepStrictEqual(decoded(started(), ...asked("go"), call("c1", "exec_command", { cmd: "make" })), [
      "user 0: go",
      "exec_command c1 pending"
    ])
  })

  it("go on after their output, until a poll tells their exit code", () => {
    const values = [
      call("c1", "exec_command", { cmd: "make" }),
      output("c1", running(7, "one\n")),
      poll("c2"),
      output("c2", running(7, "two\n")),
      poll("c3"),
      output("c3", exited(2, "three\n"))
    ]
    assert.deepStrictEqual(decoded(...values), [
      "exec_command c1 pending",
      "exec_command c1 running",
      "write_stdin c2 pending",
      "write_stdin c2 completed",
      "write_stdin c3 pending",
      "write_stdin c3 completed",
      "exec_command c1 error 2"
    ])
    assert.deepInclude(settled("c1", ...values), { background: true, output: "one\ntwo\nthree\n" })
    const lost = output("c2", "write_stdin failed: Unknown process id 7")
    assert.strictEqual(settled("c1", ...values.slice(0, 3), lost)?.status, "running")
  })

  it("go on until the host's item tells their end; -1 is the host's own doing", () => {
    const begun = [call("c1", "exec_command", { cmd: "make" }), output("c1", running(7, ""))]
    assert.deepInclude(settled("c1", ...begun, ended(1)), { status: "error", exitCode: 1, background: true })
    assert.deepInclude(settled("c1", ...begun, ended(-1)), { status: "interrupted", exitCode: null })
  })

  it("are none of the agent's where the user ran them", () => {
    const own = {
      type: "CommandExecution",
      id: "u1",
      command: ["bash", "-lc", "ls"],
      status: "completed",
      exit_code: 0
    }
    assert.deepStrictEqual(decoded(done({ ...own, source: "user_shell" })), [])
  })

  it("of the oldest forms are read", () => {
    const action = { type: "exec", command: ["bash", "-lc", "ls"], working_directory: "/repo" }
    const local = { type: "local_shell_call", call_id: "c1", status: "completed", action }
    assert.deepInclude(settled("c1", item(local), output("c1", '{"output":"a","metadata":{"exit_code":0}}')), {
      tool: "shell",
      input: { command: "ls" },
      exitCode: 0
    })
    const bare = { type: "function_call", call_id: "c1", name: "shell", arguments: '{"command":["ls"]}' }
    assert.deepStrictEqual(decoded(bare), ["shell c1 pending"])
  })
})

describe("patches", () => {
  const text = "*** Begin Patch\n*** Update File: a.js\n@@\n-1\n+2\n*** End Patch"

  it("are edits of their files, whether the host's item comes or not", () => {
    const success = output(
      "c1",
      "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM a.js"
    )
    const changed = done({ type: "FileChange", id: "c1", status: "completed", changes: {}, stdout: "Success." })
    for (const values of [
      [success],
      [changed, success],
      [event({ type: "patch_apply_end", call_id: "c1", success: true })]
    ]) {
      const found = settled("c1", custom("c1", "apply_patch", text), ...values)
      assert.deepInclude(found, { tool: "apply_patch", status: "completed", input: { patch: text } })
    }
    const failed = output("c1", "apply_patch verification failed: Failed to find expected lines in a.js")
    assert.strictEqual(settled("c1", custom("c1", "apply_patch", text), failed)?.status, "error")
  })

  it("that a shell command carries are calls of their own", () => {
    const changes = {
      "/repo/a.js": { type: "update", unified_diff: "@@ -1 +1 @@\n-1\n+2\n", move_path: "/repo/b.js" },
      "/repo/c.js": { type: "add", content: "x\ny" },
      "/repo/d.js": { type: "delete", content: "z" }
    }
    const values = [
      call("c1", "exec_command", { cmd: `apply_patch <<'EOF'\n${text}\nEOF` }),
      done({ type: "FileChange", id: "c1", status: "completed", changes }),
      output("c1", exited(0, "Success."))
    ]
    assert.deepStrictEqual(decoded(...values), [
      "exec_command c1 pending",
      "apply_patch c1/patch pending",
      "apply_patch c1/patch completed",
      "exec_command c1 completed 0"
    ])
    assert.deepStrictEqual(settled("c1/patch", ...values)?.input, {
      patch: [
        "*** Update File: /repo/a.js\n*** Move to: /repo/b.js\n@@ -1 +1 @@\n-1\n+2\n",
        "*** Add File: /repo/c.js\n+x\n+y",
        "*** Delete File: /repo/d.js\n-z"
      ].join("\n")
    })
  })

  it("that are very long keep the names of their files", () => {
    const long = `*** Begin Patch\n*** Add File: a.js\n${"+x\n".repeat(50_000)}*** Update File: b.js\n@@\n+y\n*** End Patch`
    assert.deepStrictEqual(settled("c1", custom("c1", "apply_patch", long))?.input, {
      patch: "*** Add File: a.js\n*** Update File: b.js"
    })
  })
})

describe("code mode", () => {
  it("is told by the host's items where there are any", () => {
    const ran = {
      type: "CommandExecution",
      id: "exec-1",
      command: ["bash", "-lc", "make"],
      status: "completed",
      exit_code: 0
    }
    assert.deepStrictEqual(
      decoded(
        custom("c1", "exec", 'const r = await tools.exec_command({cmd:"make"}); text(r.output)'),
        done({ ...ran, aggregated_output: "ok" }),
        output("c1", answered("ok"))
      ),
      [
        "code_mode c1 pending",
        "exec_command exec-1 pending",
        "exec_command exec-1 completed 0",
        "code_mode c1 completed"
      ]
    )
  })

  it("is told by the script's literals where there are none", () => {
    const script = [
      'const r = await tools.exec_command({"cmd":"go test ./... \\u2713","workdir":"/repo/x"}); // cmd: "no"',
      "const s = await tools.exec_command({ cmd: `git status`, yield_time_ms: 1 });"
    ].join("\n")
    const values = [custom("c1", "exec", script), output("c1", answered("ok"))]
    assert.deepStrictEqual(decoded(...values), [
      "code_mode c1 pending",
      "code_mode c1 completed",
      "exec_command c1/0 pending",
      "exec_command c1/0 completed",
      "exec_command c1/1 pending",
      "exec_command c1/1 completed"
    ])
    assert.deepInclude(settled("c1/0", ...values), {
      input: { command: "go test ./... ✓" },
      cwd: "/repo/x",
      output: null
    })
  })

  it("tells the one command's outcome where the script printed it", () => {
    const script = 'text(JSON.stringify(await tools.exec_command({cmd:"make"})))'
    const printed = answered('{"exit_code":2,"output":"no"}')
    const found = settled("c1/0", custom("c1", "exec", script), output("c1", printed))
    assert.deepInclude(found, { status: "error", exitCode: 2, output: "no" })
    const only = settled(
      "c1/0",
      custom("c1", "exec", 'await tools.exec_command({cmd:"make"})'),
      output("c1", answered("ok"))
    )
    assert.deepInclude(only, { status: "completed", exitCode: null, output: "ok" })
  })

  it("finds a patch and a plan in the script", () => {
    const script = [
      'const patch = "*** Begin Patch\\n*** Update File: a.js\\n@@\\n-1\\n+2\\n*** End Patch";',
      "await tools.apply_patch(patch);",
      'await tools.update_plan({"plan":[{"step":"a","status":"completed"}]});'
    ].join("\n")
    const values = [custom("c1", "exec", script), output("c1", answered(""))]
    assert.deepStrictEqual(decoded(...values), [
      "code_mode c1 pending",
      "update_plan c1/plan pending",
      "update_plan c1/plan completed",
      "todos: a completed",
      "code_mode c1 completed",
      "apply_patch c1/0 pending",
      "apply_patch c1/0 completed"
    ])
    const changed = done({ type: "FileChange", id: "exec-1", status: "completed", changes: { "/repo/a.js": {} } })
    assert.notInclude(decoded(values[0], changed, values[1]), "apply_patch c1/0 pending")
  })

  it("is opaque where commands are put together", () => {
    for (const script of [
      'await tools.exec_command({cmd:"git check " + name})',
      "await tools.exec_command({cmd:`git check ${name}`})",
      "await tools.exec_command(args)"
    ]) {
      assert.deepStrictEqual(decoded(custom("c1", "exec", script)), ["code_mode_script c1 pending"])
    }
  })

  it("goes on in a cell until it is waited for", () => {
    assert.deepStrictEqual(
      decoded(
        custom("c1", "exec", "await sleep()"),
        output("c1", "Script running with cell ID 20\nWall time 10 seconds\nOutput:\n"),
        call("c2", "wait", { cell_id: "20" }),
        output("c2", answered("ok"))
      ),
      ["code_mode c1 pending", "code_mode c1 running", "wait c2 pending", "wait c2 completed", "code_mode c1 completed"]
    )
    const ran = { type: "CommandExecution", id: "exec-1", command: ["bash", "-lc", "make"], status: "completed" }
    assert.deepStrictEqual(
      decoded(
        custom("c1", "exec", 'await tools.exec_command({cmd:"make"})'),
        output("c1", "Script running with cell ID 20\nWall time 10 seconds\nOutput:\n"),
        done({ ...ran, exit_code: 0, aggregated_output: "ok" }),
        call("c2", "wait", { cell_id: "20" }),
        output("c2", answered("ok"))
      ).filter((one) => one.startsWith("exec_command")),
      ["exec_command exec-1 pending", "exec_command exec-1 completed 0"]
    )
    const failed = output("c1", [{ type: "input_text", text: "Script failed\nWall time 0.1 seconds\nOutput:\n" }])
    assert.strictEqual(settled("c1", custom("c1", "exec", "throw 1"), failed)?.status, "error")
  })
})

describe("other calls", () => {
  it("keep the plan as a todo list", () => {
    const plan = [
      { step: "a", status: "completed" },
      { step: "b", status: "in_progress" },
      { step: "c", status: "pending" }
    ]
    assert.deepStrictEqual(decoded(call("c1", "update_plan", { plan }), output("c1", "Plan updated")), [
      "update_plan c1 pending",
      "update_plan c1 completed",
      "todos: a completed, b in_progress, c pending"
    ])
  })

  it("are named by server and tool where they are a server's", () => {
    const invocation = { server: "apps", tool: "github.create_pull_request", arguments: { title: "x" } }
    const ended = {
      type: "mcp_tool_call_end",
      call_id: "c1",
      invocation,
      result: { Ok: { content: [{ text: "url" }] } }
    }
    assert.deepInclude(settled("c1", event(ended)), {
      tool: "mcp__apps__github.create_pull_request",
      status: "completed",
      output: "url",
      input: { title: "x" }
    })
    assert.strictEqual(settled("c1", event({ ...ended, result: { Err: "no" } }))?.status, "error")
    const made = done({ type: "McpToolCall", id: "c1", server: "apps", tool: "t", status: "failed", error: {} })
    assert.deepStrictEqual(decoded(call("c1", "t", {}, { namespace: "mcp__apps" }), made, output("c1", "no")), [
      "mcp__apps__t c1 pending",
      "mcp__apps__t c1 error"
    ])
  })

  it("are searches of the web, told at once", () => {
    const search = { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } }
    assert.deepStrictEqual(decoded(item(search), item(search)), [
      "web_search call#0 pending",
      "web_search call#0 completed",
      "web_search call#1 pending",
      "web_search call#1 completed"
    ])
  })

  const spawned = [
    call("c1", "spawn_agent", { message: "look" }, { namespace: "multi_agent_v1" }),
    output("c1", '{"agent_id":"a1","nickname":"Ada"}')
  ]

  it.each<[string, ReadonlyArray<unknown>, string | null]>([
    ["nothing", [], "running"],
    [
      "a wait",
      [call("c2", "wait_agent", { targets: ["a1"] }), output("c2", '{"status":{"a1":{"completed":"found"}}}')],
      "completed"
    ],
    [
      "a wait that timed out",
      [call("c2", "wait_agent", {}), output("c2", '{"status":{"a1":"running"},"timed_out":true}')],
      "running"
    ],
    ["an agent's failure", [call("c2", "wait_agent", {}), output("c2", '{"status":{"a1":{"errored":"no"}}}')], "error"],
    ["its being closed", [call("c2", "close_agent", { target: "a1" }), output("c2", "{}")], "completed"],
    [
      "the host's word",
      [told('<subagent_notification>\n{"agent_path":"a1","status":{"completed":"found"}}\n</subagent_notification>')],
      "completed"
    ],
    [
      "its own word",
      [item({ type: "agent_message", author: "a1", content: [{ text: "Message Type: FINAL_ANSWER\nfound" }] })],
      "completed"
    ]
  ])("start agents that go on until %s", (_, values, status) => {
    const found = settled("c1", ...spawned, ...values)
    assert.deepStrictEqual([found?.status, found?.background], [status, true])
  })

  it("fail to start an agent", () => {
    const refused = output("c1", "collab spawn failed: agent thread limit reached (max 6)")
    assert.strictEqual(settled("c1", spawned[0], refused)?.status, "error")
  })
})

describe("codex exec --json", () => {
  const ran = { id: "item_0", type: "command_execution", command: "/bin/bash -lc 'npm test'" }

  it("is read as a session of its own, with what it has", () => {
    assert.deepStrictEqual(
      stream(
        { type: "item.started", item: { ...ran, status: "in_progress", exit_code: null } },
        { type: "item.completed", item: { ...ran, status: "failed", exit_code: 1, aggregated_output: "no" } },
        { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "It fails." } },
        { type: "turn.completed", usage: {} }
      ),
      ["exec_command item_0 pending", "exec_command item_0 error 1", "agent: It fails."]
    )
    assert.deepInclude(sessionOf({ type: "thread.started", thread_id: "s1" }), { sessionId: "s1", cwd: null })
  })

  it.each([
    ["completed", 0, "completed"],
    ["failed", 2, "error"],
    ["declined", null, "denied"],
    ["failed", -1, "interrupted"]
  ])("a command that %s with %j is %s", (status, exit_code, expected) => {
    const [, last] = stream({ type: "item.completed", item: { ...ran, status, exit_code, aggregated_output: "" } })
    assert.match(last ?? "", new RegExp(`^exec_command item_0 ${expected}`))
  })

  it("tells changes, plans, servers' tools, searches and agents", () => {
    const items = [
      { id: "item_1", type: "file_change", status: "completed", changes: [{ path: "/repo/a.js", kind: "update" }] },
      { id: "item_2", type: "mcp_tool_call", server: "apps", tool: "t", status: "completed", arguments: {} },
      { id: "item_3", type: "web_search", query: "q" },
      { id: "item_4", type: "collab_tool_call", tool: "spawn_agent", prompt: "look", status: "completed" },
      {
        id: "item_5",
        type: "todo_list",
        items: [
          { text: "a", completed: true },
          { text: "b", completed: false }
        ]
      },
      { id: "item_6", type: "reasoning", text: "…" },
      { id: "item_7", type: "error", message: "a warning" }
    ]
    assert.deepStrictEqual(stream(...items.map((one) => ({ type: "item.completed", item: one }))), [
      "file_change item_1 pending",
      "file_change item_1 completed",
      "mcp__apps__t item_2 pending",
      "mcp__apps__t item_2 completed",
      "web_search item_3 pending",
      "web_search item_3 completed",
      "spawn_agent item_4 pending",
      "spawn_agent item_4 completed",
      "todos: a completed, b pending"
    ])
  })

  it("tells a failed turn once", () => {
    assert.deepStrictEqual(
      stream(
        { type: "error", message: "Reconnecting… 1/5" },
        { type: "error", message: "boom" },
        { type: "turn.failed", error: { message: "boom" } }
      ),
      ["api_error: boom"]
    )
  })

  it("counts items anew in every process", () => {
    const complete = { type: "item.completed", item: { ...ran, status: "completed", exit_code: 0 } }
    assert.strictEqual(stream(complete, { type: "thread.started", thread_id: "s1" }, complete).length, 4)
  })
})

describe("the decoder", () => {
  it.each([
    [meta(), true],
    [{ type: "thread.started", thread_id: "s1" }, true],
    [event({ type: "token_count" }), true],
    [{ type: "session_meta", payload: {} }, false],
    [{ type: "user", sessionId: "s1", uuid: "u1" }, false],
    [{ version: 1, events: [] }, false],
    [null, false]
  ])("recognises %j: %s", (value, expected) => {
    assert.strictEqual(CodexTranscript.decoder.recognises(value), expected)
  })

  it("counts what it skips by its type", () => {
    const decoding = CodexTranscript.decoder.start()
    for (const value of [event({ type: "token_count" }), done({ type: "Reasoning" }), 7]) decoding.push(value)
    assert.deepStrictEqual(decoding.skipped(), {
      "event_msg/token_count": 1,
      "event_msg/item_completed/Reasoning": 1,
      untyped: 1
    })
  })

  it("tells times as the record has them", () => {
    const [prompt] = decodeValues({ ...started(), timestamp: at(1) }, { ...asked("go")[1], timestamp: "yesterday-ish" })
    assert.strictEqual(prompt?.at, null)
  })
})
