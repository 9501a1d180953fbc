/** The command `reflexion allow`. */
import { flag, lazily, program, words } from "../command/Parts.ts"

const options = {
  yes: flag("yes", "Agree without being asked, for example where there is no terminal."),
  revoke: flag("revoke", "Withdraw the consent.")
}

const kept = ["0", "allowed, or withdrawn"] as const
const nothing = ["2", "nothing changed: the reason is on standard error"] as const

export const alone = null

export const verbs = {
  checks: program(
    {
      name: "reflexion allow checks",
      usage: "reflexion allow checks [NAME [COMMAND]] [--yes] [--revoke]",
      summary: "Allows reflexion to run a project's checks when an agent stops. Each check is run once first.",
      notes: [
        [
          "Which",
          [
            [
              "(none)",
              "the checks that the project's files suggest, and the checks whose script changed since you agreed"
            ],
            ["NAME", "one check; with COMMAND your own check, for example: allow checks tests 'make test'"],
            ["", "A check without a result within two minutes is allowed only if you name it."]
          ]
        ],
        ["Exit status", [kept, nothing]]
      ]
    },
    { ...options, words: words("WORD") },
    lazily(() => import("./AllowChecks.ts").then(({ run }) => run))
  ),
  model: program(
    {
      name: "reflexion allow model",
      usage: "reflexion allow model [HOST|PROVIDER/MODEL] [--yes] [--revoke]",
      summary: "Allows reflexion to ask a model when an agent stops.",
      notes: [
        [
          "Which",
          [
            ["HOST", "your agent's own small model is asked when the agent stops work, if your login pays for it"],
            [
              "PROVIDER/MODEL",
              "the model is tried on 30 sample sessions that come with reflexion; none of your data is sent"
            ],
            [
              "",
              "with 24 or more right answers, the model may nudge an agent if its probability reaches the threshold from this trial; with fewer, reflexion only tells you what the model says"
            ]
          ]
        ],
        ["Exit status", [kept, ["1", "the model was tried, and fewer than 24 of its answers were right"], nothing]]
      ]
    },
    { ...options, words: words("MODEL") },
    lazily(() => import("./AllowModel.ts").then(({ run }) => run))
  ),
  workspace: program(
    {
      name: "reflexion allow workspace",
      usage: "reflexion allow workspace [DIR] [--yes] [--revoke]",
      summary: "Trusts the settings and lessons of a project as they are now. It first shows what will change.",
      notes: [
        [
          "What",
          [
            [
              ".reflection/config.json",
              "the project's configuration; without trust, the shown settings have no effect"
            ],
            [".reflection.md", "the project's guidance (also reflection.md)"],
            [
              ".reflection/reflections.jsonl",
              "the lessons that other people wrote there, or all lessons if git tracks the file"
            ],
            ["", "If one of these files changes, it is not trusted any more."]
          ]
        ],
        ["Exit status", [kept, nothing]]
      ]
    },
    { ...options, words: words("DIR") },
    lazily(() => import("./AllowWorkspace.ts").then(({ run }) => run))
  )
}
