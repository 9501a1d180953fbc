/** The program inside Copilot's `hook.cjs`. */
import * as CopilotHook from "../process/CopilotHook.ts"
import { run } from "./bundled.ts"

run(CopilotHook.program)
