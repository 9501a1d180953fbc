/** The agent leaves todos of its own list open. */
import { overlaps } from "../../ground/text/Text.ts"
import * as TodosDone from "../../session/evidence/TodosDone.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { speaksOf } from "../../session/gates/GateWords.ts"
import { strictOnly } from "../verdict/levels.ts"
import type { Known, Problem } from "../verdict/model.ts"

/** A todo to run a check that has passed since was only not ticked off. */
const provedDone = (todo: string, known: Known): boolean =>
  /\b(?:run|verify|validat\w{1,3}|check|test|lint|build)\b/i.test(todo) &&
  known.gates.some((gate) => speaksOf(todo, gate.gate)) &&
  known.gates.every((gate) => !speaksOf(todo, gate.gate) || gate.result === "passed")

/** A todo to sum up or report is done by the final text itself. */
const toldInText = (todo: string, known: Known): boolean =>
  /^(?:\w+ ){0,2}(?:summari[sz]e|report|tell|inform|explain|present|notify|reply|answer|share|give (?:a |the )?(?:summary|overview))\b/i.test(
    todo
  ) &&
  known.stop.spokeLast &&
  known.stop.text.length > 30

/** Finished by the agent's word and by what was required, since the list last moved: the list was merely not ticked. */
const onlyUnticked = (open: ReadonlyArray<string>, { evidence, gates, reading, stop }: Known): boolean => {
  const required = gates.filter((gate) => gate.required)
  return (
    reading.closing === "finished" &&
    reading.callsDone &&
    required.some(({ run }) => run !== null && run.order > evidence.list.order) &&
    required.every(({ result }) => result === "passed") &&
    open.every((todo) => overlaps(todo, stop.text.slice(-4000)))
  )
}

export const todoProblems = (known: Known): ReadonlyArray<Problem> => {
  const open = TodosDone.undone(StopSignal.openTodos(known.stop), known.evidence).filter(
    (todo) => !provedDone(todo, known) && !toldInText(todo, known)
  )
  if (onlyUnticked(open, known)) return []
  if (open.length === 0 || known.task.intent === "ask" || known.task.intent === "discuss" || known.reading.yields)
    return []
  return [
    {
      kind: "todos",
      severity: "LOW",
      fact: `Your own todo list has ${open.length} open: ${open.slice(0, 4).join("; ")}.`,
      missing: `open todos: ${open.slice(0, 8).join("; ")}`,
      action: `Finish the open todos, beginning with: ${open[0] ?? ""}`,
      stands: true,
      level: strictOnly(known)
    }
  ]
}
