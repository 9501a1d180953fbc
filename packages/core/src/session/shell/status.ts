import {
  forEachChild,
  type AndOr,
  type Command,
  type LogicalOperator,
  type PipelineNode,
  type Statement,
  type SyntaxNode
} from "unbash"
import { mask } from "./scope.ts"
import type { Context } from "./model.ts"

/** Which statements of a list decide its exit status, and whose status is printed. */
export interface Plan {
  /** Index of the last statement that runs. */
  readonly end: number
  /** That statement leaves the shell. */
  readonly leaves: boolean
  readonly carriers: ReadonlySet<number>
  readonly echoed: ReadonlySet<number>
  /** Statement → member of its pipeline, where `PIPESTATUS` picks one. */
  readonly member: ReadonlyMap<number, number>
  /** Statements `X || rc=$?` whose left side decides. */
  readonly captures: ReadonlySet<number>
}

const statusOf = /^\$(?:\?|\{\?\})$/
const pipeStatus = /^\$\{PIPESTATUS(?:\[(\d{1,2}|@|\*)\])?\}$|^\$PIPESTATUS$/
const plainVariable = /^\$\{?([A-Za-z_]\w{0,60})\}?$/
const commandOf = (statement: Statement | undefined): Command | null =>
  statement !== undefined && statement.background !== true && statement.command.type === "Command"
    ? statement.command
    : null

const nameOf = (command: Command | null): string | null => command?.name?.value ?? null

const firstArgument = (command: Command): string | null => {
  const first = command.args[0]
  return first === undefined ? null : first.text.replaceAll('"', "")
}

const isExit = (command: Command | null): command is Command => {
  const name = nameOf(command)
  if (name === "exec") return command !== null && command.args.length > 0
  return name === "exit" || name === "return"
}

const leaving = new Set(["exit", "return"])

const awaitsLast = (statement: Statement | undefined): boolean => {
  const command = commandOf(statement)
  return (
    command?.args.length === 1 && nameOf(command) === "wait" && /^"?\$(?:!|\{!\})"?$/.test(command.args[0]?.text ?? "")
  )
}

/** `X & wait $!` is X in a shell of its own, and ends as that does. */
export const awaited = (statements: ReadonlyArray<Statement>): ReadonlyArray<Statement> =>
  statements.flatMap((statement, index) => {
    if (awaitsLast(statement) && statements[index - 1]?.background === true) return []
    if (statement.background !== true || !awaitsLast(statements[index + 1])) return [statement]
    const { end, pos } = statement
    const own: Statement = { ...statement, background: undefined }
    return [
      { ...own, command: { type: "Subshell", pos, end, body: { type: "CompoundList", pos, end, commands: [own] } } }
    ]
  })

/** The variable that a statement alone assigns, and the text of its value. */
const assignment = (command: Command | null): { readonly name: string; readonly value: string } | null => {
  if (command === null || command.name !== undefined || command.prefix.length !== 1) return null
  const only = command.prefix[0]
  if (only?.type !== "Assignment" || only.value.type !== "Word") return null
  return { name: only.name, value: only.value.text.replaceAll('"', "") }
}

/** What is known of `$?` where a list begins: that it is not 0, or nothing. */
type Before = "failed" | "unknown"

const exitFails = (argument: string | null, before: Before): boolean => {
  if (argument === null || statusOf.test(argument)) return before === "failed"
  return /^\d{1,3}$/.test(argument) && Number(argument) !== 0
}

const commandFails = (command: Command, leave: boolean, before: Before): boolean => {
  const name = nameOf(command)
  if (name === null) return false
  if (!leave && name === "false") return true
  return leaving.has(name) && exitFails(firstArgument(command), before)
}

const printsOnly = (node: SyntaxNode): boolean => {
  const name = node.type === "Command" ? nameOf(node) : null
  return name === "echo" || name === "printf"
}

/** Whether the shell may be left inside, other than by the end of a subshell. */
export const mayLeave = (node: SyntaxNode, depth = 0): boolean => {
  if (node.type === "Command") return isExit(node)
  if (depth > 12) return true
  if (node.type === "Subshell" || node.type === "Function" || node.type === "Script" || node.type === "Word")
    return false
  let found = false
  forEachChild(node, (child) => {
    found ||= mayLeave(child, depth + 1)
  })
  return found
}

