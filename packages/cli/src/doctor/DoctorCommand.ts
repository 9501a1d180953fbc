/** The command `reflexion doctor`. */
import { choice, flag, lazily, program, words } from "../command/Parts.ts"

const options = {
  global: flag("global", "Check only the installation for all your projects."),
  project: flag("project", "Only what is installed for the project of the current directory."),
  show: choice(
    "show",
    ["rules", "configuration", "models"],
    "Print the whole list, with the values that apply in this project."
  ),
  format: choice("format", ["text", "json"], "With --show: text (default), or a JSON object."),
  hosts: words("HOST")
}

export const alone = program(
  {
    name: "reflexion doctor",
    usage: "reflexion doctor [HOST...] [--global|--project] | doctor --show rules|configuration|models",
    summary:
      "Checks whether reflexion is installed and works: it runs the installed hooks with a sample stop, and prints what is trusted, what is allowed, which model is asked, and what you must do. It changes nothing.",
    notes: [
      [
        "Levels of rules",
        [
          ["off", "you and the agent are told nothing; what the rule finds still prevents `complete`"],
          ["tell", "you are told, once per task; the agent is not"],
          ["nudge", "the agent is told to continue, except under the profile advisory"]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "all is well"],
          ["1", "you must do something; with --show models: none of the configured models can be asked"],
          ["2", "something could not be checked: the reason is in its line"]
        ]
      ]
    ]
  },
  options,
  lazily(() => import("./Doctor.ts").then(({ run }) => run))
)

export const verbs = {}
