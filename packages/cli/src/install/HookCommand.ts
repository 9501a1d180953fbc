/**
 * The command that a host runs at an event: the absolute Node binary, the absolute hook, the word by which the hook knows
 * the event.
 */
import { isAbsolute, join, normalize, relative, sep } from "node:path"
import * as HookBundle from "./HookBundle.ts"
import * as HookHosts from "../host/HookHosts.ts"

/** Within double quotes a shell still reads these. */
const quoted = (path: string): string => `"${path.replace(/["$`\\]/gu, "\\$&")}"`

export interface HookCommand {
  readonly node: string
  readonly hook: string
  readonly event: string
}

export const render = ({ event, hook, node }: HookCommand): string => `${quoted(node)} ${quoted(hook)} ${event}`

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
    HookHosts.names.includes(host) &&
    /^[0-9A-Za-z][0-9A-Za-z.+-]{0,100}$/u.test(id) &&
    rest.join(sep) === HookBundle.entry &&
    hook === join(folder, host, id, HookBundle.entry)
  )
}

const whole = /^"((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)" ([A-Za-z]{1,40})$/u

/**
 * What a command runs, if it is one of ours to the letter: nothing stands before, between or after, and its hook is a
 * copy below `folder`. Any other command is somebody else's, whatever it mentions.
 *
 * @category parsing
 */
export const parse = (command: string, folder: string): HookCommand | null => {
  const [, node, hook, event] = whole.exec(command.slice(0, 8000)) ?? []
  if (node === undefined || hook === undefined || event === undefined) return null
  const found = { node: unquoted(node), hook: unquoted(hook), event }
  const isOurs = isCanonical(found.node) && isHook(found.hook, folder) && HookHosts.knownEvents.includes(event)
  return isOurs && render(found) === command ? found : null
}

/**
 * The version of the hook that a command of somebody else's seems to run: one of its words is a hook below `folder`. Null
 * where none is, and for commands of ours.
 *
 * @category parsing
 */
export const wrapped = (command: string, folder: string): string | null => {
  if (parse(command, folder) !== null) return null
  const hook = words(command).find((one) => one.startsWith(folder + sep) && one.endsWith(sep + HookBundle.entry))
  return hook?.split(sep).at(-2) ?? null
}