/** `rc=$?; …; exit $rc` hands on the status from before the list. */
const handsOnBefore = (statements: ReadonlyArray<Statement>, end: Statement): boolean => {
  const first = assignment(commandOf(statements[0]))
  const command = commandOf(end)
  const argument = command === null ? null : firstArgument(command)
  return (
    first !== null &&
    statusOf.test(first.value) &&
    (argument === `$${first.name}` || argument === `\${${first.name}}`) &&
    leaving.has(nameOf(command) ?? "")
  )
}

const lastFails = (statements: ReadonlyArray<Statement>, leave: boolean, before: Before, depth: number): boolean => {
  const exit = statements.findIndex((statement) => isExit(commandOf(statement)))
  const at = exit < 0 ? statements.length - 1 : exit
  const end = statements[at]
  if (end === undefined || end.background === true) return false
  if (statements.slice(0, at).some((statement) => mayLeave(statement))) return false
  if (before === "failed" && handsOnBefore(statements, end)) return true
  return fails(end.command, leave, at === 0 ? before : "unknown", depth + 1)
}

const fails = (node: SyntaxNode, leave: boolean, before: Before, depth: number): boolean => {
  if (depth > 8) return false
  if (node.type === "Command") return commandFails(node, leave, before)
  if (node.type === "CompoundList") return lastFails(node.commands, leave, before, depth)
  if (node.type === "BraceGroup") return lastFails(node.body.commands, leave, before, depth)
  if (node.type === "Subshell") return !leave && lastFails(node.body.commands, leave, before, depth)
  if (node.type === "AndOr") {
    const last = node.commands.at(-1)
    return (
      last !== undefined &&
      node.operators.every((operator) => operator === "&&") &&
      node.commands.slice(0, -1).every(printsOnly) &&
      fails(last, leave, "unknown", depth + 1)
    )
  }
  return false
}

/** Whether running this always ends with a status other than 0, as far as can be seen. */
export const alwaysFails = (node: SyntaxNode, before: Before): boolean => fails(node, false, before, 0)

/** The same, and the shell ends with it. */
export const alwaysLeaves = (node: SyntaxNode, before: Before): boolean => fails(node, true, before, 0)

/** `X || exit 1`, `if ! X; then exit 1; fi`: a failure of X ends the whole list, wherever it stands. */
export const leavesOnFailure = (statement: Statement): boolean => {
  const node = statement.command
  if (statement.background === true) return false
  if (node.type === "AndOr") {
    const last = node.commands.at(-1)
    return node.operators.at(-1) === "||" && last !== undefined && alwaysLeaves(last, "failed")
  }
  if (node.type === "If" && node.elif.length === 0) {
    return alwaysLeaves(node.then, "unknown") || (node.else !== undefined && alwaysLeaves(node.else, "failed"))
  }
  return false
}

/** `set -e` does not end the shell for these. */
export const exemptFromErrexit = (statement: Statement): boolean => {
  const node = statement.command
  return node.type === "AndOr" || (node.type === "Pipeline" && node.prefixes.some(({ type }) => type === "Negation"))
}

/** Contexts of both sides of an operator, from the context of the whole. */
export const sides = (
  operator: LogicalOperator,
  context: Context,
  right: PipelineNode | undefined
): readonly [Context, Context] => {
  if (operator === "&&") return context === "inverted" ? [mask(context), mask(context)] : [context, context]
  if (context === "inverted") return [context, context]
  if (right !== undefined && alwaysFails(right, "failed")) return [context, mask(context)]
  return [mask(context), mask(context)]
}

const rightAssignment = (node: AndOr): { readonly name: string; readonly value: string } | null => {
  const last = node.commands.at(-1)
  return node.operators.at(-1) === "||" && last?.type === "Command" ? assignment(last) : null
}

