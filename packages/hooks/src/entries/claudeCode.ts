/** The program behind Claude Code's `hook.cjs`. */
import * as ClaudeCodeHook from "../process/ClaudeCodeHook.ts"
import * as HookProcess from "../process/HookProcess.ts"
import { build, input, later, settle } from "./bundled.ts"

/** As `reflexion install` names it where only calls that change a todo list are reported. */
const watches = process.argv[2] === "TodoList" ? { watches: "todos" as const } : {}

HookProcess.run(ClaudeCodeHook.program({ build, settle, ...watches }), { input, later })
