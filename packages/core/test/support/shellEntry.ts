/** What a minified bundle makes of the shell parser and of what this package reads with it. */
export { parse } from "unbash"
export { analyze } from "../../src/session/shell/ShellCommand.ts"