/** The text whose status a final `exit $rc`, `[ $rc -eq 0 ]` hands on; null when the list's status is another. */
const handedOn = (command: Command | null): string | null => {
  const name = nameOf(command)
  if (command === null || name === null) return null
  if (leaving.has(name)) return firstArgument(command) ?? "$?"
  if (name !== "[" && name !== "test") return null
  const words = command.args.map(({ text }) => text.replaceAll('"', ""))
  if (name === "[") words.pop()
  const [left, operator, right] = words
  return words.length === 3 && right === "0" && left !== undefined && /^(?:-eq|==?)$/.test(operator ?? "") ? left : null
}

interface Draft {
  readonly carriers: Set<number>
  readonly echoed: Set<number>
  readonly member: Map<number, number>
  readonly captures: Set<number>
}

const pick = (draft: Draft, into: Set<number>, index: number, text: string): boolean => {
  if (index < 0) return false
  if (statusOf.test(text)) {
    into.add(index)
    return true
  }
  const pipe = pipeStatus.exec(text)
  if (pipe === null) return false
  into.add(index)
  const member = Number(pipe[1] ?? 0)
  draft.member.set(index, Number.isNaN(member) ? 0 : member)
  return true
}

const follow = (draft: Draft, statements: ReadonlyArray<Statement>, end: number, text: string): void => {
  if (pick(draft, draft.carriers, end - 1, text)) return
  const name = plainVariable.exec(text)?.[1]
  if (name === undefined) return
  const found = new Set<number>()
  for (let index = 0; index < end; index += 1) {
    const statement = statements[index]
    const set = assignment(commandOf(statement))
    if (set?.name === name) {
      found.clear()
      draft.captures.clear()
      pick(draft, found, index - 1, set.value)
    } else if (statement?.command.type === "AndOr") {
      const right = rightAssignment(statement.command)
      if (right?.name === name && (statusOf.test(right.value) || /^[1-9]\d{0,2}$/.test(right.value))) {
        found.add(index)
        draft.captures.add(index)
      }
    }
  }
  for (const index of found) draft.carriers.add(index)
}

const printed = (command: Command | null): string => {
  const name = nameOf(command)
  if (command === null || (name !== "echo" && name !== "printf")) return ""
  return command.args.map(({ text }) => text.slice(0, 200)).join(" ")
}

const printedStatus = /\$\?|\$\{\?\}|\$\{PIPESTATUS\[(?:\d{1,2}|@|\*)\]\}|\$PIPESTATUS/

const findEchoes = (draft: Draft, statements: ReadonlyArray<Statement>): void => {
  const captured = new Map<string, number>()
  for (const [index, statement] of statements.entries()) {
    const command = commandOf(statement)
    const set = assignment(command)
    if (set !== null && (statusOf.test(set.value) || pipeStatus.test(set.value))) captured.set(set.name, index)
    const text = printed(command)
    if (text === "") continue
    const direct = printedStatus.exec(text)
    if (direct !== null) pick(draft, draft.echoed, index - 1, direct[0])
    for (const [name, at] of captured) {
      if (text.includes(`$${name}`) || text.includes(`\${${name}}`)) {
        pick(draft, draft.echoed, at - 1, assignment(commandOf(statements[at]))?.value ?? "")
      }
    }
  }
}

const single: ReadonlySet<number> = new Set([0])
const nothing: ReadonlySet<number> = new Set()
const nowhere: ReadonlyMap<number, number> = new Map()
const planOfOne: Omit<Plan, "leaves"> = {
  end: 0,
  carriers: single,
  echoed: nothing,
  member: nowhere,
  captures: nothing
}

export const plan = (statements: ReadonlyArray<Statement>): Plan => {
  const exit = statements.findIndex((statement) => isExit(commandOf(statement)))
  if (statements.length === 1) return { ...planOfOne, leaves: exit === 0 }
  const draft: Draft = { carriers: new Set(), echoed: new Set(), member: new Map(), captures: new Set() }
  const end = exit < 0 ? statements.length - 1 : exit
  draft.carriers.add(end)
  const text = handedOn(commandOf(statements[end]))
  if (text !== null) follow(draft, statements, end, text)
  findEchoes(draft, statements)
  return { end, leaves: exit >= 0, ...draft }
}
