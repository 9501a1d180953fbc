/** The command `reflexion judge`. */
import { choice, flag, type Given, lazily, program, text, words } from "../command/Parts.ts"
import * as Hosts from "../host/Hosts.ts"

const options = {
  show: choice("show", ["verdict", "stuck", "compaction", "score"], "What to show about a session (default: verdict)."),
  host: choice(
    "host",
    ["auto", ...Hosts.decoders.map(({ host }) => host)],
    "The format of the session's record (default: auto, which recognises it by the content)."
  ),
  turn: text("turn", "last|all|N", "verdict: the turns to judge, counted from 0 (default: last)."),
  cwd: text("cwd", "DIR", "The working copy to check, if it is not the session's own directory."),
  task: text(
    "task",
    "TEXT",
    "The task, if it is not the session's own prompt. For stuck it counts only if the record has no prompt."
  ),
  profile: choice(
    "profile",
    ["balanced", "strict", "advisory"],
    "Which gates a task must pass. With advisory, no agent is nudged."
  ),
  attended: choice(
    "attended",
    ["auto", "true", "false"],
    "verdict: whether a person is there to answer the agent (default: auto, which reads it from the session's record)."
  ),
  format: choice(
    "format",
    ["text", "json", "jsonl"],
    "text (default), one JSON document, or one JSON record per line."
  ),
  now: text(
    "now",
    "ISO",
    "verdict, stuck: the time of the judgement, such as 2026-01-31T12:00:00Z (default: the session's last event; for stuck: the present time)."
  ),
  model: text(
    "model",
    "off|auto|PROVIDER/MODEL",
    "verdict, score: the model to ask if the evidence does not decide (default: off). With auto, the configuration or a key in the environment chooses the model."
  ),
  checks: flag(
    "checks",
    "verdict: if a required gate of the last turn has no result, run its check from your configuration, in the session's directory and with your rights."
  ),
  "done-when": text(
    "done-when",
    "FILE",
    "verdict: a file with your own conditions for `done`, one per line. A line with a command, such as `npm test` passes or $ npm test, needs a passing run; --checks runs the command."
  ),
  "cross-review": flag(
    "cross-review",
    "verdict: if the last turn is judged complete, ask the models under crossReview in your configuration to review its changes (default: the --model)."
  ),
  files: words("SESSION")
}

/** The arguments, as typed. */
export type JudgeArguments = Given<typeof options>

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
