/** The program inside Gemini CLI's `hook.cjs`. */
import * as GeminiHook from "../process/GeminiHook.ts"
import { run } from "./bundled.ts"

run(GeminiHook.program)
