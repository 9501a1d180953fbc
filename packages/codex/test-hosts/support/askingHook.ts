/** A Stop hook that asks Codex's own model. */
import * as AskingHook from "@reflexion/testing/hosts/AskingHook"
import * as CodexModel from "../../src/CodexModel.ts"

AskingHook.run(CodexModel.layer)
