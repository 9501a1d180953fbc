/** Decides whether a run can be the command that the user ordered. */
import type { Run } from "../evidence/Evidence.ts"
import { otherPart, partsOf } from "../evidence/Parts.ts"
import { languageOf } from "../project/Commands.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import type { Scripts } from "../shell/model.ts"

/** Returns the languages whose tests a command runs. Null if the command may run tests in any language. */
const languages = (command: string, scripts: Scripts): ReadonlySet<string> | null => {
  const { commands, unknown } = ShellCommand.analyze(command, scripts)
  const found = commands
    .filter(({ classes }) => classes.includes("test"))
    .map(({ runner }) => (runner === null ? null : languageOf(runner)))
  const known = found.filter((language) => language !== null)
  return unknown || known.length === 0 || known.length < found.length ? null : new Set(known)
}

/** Returns the code that a command tests. The result has the form of edits, so that a run can be compared with it. */
const asEdits = (command: string) =>
  ShellCommand.analyze(command)
    .commands.map(partsOf)
    .flatMap(({ names, paths }) => [...names, ...paths])
    .map((part) => ({
      path: `${part.replace(/\/?(?:\.\.\.)?$/, "")}/_`,
      kind: "source" as const,
      order: 0,
      callId: null
    }))

/** The script or target in a command, such as `test` for `npm test`. Null if the command has none. */
const target = (command: string): string | null => {
  const found =
    /^(?:(?:npm|pnpm|yarn|bun|deno)(?: run| task)?|make|just|task|mise run|composer(?: run)?) ([a-z][\w:.-]{0,60})(?![\w/])/i.exec(
      command.trim()
    )
  return found === null ? null : (found[1]?.replace(/^t$/, "test") ?? null)
}

const isOtherTarget = (run: string, ordered: string): boolean => {
  const [own, wanted] = [target(run), target(ordered)]
  if (own !== null && wanted !== null) return own !== wanted
  return wanted !== null && wanted !== "test"
}

/** If a run tests another language or another part of the project, it is not the ordered command. */
export const answers = (run: Run, ordered: string, scripts: Scripts, cwd: string | null): boolean => {
  if (run.command.includes(ordered)) return true
  if (isOtherTarget(run.command, ordered)) return false
  const [wanted, own] = [languages(ordered, scripts), languages(run.command, scripts)]
  if (wanted !== null && own !== null && [...wanted].every((language) => !own.has(language))) return false
  const edits = asEdits(ordered)
  return !ShellCommand.analyze(run.command)
    .commands.filter(({ classes }) => classes.includes("test"))
    .some((simple) => otherPart(simple, run.folder, edits, cwd) !== null)
}
