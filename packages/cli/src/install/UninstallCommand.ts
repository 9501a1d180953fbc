/** The command `reflexion uninstall`. */
import { flag, lazily, program, words } from "../command/Parts.ts"

export const alone = program(
  {
    name: "reflexion uninstall",
    usage: "reflexion uninstall [HOST...] [--global|--project] [--dry-run]",
    summary:
      "Removes the hooks or the plugin; without HOST, from every agent. If nobody changed a file since the installation, it is restored byte for byte. From other files, only reflexion's own lines are removed.",
    notes: [
      [
        "Exit status",
        [
          ["0", "removed, or nothing was installed"],
          ["2", "something could not be removed: standard error says what, and why"]
        ]
      ]
    ]
  },
  {
    global: flag("global", "Only the installation for all your projects."),
    project: flag("project", "Only what is installed for the project of the current directory."),
    dryRun: flag("dry-run", "Show each change as a diff and write nothing."),
    hosts: words("HOST")
  },
  lazily(() => import("./Install.ts").then(({ uninstall }) => uninstall))
)

export const verbs = {}
