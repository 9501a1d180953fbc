/** The program inside Codex's `hook.cjs`. */
import * as CodexHook from "../process/CodexHook.ts"
import { run } from "./bundled.ts"

run(CodexHook.program)
