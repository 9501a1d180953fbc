/** The program behind Codex's `hook.cjs`. */
import * as CodexHook from "../CodexHook.ts"
import * as HookProcess from "../HookProcess.ts"
import { build, input, later, settle } from "./bundled.ts"

HookProcess.run(CodexHook.program({ build, settle }), { input, later })
