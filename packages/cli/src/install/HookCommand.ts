/**
 * The command that a host runs at an event: the absolute Node binary, the absolute hook, the word that tells the
 * hook the event.
 */
import { isAbsolute, join, normalize, relative, sep } from "node:path"
import * as HookBundle from "./HookBundle.ts"
import * as Hosts from "../host/Hosts.ts"
import * as ShellLine from "./ShellLine.ts"

export interface HookCommand {
  readonly node: string
  readonly hook: string
  readonly event: string
}

/** The line that a host hands to its shell. */
export const render = ({ event, hook, node }: HookCommand, shell: ShellLine.Shell = "posix"): string =>
  ShellLine.render(shell, [node, hook], event)

const word = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/gu

const unquoted = (text: string): string => text.replace(/\\(["$`\\])/gu, "$1")

/** As a shell takes a command apart where nothing but quotes is special. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(command.slice(0, 8000).matchAll(word), ([, double, single, bare]) =>
    double === undefined ? (single ?? bare ?? "") : unquoted(double)
  )

const isCanonical = (path: string): boolean => isAbsolute(path) && normalize(path) === path

/** A copy's file by its full name: host, version, file. */
const isHook = (hook: string, folder: string): boolean => {
  const [host = "", id = "", ...rest] = relative(folder, hook).split(sep)
  return (
    Hosts.names.includes(host) &&
    /^[0-9A-Za-z][0-9A-Za-z.+-]{0,100}$/u.test(id) &&
    rest.join(sep) === HookBundle.entry &&
    hook === join(folder, host, id, HookBundle.entry)
  )
}

/**
 * What a command runs, if it is one of ours to the letter: nothing stands before, between or after, and its hook is a
 * copy below `folder`. Any other command is somebody else's, whatever it mentions.
 */
export const parse = (command: string, folder: string): HookCommand | null => {
  const read = ShellLine.parse(command.slice(0, 8000))
  if (read === null) return null
  const [node, hook] = read.paths
  const found = { node, hook, event: read.word }
  const isOurs = isCanonical(node) && isHook(hook, folder) && Hosts.knownEvents.includes(read.word)
  return isOurs && render(found, read.shell) === command ? found : null
}

/** Whether a command of somebody else's seems to run our hook: one of its words is a hook below `folder`. */
export const wraps = (command: string, folder: string): boolean =>
  parse(command, folder) === null &&
  words(command).some((one) => one.startsWith(folder + sep) && one.endsWith(sep + HookBundle.entry))

/** Whether the shells of a system can run a command of ours: what an older version wrote on Windows they cannot. */
export const isFor = (command: string, platform: NodeJS.Platform): boolean =>
  platform !== "win32" || ShellLine.parse(command)?.shell !== "posix"
