/** Whether a run was ended from outside, by a limit of time or a signal: what would have come after is not known. */
import type * as ShellCommand from "../shell/ShellCommand.ts"
import type { ToolCall } from "../transcript/Transcript.ts"

/** Statuses of `timeout`, and of the signals by which somebody else ends a process; a crash is the process's own. */
const statuses: ReadonlySet<number | null> = new Set([
  124, 129, 130, 131, 137, 142, 143, 152, -2, -3, -9, -14, -15, 3_221_225_786
])

export const isKilled = (status: number | null): boolean => statuses.has(status)

/** A shell's word for it; where it names a command, that one was ended. */
const byShell =
  /^(?:\S{1,60}: )?(?:line \d{1,6}: {1,4})?(?:\[\d{1,4}\] ?[+-]? {0,8})?(?:\d{1,9} )?(?:Killed|Terminated|Hangup|Interrupt|Alarm clock)(?:: \d{1,2})?(?: \(core dumped\))?(?: {2,40}(.{1,200}))?$/

const signs: ReadonlyArray<RegExp> = [
  /\b(?:command|process|script|task|execution|tool)\b.{0,60}\b(?:timed out|was (?:killed|terminated)|(?:killed|terminated) (?:by|with|after)|exceed(?:ed|ing) (?:the |its )?time)/i,
  /\bterminated command after exceeding\b/,
  /\b(?:failed|killed|terminated|exited|died|ended|aborted|received)\b.{0,30}\bSIG(?:KILL|TERM|INT|HUP|QUIT|ALRM|XCPU)\b/,
  /^npm (?:ERR!|error) signal SIG/,
  /^signal: (?:killed|terminated|interrupt|hangup)/,
  /\b(?:exit(?:ed with)?|terminated with exit) (?:status|code):? ?(?:124|129|130|131|137|143)$/,
  /^g?make(?:\[\d{1,3}\])?: \*\*\* .{0,300}(?:\b(?:Killed|Terminated|Interrupt|Error 1(?:24|29|30|31|37|43)))$/
]

/** A test in a list, which may be called after anything. */
const listed = /^\s{0,40}(?:[✓✔√✗✘×✖•·*>-]|ok\b|not ok\b|PASS|FAIL|\d{1,6}\))/

/** Hosts say it in their first lines, shells in the last. */
const saysKilled = (output: string, { text }: Pick<ShellCommand.SimpleCommand, "text">): boolean => {
  const ends = [...output.slice(0, 1000).split(/\r?\n/, 3), ...output.slice(-2000).split(/\r?\n/).slice(-8)]
  return ends
    .map((line) => line.slice(0, 400).trimEnd())
    .filter((line) => !listed.test(line))
    .some((line) => {
      const shell = byShell.exec(line)
      if (shell !== null) return shell[1] === undefined || shell[1].includes(text.split(" ", 1)[0] ?? "")
      return signs.some((sign) => sign.test(line))
    })
}

/** Whether a call's command was ended from outside, by its status or by what is printed around it. */
export const wasKilled = (call: ToolCall, simple: ShellCommand.SimpleCommand): boolean =>
  isKilled(call.exitCode) ||
  (!(call.exitCode === 0 && call.status !== "error" && simple.exit === "implied") &&
    saysKilled(call.output ?? "", simple))

/** Whether an output by itself says so. */
export const tellsKilled = (output: string): boolean => saysKilled(output, { text: "" })
