/** The command that a host runs at an event. */
import { isAbsolute, join, normalize } from "node:path"
import * as HookBundle from "./HookBundle.ts"
import * as Hosts from "../host/Hosts.ts"
import * as ShellLine from "./ShellLine.ts"

export interface HookCommand {
  readonly node: string
  readonly hook: string
  /** The argument that tells the hook its event. */
  readonly event: string
}

export const render = ({ event, hook, node }: HookCommand, shell: ShellLine.Shell = "posix"): string =>
  ShellLine.render(shell, [node, hook], event)

/** Null unless the command is exactly one of ours and its hook is below `folder`. */
export const parse = (command: string, folder: string): HookCommand | null => {
  const read = ShellLine.parse(command.slice(0, 8000))
  if (read === null) return null
  const [node, hook] = read.paths
  const found = { node, hook, event: read.word }
  const isOurs =
    isAbsolute(node) &&
    normalize(node) === node &&
    Hosts.names.some((host) => HookBundle.isEntry(hook, join(folder, host), "hooks")) &&
    Hosts.knownEvents.includes(read.word)
  return isOurs && render(found, read.shell) === command ? found : null
}

/** Older versions wrote commands that the shells of Windows cannot run. */
export const isFor = (command: string, platform: NodeJS.Platform): boolean =>
  platform !== "win32" || !["posix", "zero"].includes(ShellLine.parse(command)?.shell ?? "")
