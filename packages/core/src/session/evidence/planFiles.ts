/** Plan files: lists with boxes to tick that the agent read or wrote, and how many of their boxes are open. */
import * as Schema from "effect/Schema"
import * as Json from "../../ground/json/Json.ts"
import { fileEdits, shellCommand, toolKind } from "../transcript/ToolKinds.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

export const Plan = Schema.Struct({ path: Schema.String, open: Schema.Number })

export type Plan = typeof Plan.Type

const most = 8
const maxPath = 300
const maxText = 100_000

const isText = (path: string): boolean => path.length <= maxPath && /\.(?:md|markdown|txt|org)$/i.test(path)

/** A box at the head of a line, which a host may have numbered. */
const box = /^\s{0,16}(?:\d{1,6}[→\t:|]\s{0,16})?(?:[-*+]|\d{1,3}[.)])\s\[([ x~-])\]\s/i

const marksIn = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, maxText)
    .split("\n")
    .flatMap((line) => box.exec(line.slice(0, 80))?.[1] ?? [])

const openIn = (text: string): number => marksIn(text).filter((mark) => mark === " ").length

const put = (plans: ReadonlyArray<Plan>, path: string, open: number): ReadonlyArray<Plan> =>
  [...plans.filter((plan) => plan.path !== path), { path, open }].slice(-most)

const without = (plans: ReadonlyArray<Plan>, isGone: (plan: Plan) => boolean): ReadonlyArray<Plan> =>
  plans.some(isGone) ? plans.filter((plan) => !isGone(plan)) : plans

const shown = /^\s{0,8}(?:cat|head|tail|less|more|bat)\s(?:-\w{1,8}\s){0,3}([^\s|;&<>]{1,300})\s{0,8}$/

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const onRead = (plans: ReadonlyArray<Plan>, path: string, output: string): ReadonlyArray<Plan> =>
  isText(path) && marksIn(output).length > 0 ? put(plans, path, openIn(output)) : plans

const onShell = (plans: ReadonlyArray<Plan>, call: ToolCall): ReadonlyArray<Plan> => {
  const command = (shellCommand(call) ?? "").slice(0, 4000)
  const path = shown.exec(command)?.[1]
  if (path !== undefined) return onRead(plans, path, call.output ?? "")
  // Whether a command ticked a box cannot be told.
  return without(plans, ({ path: known }) => command.includes(nameOf(known)))
}

const onEdit = (plans: ReadonlyArray<Plan>, call: ToolCall): ReadonlyArray<Plan> => {
  const input = Json.object(call.input)
  const content = Json.string(input["content"])
  return fileEdits(call).reduce((all, { after, before, path }) => {
    if (!isText(path)) return all
    if (content !== null) return marksIn(content).length > 0 ? put(all, path, openIn(content)) : all
    const known = all.find((plan) => plan.path === path)
    if (known === undefined) return all
    if (before === null || after === null || input["replace_all"] === true)
      return without(all, (plan) => plan.path === path)
    return put(all, path, Math.max(0, known.open + openIn(after) - openIn(before)))
  }, plans)
}

/** The plan files after a call that has ended. */
export const after = (plans: ReadonlyArray<Plan>, call: ToolCall): ReadonlyArray<Plan> => {
  if (call.status === "error") return plans
  switch (toolKind(call.tool)) {
    case "read":
      return onRead(plans, Json.string(pathOf(call)) ?? "", call.output ?? "")
    case "shell":
      return onShell(plans, call)
    case "edit":
      return onEdit(plans, call)
    case "agent":
      // What a subagent ticked may not be on record.
      return []
    default:
      return plans
  }
}

const pathOf = (call: ToolCall): unknown => {
  const input = Json.object(call.input)
  return input["file_path"] ?? input["filePath"] ?? input["path"]
}
