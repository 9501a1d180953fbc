/** The program inside Claude Code's `hook.cjs`. */
import * as ClaudeCodeHook from "../process/ClaudeCodeHook.ts"
import { run } from "./bundled.ts"

/** `reflexion install` adds `TodoList` to the hook that gets only calls that change a todo list. */
run({ ...ClaudeCodeHook.program, ...(process.argv[2] === "TodoList" && { watches: "todos" as const }) })
