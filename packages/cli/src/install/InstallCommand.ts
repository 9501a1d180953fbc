/** The command `reflexion install`. */
import { flag, lazily, program, words } from "../command/Parts.ts"
import { all } from "../host/Hosts.ts"

const options = {
  global: flag("global", "For all your projects, by the settings in your home directory (default)."),
  project: flag("project", "Only for the project of the current directory, on this machine."),
  loopWatch: flag(
    "loop-watch",
    "Also watch every tool call for loops (Claude Code only). Later installs keep this until you uninstall."
  ),
  dryRun: flag("dry-run", "Show each change as a diff and write nothing."),
  yes: flag("yes", "Install without asking. It allows no checks and no model: these always need your own answer."),
  hosts: words("HOST")
}

export const alone = program(
  {
    name: "reflexion install",
    usage: "reflexion install [HOST...] [--global|--project] [options]",
    summary:
      "Installs the hooks (for OpenCode and Kilo, the plugin), so that reflexion reviews every turn of a coding agent. Without HOST it finds the agents on this machine, shows what it will do, and asks once. A second run changes nothing.",
    notes: [
      [
        "Then",
        [
          [
            "",
            "On a terminal it also asks whether reflexion may run the checks that the project's files suggest, and whether it may ask your own small model: see reflexion allow."
          ]
        ]
      ],
      ["What changes", all.map(({ installation: { words }, name }) => [name, words.changes])],
      [
        "Exit status",
        [
          ["0", "installed, or nothing to change"],
          ["2", "at least one agent was not changed: the reason is on standard error"]
        ]
      ]
    ]
  },
  options,
  lazily(() => import("./Install.ts").then(({ install }) => install))
)

export const verbs = {}
