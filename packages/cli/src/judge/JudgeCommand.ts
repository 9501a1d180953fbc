/** The command `reflexion judge`. */
import { lazily, program } from "../command/Parts.ts"
import { options } from "./options.ts"

export const alone = program(
  {
    name: "reflexion judge",
    usage: "reflexion judge [SESSION...] [--show verdict|stuck|compaction|score] [options]",
    summary:
      "Decides from evidence whether a coding agent finished its task, what is missing, and what to tell the agent. It asks no model, needs no key, uses no network and runs nothing, except with --model, --checks or --cross-review.",
    notes: [
      [
        "Sessions",
        [
          [
            "SESSION",
            "The file with a session's record, also packed (gzip, zstd). Subagents are read with their session."
          ],
          ["-", "Standard input."],
          ["(none)", "The newest session of the current directory."]
        ]
      ],
      [
        "Views",
        [
          ["verdict", "Whether the last turn's task is done."],
          ["stuck", "Whether the session is stuck, is in a loop, waits for the user, works, or is done."],
          ["compaction", "What to tell the agent after its context was compacted."],
          ["score", "How well the agent worked on the last task, from 0 (nothing done) to 5 (done and proved)."]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "verdict: complete. stuck: not stuck. compaction, score: printed"],
          ["1", "verdict: not complete. stuck: stuck, or in a loop"],
          ["2", "could not judge: the reason is on standard error"],
          ["3", "verdict: abstained, because the evidence and the models do not decide"],
          [
            "",
            "For several sessions, the last turn of each counts, and the exit status is the first of 2, 1, 3, 0 that occurs."
          ]
        ]
      ]
    ]
  },
  options,
  lazily(() => import("./Judge.ts").then(({ run }) => run))
)

export const verbs = {}
