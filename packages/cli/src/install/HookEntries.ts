/** The entries that an installation puts into a host's file: one for each event, in the words of the system's shells. */
import * as HookCommand from "./HookCommand.ts"
import type { HookEntry } from "./HooksDocument.ts"
import * as Hosts from "../host/Hosts.ts"
import type { Host } from "../host/Hosts.ts"

/** A hook that is told of every call needs not be told of some of them again. */
const eventsOf = ({ installation: { events, loopWatch } }: Host, watches: boolean): ReadonlyArray<Hosts.HookEvent> =>
  watches ? [...events.filter(([event]) => !loopWatch.some(([other]) => other === event)), ...loopWatch] : events

/** `line`: what the host shows while the hook runs at a stop. */
export interface Options {
  readonly node: string
  readonly hook: string
  readonly line: string
  readonly loopWatch: boolean
  readonly platform: NodeJS.Platform
}

export const make = (host: Host, { hook, line, loopWatch, node, platform }: Options): ReadonlyArray<HookEntry> => {
  const isWindows = platform === "win32"
  return eventsOf(host, loopWatch).map((one): HookEntry => {
    const [event, timeout, more] = one
    const command = { node, hook, event: Hosts.wordOf(one) }
    return {
      event,
      timeout,
      command: HookCommand.render(command, isWindows ? "windows" : "posix"),
      ...(isWindows && host.installation.windowsShell !== null && { shell: host.installation.windowsShell }),
      ...(more?.tools !== undefined && { matcher: more.tools.join("|") }),
      ...(more?.wakes !== undefined && { wakes: more.wakes }),
      ...(event === "Stop" && more?.wakes === undefined && { statusMessage: line })
    }
  })
}
