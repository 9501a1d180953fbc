/** The agent leaves todos of its own list open. */
import { matchesAny, overlaps } from "../../ground/text/Text.ts"
import * as TodosDone from "../../session/evidence/TodosDone.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import { speaksOf } from "../../session/gates/GateTable.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, todos, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
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

export const todosOpen: Rule = { id: "todos/open", pattern: "stopped_with_todos", waits: true, check }

export const page: Page = {
  what: "The agent touched its todo list in this turn and left items of it open.",
  why: "The list is the agent's own word for what the task needs.",
  fires: [
    example(
      "one of two is open",
      user("Add the index page and link it."),
      todos(["Add the page", "completed"], ["Link the page", "pending"]),
      edited("src/index.ts"),
      agent("The page is there.")
    ),
    example(
      "one is in progress",
      user("Port the three parsers."),
      todos(["Port the CSV parser", "completed"], ["Port the XML parser", "in_progress"]),
      edited("src/csv.ts"),
      agent("The CSV parser is ported.")
    ),
    example(
      "all are open",
      user("Clean up the three helpers."),
      todos(["Inline the date helper", "pending"], ["Drop the old clock", "pending"]),
      edited("src/date.ts"),
      agent("I cleaned up.")
    )
  ],
  spares: [
    example(
      "all are done",
      user("Add the index page and link it."),
      todos(["Add the page", "completed"], ["Link the page", "completed"]),
      edited("src/index.ts"),
      agent("The page is there, and linked.")
    ),
    example(
      "what is open is to report",
      user("Add the index page."),
      todos(["Add the page", "completed"], ["Report to the user", "pending"]),
      edited("src/index.ts"),
      agent("The page is there: it lists what the shop sells.")
    ),
    example(
      "a question was asked",
      user("What is left to do in the parser?"),
      todos(["Handle empty lines", "pending"]),
      agent("Only empty lines are not handled yet.")
    )
  ]
}
