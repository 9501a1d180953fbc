/** The agent leaves todos of its own list open. */
import { matchesAny, overlaps } from "../../ground/text/Text.ts"
import * as TodosDone from "../../session/evidence/TodosDone.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { speaksOf } from "../../session/gates/GateTable.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** A todo to run a check that has passed since was only not ticked off. */
const provedDone = (todo: string, facts: Facts): boolean =>
  /\b(?:run|verify|validat\w{1,3}|check|test|lint|build)\b/i.test(todo) &&
  facts.gates.some((gate) => speaksOf(todo, gate.gate)) &&
  facts.gates.every((gate) => !speaksOf(todo, gate.gate) || gate.result === "passed")

/** A todo to sum up or report is done by the final text itself. */
const toldInText = (todo: string, facts: Facts): boolean =>
  /^(?:\w+ ){0,2}(?:summari[sz]e|report|tell|inform|explain|present|notify|reply|answer|share|give (?:a |the )?(?:summary|overview))\b/i.test(
    todo
  ) &&
  facts.stop.spokeLast &&
  facts.stop.text.length > 30

/** Finished by the agent's word and by what was required, since the list last moved: the list was merely not ticked. */
const onlyUnticked = (open: ReadonlyArray<string>, { evidence, gates, reading, stop }: Facts): boolean => {
  const required = gates.filter((gate) => gate.required)
  return (
    reading.closing === "finished" &&
    required.some(({ run }) => run !== null && run.order > evidence.list.order) &&
    required.every(({ result }) => result === "passed") &&
    open.every((todo) => overlaps(todo, stop.text.slice(-4000)))
  )
}

/** The user wants no more than a part of it yet. */
const bounded: ReadonlyArray<RegExp> = [
  /\b(?:(?:only|just) (?:do )?(?:the first|step \d|part \d|phase \d)|stop after (?:step|part|phase|the first))\b/i
]

const check = (facts: Facts): ReadonlyArray<Finding> => {
  if (matchesAny(bounded, facts.task.message.slice(0, 2000))) return []
  const open = TodosDone.undone(StopSignal.openTodos(facts.stop), facts.evidence).filter(
    (todo) => !provedDone(todo, facts) && !toldInText(todo, facts)
  )
  if (onlyUnticked(open, facts)) return []
  if (open.length === 0 || facts.task.intent === "ask") return []
  return finding({
    fact: `Your own todo list has ${open.length} open: ${open.slice(0, 4).join("; ")}.`,
    missing: `open todos: ${open.slice(0, 8).join("; ")}`,
    action: `Finish the open todos, beginning with: ${open[0] ?? ""}`
  })
}

export const todosOpen: Rule = {
  id: "todos/open",
  attended: "off",
  unattended: "tell",
  what: "The agent touched its todo list in this turn and left items of it open.",
  why: "The list is the agent's own word for what the task needs.",
  pattern: "stopped_with_todos",
  waits: true,
  check
}
