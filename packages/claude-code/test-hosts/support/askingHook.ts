/** A Stop hook that asks Claude Code's own model. */
import * as AskingHook from "@reflexion/testing/hosts/AskingHook"
import * as ClaudeCodeModel from "../../src/ClaudeCodeModel.ts"

AskingHook.run(ClaudeCodeModel.layer)
