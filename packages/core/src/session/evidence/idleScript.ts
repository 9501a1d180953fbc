/** Whether a run was one of a script that does nothing of its name's kind, as the runner's own first lines show it. */
import type { Scripts } from "../shell/model.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"
import * as RepoScripts from "../shell/Scripts.ts"

interface Shown {
  readonly name: string
  readonly body: string
}

const banner = /^> (?:\S{1,200}@\S{0,100} )?([\w:.-]{1,100})(?: (?:[/~]|\w:[/\\]).{0,300})?$/

/** `> shop@1.0.0 test`, and in the next line `> vitest run`. */
const shownScripts = (output: string, name: string): ReadonlyArray<Shown> => {
  const lines = output.slice(0, 20_000).split(/\r?\n/, 400)
  return lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? ""
    const named = banner.exec(line.slice(0, 600))?.[1]
    if (named !== undefined && next.startsWith("> ")) return [{ name: named, body: next.slice(2) }]
    // Yarn and Bun show the script alone, before anything of its own.
    return line.startsWith("$ ") && at < 3 ? [{ name, body: line.slice(2) }] : []
  })
}

const scriptsOf = ({ body, name }: Shown): Scripts => ({ ...RepoScripts.empty, npm: { [name]: body } })

/** `class` is what the run was to be. */
export const showsIdleScript = (output: string, wanted: ShellCommand.CommandClass): boolean => {
  const ofKind = shownScripts(output, wanted)
    .slice(0, 20)
    .map((shown) => ShellCommand.analyze(`npm run ${shown.name}`, scriptsOf(shown)).commands)
    .filter((commands) => commands.some(({ classes, promises }) => [...classes, ...promises].includes(wanted)))
  return ofKind.length > 0 && ofKind.every((commands) => !commands.some(({ classes }) => classes.includes(wanted)))
}
