/**
 * The command that a host runs at an event: the absolute Node binary, the absolute hook, the event's name.
 *
 * @since 0.1.0
 */

/** Within double quotes a shell still reads these. */
const quoted = (path: string): string => `"${path.replace(/["$`\\]/gu, "\\$&")}"`

/**
 * @since 0.1.0
 * @category models
 */
export interface HookCommand {
  readonly node: string
  readonly hook: string
  readonly event: string
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const render = ({ event, hook, node }: HookCommand): string => `${quoted(node)} ${quoted(hook)} ${event}`

const word = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/gu

const unquoted = (text: string): string => text.replace(/\\(["$`\\])/gu, "$1")

/**
 * The words of a command, as a shell takes them apart where nothing but quotes is special.
 *
 * @since 0.1.0
 * @category parsing
 */
export const words = (command: string): ReadonlyArray<string> =>
  Array.from(command.slice(0, 8000).matchAll(word), ([, double, single, bare]) =>
    double === undefined ? (single ?? bare ?? "") : unquoted(double)
  )

/**
 * The hook that a command runs, if it is one below a folder; and the word before it, which is the Node binary.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (command: string, folder: string): { readonly node: string; readonly hook: string } | null => {
  const found = words(command)
  const at = found.findIndex((one) => one.startsWith(`${folder}/`) && /[\\/]hook\.cjs$/u.test(one))
  const hook = found[at]
  return hook === undefined ? null : { node: found[at - 1] ?? "", hook }
}
