/** The options of `reflexion judge`. */
import { choice, flag, type Arguments, text, words } from "../command/Parts.ts"
import * as Hosts from "../host/Hosts.ts"

export const options = {
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

export type JudgeArguments = Arguments<typeof options>
