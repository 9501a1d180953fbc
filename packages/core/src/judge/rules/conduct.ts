/** How the agent goes about its work: where it pushes, what it leaves untried or open, and whom it asks. */
import { matchesAny, overlaps } from "../../base/text/Text.ts"
import * as TodosDone from "../../session/evidence/TodosDone.ts"
import { type Facts, unanswered, untried } from "../../session/facts/Facts.ts"
import { isDelivered, speaksOf } from "../../session/vocabulary/GateTable.ts"
import * as StopSignal from "../../session/stop/StopSignal.ts"
import type { Finding, Rule } from "./model.ts"
import { finding, isProved } from "./shared.ts"

const toDefault = "(?:to|on|onto|into) (?:the )?`?(?:main|master|trunk|default branch)"

/** "Push it to main": the user's word outweighs the project's. */
const ordering = new RegExp(
  `(?<!(?:\\b(?:not|never|no)|n't)\\b[^.;!?\\n]{0,30})\\bpush(?:ed|ing)?\\b[^.;!?\\n]{0,60}\\b${toDefault}\\b`,
  "i"
)

/** "Don't push to main", "never commit directly to master" */
const forbidding = new RegExp(
  `(?:\\b(?:not|never|no)|n't) (?:ever )?(?:directly |straight )?(?:push|commit)\\w*\\b[^.;!?\\n]{0,40}\\b${toDefault}\\b`,
  "i"
)

const isPushOrdered = ({ task }: Facts): boolean => ordering.test(task.message.slice(0, 4000))

const isForbidden = ({ repo, task }: Facts): boolean =>
  repo.protectsDefault || [task.message, task.text].some((text) => forbidding.test(text))

export const directPush = (facts: Facts): ReadonlyArray<Finding> => {
  const push = facts.directPushes[0]
  const pr = facts.gates.some((gate) => gate.gate === "pr" && gate.required)
  const required = pr || isForbidden(facts) || facts.profile === "strict"
  if (
    push === undefined ||
    !required ||
    isPushOrdered(facts) ||
    facts.gates.some((gate) => gate.gate === "pr" && gate.result === "passed")
  )
    return []
  const branch = push.branch ?? facts.evidence.branch ?? facts.repo.branch ?? "the default branch"
  return finding({
    severity: "HIGH",
    fact: `You pushed straight to ${branch} although ${pr ? "a pull request was required" : "that was not to be done"}.`,
    missing: `a pull request: the change was pushed straight to ${branch}`,
    action: `Tell the user that the change went straight to ${branch}, move it to a branch and open the pull request; do not rewrite ${branch} without being asked.`,
    calls: push.callId === null ? [] : [push.callId]
  })
}

export const policyDirectPush: Rule = {
  id: "policy/direct-push",
  attended: "ask",
  unattended: "push",
  what: "Commits were pushed straight to the default branch although a pull request was required.",
  why: "What is on the default branch is everybody's, and nobody has looked at it.",
  presses: true,
  check: directPush
}

/** The project's own file and the user's, on every system. */
const settings = /(?:^|\/)(?:\.reflection\/config\.json|\.reflection\.md|reflexion\/config\.json)$/

/** A user who speaks of it has asked for it. */
const areSettingsAsked = ({ task }: Facts): boolean => /reflexion|\.reflection\b/i.test(`${task.text} ${task.message}`)

const ownSettings = (facts: Facts): ReadonlyArray<Finding> => {
  const edit = facts.evidence.edits.find(({ path }) => settings.test(path.replaceAll("\\", "/")))
  if (edit === undefined || areSettingsAsked(facts)) return []
  return finding({
    severity: "HIGH",
    fact: `You changed \`${edit.path}\`, which says by what your work is judged, and nobody asked for that.`,
    missing: `reflexion's own settings were changed by the agent: ${edit.path}`,
    action: `Take the change of \`${edit.path}\` back, and tell the user of it.`,
    calls: edit.callId === null ? [] : [edit.callId]
  })
}

export const policyOwnSettings: Rule = {
  id: "policy/own-settings",
  attended: "tell",
  unattended: "tell",
  what: "The agent changed reflexion's own configuration or guidance, which nobody asked for.",
  why: "Who may set what the work is judged by is not judged; a turn is judged by what held when it began.",
  most: "tell",
  holds: true,
  presses: true,
  check: ownSettings
}

/** The check, in words; null where nothing shows that the project has one. An untrusted workspace names its own commands. */
const checkOf = ({ gates, task }: Facts): string | null => {
  const gate = gates.find(
    ({ advised, denied, required, result, why }) =>
      advised || (required && why === "instructed" && !denied && (result === "missing" || result === "stale"))
  )
  if (gate === undefined || task.forbids.includes(gate.gate)) return null
  return gate.command === null || gate.untrusted ? "the project's check" : `\`${gate.command}\``
}

/** With somebody there it is a fact that the model reads. */
const nothingRun = (facts: Facts): ReadonlyArray<Finding> => {
  const command = facts.attended || !untried(facts) ? null : checkOf(facts)
  if (command === null) return []
  return finding({
    fact: `You changed code, and nothing was run since: the project has ${command}.`,
    missing: `a run of ${command} since the last edit`,
    action: `Run ${command.startsWith("`") ? command : "the project's checks"} and report what that shows.`,
    denies: facts.gates.map(({ gate }) => gate).filter((gate) => !isDelivered(gate))
  })
}

export const workNothingRun: Rule = {
  id: "work/nothing-run",
  attended: "ask",
  unattended: "push",
  what: "Nobody is there, code was changed, nothing was run since, and the project has a check.",
  why: "It was looked at and not tried, and nobody else will.",
  pattern: "unverified",
  waits: true,
  check: nothingRun
}

const asksNobody = (facts: Facts): ReadonlyArray<Finding> => {
  const open = unanswered(facts)
  // What is asked after proven work is about more than was ordered.
  if (open?.by !== "agent" || (facts.evidence.actions > 0 && isProved(facts))) return []
  return finding({
    fact: `You leave it to the user, and nobody is there to answer: "${open.text}"`,
    missing: `what nobody is there to answer: "${open.text}"`,
    action: "Decide it yourself, do it, and state in your answer what you assumed."
  })
}

export const stopAsksNobody: Rule = {
  id: "stop/asks-nobody",
  attended: "ask",
  unattended: "push",
  what: "The agent ends with a question that it can settle itself, and nobody is there to answer.",
  why: "A run without a person would end there.",
  pattern: "permission_seeking",
  holds: true,
  presses: true,
  needsRights: true,
  check: asksNobody
}

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

const openTodos = (facts: Facts): ReadonlyArray<Finding> => {
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
  check: openTodos
}
