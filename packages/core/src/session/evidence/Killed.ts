/** Whether a run was ended from outside, by a limit of time or a signal: what would have come after is not known. */
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** Statuses of `timeout`, and of the signals with which somebody else ends a process; a crash is the process's own. */
const statuses: ReadonlySet<number | null> = new Set([
  124, 129, 130, 131, 137, 142, 143, 152, -2, -3, -9, -14, -15, 3_221_225_786
])

export const isKilled = (status: number | null): boolean => statuses.has(status)

/** A shell's word for it; where it names a command, that one was ended. */
const byShell =
  /^(?:.{0,80}[:\d\]+-] {1,8})?(?:Killed|Terminated|Hangup|Interrupt|Alarm clock)(?:: \d{1,2})?(?: \(core dumped\))?(?: {2,40}(.{1,200}))?$/

const signs: ReadonlyArray<RegExp> = [
  /\b(?:command|process|script|task|execution|tool)\b.{0,60}\b(?:timed out|was (?:killed|terminated)|(?:killed|terminated) (?:by|with|after|command)|exceed(?:ed|ing) (?:the |its )?time)/i,
  /\b(?:failed|killed|terminated|exited|died|ended|aborted|received|ERR!|error)\b.{0,30}\bSIG(?:KILL|TERM|INT|HUP|QUIT|ALRM|XCPU)\b/,
  /^signal: (?:killed|terminated|interrupt|hangup)|\bexit(?:ed with)? (?:status|code):? ?(?:124|129|130|131|137|143)$/,
  /^g?make(?:\[\d{1,3}\])?: \*\*\* .{0,300}(?:\b(?:Killed|Terminated|Interrupt|Error 1(?:24|29|30|31|37|43)))$/
]

/** A test in a list, which may be called after anything. */
const listed = /^\s{0,40}(?:[✓✔√✗✘×✖•·*>-]|ok\b|not ok\b|PASS|FAIL|\d{1,6}\))/

/** Whether an output says so: hosts in their first lines, shells in the last. `program`: the one that is asked about. */
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

/** Whether a call's command was ended from outside, by its status or by what is printed around it. */
export const wasKilled = (call: ToolCall, { exit, text }: SimpleCommand): boolean => {
  const isPlain = call.exitCode === 0 && call.status !== "error" && exit === "implied"
  return isKilled(call.exitCode) || (!isPlain && tellsKilled(call.output ?? "", text.split(" ", 1)[0]))
}
