/**
 * The place of each command of a call among the edits that the call makes itself: a test that stands behind an edit saw it,
 * and one before it did not.
 */
import type { EvidenceContext } from "./model.ts"
import { discardOf } from "./Discards.ts"
import { checkClasses } from "../gates/GateTable.ts"
import { fileKind } from "../../ground/system/Paths.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

const removing: ReadonlySet<string | null | undefined> = new Set(["rm", "unlink", "trash"])

/** What a check prints goes into a file that is no edit, and is away again where the call removes what it has written itself. */
const writesOutput = ({ classes }: SimpleCommand): boolean => classes.some((name) => checkClasses.has(name))

/** The paths that each command of a call edits; of a path that cannot be known nobody can say whether it matters. */
export const editsIn = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<ReadonlyArray<string>> =>
  commands.map((simple, index) => {
    if (discardOf(simple) !== null || writesOutput(simple)) return []
    const before = removing.has(simple.words[0]) ? commands.slice(0, index) : []
    return simple.writes.slice(0, 16).filter((path) => !before.some(({ writes }) => writes.includes(path)))
  })

/**
 * The order of each command, by its index: that of the call where nothing edits behind it, else somewhat less. A command
 * that is in one pipeline with an edit, or edits itself, has the order of that edit.
 */
export const placesOf = (
  commands: ReadonlyArray<SimpleCommand>,
  order: number,
  call: ToolCall,
  context: EvidenceContext
): ReadonlyArray<number> => {
  const isEdit = (path: string): boolean => {
    const kind = path === "*" ? "outside" : fileKind(path, call.cwd ?? context.cwd)
    return kind !== "outside" && kind !== "docs"
  }
  const paths = editsIn(commands)
  const edits = new Set(commands.filter((_, index) => paths[index]?.some(isEdit)).map(({ step }) => step))
  if (edits.size === 0) return commands.map(() => order)
  let phase = 0
  let before: boolean | null = null
  const phases = new Map<number, number>()
  for (const step of [...new Set(commands.map((simple) => simple.step))].toSorted((one, other) => one - other)) {
    const edit = edits.has(step)
    if (before !== null && edit !== before) phase += 1
    before = edit
    phases.set(step, phase)
  }
  return commands.map(({ step }) => order - (phase - (phases.get(step) ?? 0)) / (phase + 1))
}

/** The order of the call that something has its place in. */
export const callOf = (order: number): number => Math.ceil(order)
