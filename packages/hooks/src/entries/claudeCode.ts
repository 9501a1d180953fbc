/** The program inside Claude Code's `hook.cjs`. */
import * as ClaudeCodeHook from "../process/ClaudeCodeHook.ts"
import { run } from "./bundled.ts"

/** `reflexion install` passes this argument if only calls that change a todo list are reported. */
run({ ...ClaudeCodeHook.program, ...(process.argv[2] === "TodoList" && { watches: "todos" as const }) })
