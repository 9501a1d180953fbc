/** The options of `reflexion install` and `uninstall`, and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  global: {
    name: "global",
    value: null,
    description: "For everything that you do with the agent, by the settings in your home directory (default)."
  },
  project: {
    name: "project",
    value: null,
    description: "For the project of the current directory alone, on this machine."
  },
  loopWatch: {
    name: "loop-watch",
    value: null,
    description: "Also watch every tool call for loops (Claude Code alone)."
  },
  dryRun: { name: "dry-run", value: null, description: "Show each change as a diff and write nothing." },
  yes: {
    name: "yes",
    value: null,
    description: "Ask nothing. It takes no check and has no model asked: those need your own y."
  }
} as const satisfies Record<string, OptionSpec>

/** The arguments as they were given. An option that was not is null. */
export interface Given extends Values<keyof typeof options> {
  readonly hosts: ReadonlyArray<string>
}
