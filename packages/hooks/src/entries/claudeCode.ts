/** The program behind Claude Code's `hook.cjs`. */
import * as ClaudeCodeHook from "../ClaudeCodeHook.ts"
import * as HookProcess from "../HookProcess.ts"
import { build, later, settle } from "./bundled.ts"

HookProcess.run(ClaudeCodeHook.program({ build, settle }), later)
