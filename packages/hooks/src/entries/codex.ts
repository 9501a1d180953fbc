/** The program behind Codex's `hook.cjs`. */
import * as CodexHook from "../process/CodexHook.ts"
import * as HookProcess from "../process/HookProcess.ts"
import { build, input, later, settle } from "./bundled.ts"

HookProcess.run(CodexHook.program({ build, settle }), { input, later })
