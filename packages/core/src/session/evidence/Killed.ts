/** Finds out whether a time limit or a signal ended a run. Then the result of the rest of the run is unknown. */
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** Statuses of `timeout`, and of signals that end a process from outside. A crash is not in this list. */
const statuses: ReadonlySet<number | null> = new Set([
  124, 129, 130, 131, 137, 142, 143, 152, -2, -3, -9, -14, -15, 3_221_225_786
])

export const isKilled = (status: number | null): boolean => statuses.has(status)

/** The shell's message about an ended command. The regex group is the command, if the message names a command. */
const byShell =
  /^(?:.{0,80}[:\d\]+-] {1,8})?(?:Killed|Terminated|Hangup|Interrupt|Alarm clock)(?:: \d{1,2})?(?: \(core dumped\))?(?: {2,40}(.{1,200}))?$/

const signs: ReadonlyArray<RegExp> = [
  /\b(?:command|process|script|task|execution|tool)\b.{0,60}\b(?:timed out|was (?:killed|terminated)|(?:killed|terminated) (?:by|with|after|command)|exceed(?:ed|ing) (?:the |its )?time)/i,
  /\b(?:failed|killed|terminated|exited|died|ended|aborted|received|ERR!|error)\b.{0,30}\bSIG(?:KILL|TERM|INT|HUP|QUIT|ALRM|XCPU)\b/,
  /^signal: (?:killed|terminated|interrupt|hangup)|\bexit(?:ed with)? (?:status|code):? ?(?:124|129|130|131|137|143)$/,
  /^g?make(?:\[\d{1,3}\])?: \*\*\* .{0,300}(?:\b(?:Killed|Terminated|Interrupt|Error 1(?:24|29|30|31|37|43)))$/
]

/** A line in a list of tests. Such a line does not count, because a test may have any name. */
const listed = /^\s{0,40}(?:[✓✔√✗✘×✖•·*>-]|ok\b|not ok\b|PASS|FAIL|\d{1,6}\))/

/** Hosts write the message in the first lines, shells in the last. If it names a program, this must be `program`. */
export const tellsKilled = (output: string, program = ""): boolean => {
  const ends = [...output.slice(0, 1000).split(/\r?\n/, 3), ...output.slice(-2000).split(/\r?\n/).slice(-8)]
  return ends
    .map((line) => line.slice(0, 400).trimEnd())
    .filter((line) => !listed.test(line))
    .some((line) => {
      const shell = byShell.exec(line)
      return shell === null ? signs.some((sign) => sign.test(line)) : (shell[1]?.includes(program) ?? true)
    })
}

export const wasKilled = (call: ToolCall, { exit, text }: SimpleCommand): boolean => {
  const isPlain = call.exitCode === 0 && call.status !== "error" && exit === "implied"
  return isKilled(call.exitCode) || (!isPlain && tellsKilled(call.output ?? "", text.split(" ", 1)[0]))
}
