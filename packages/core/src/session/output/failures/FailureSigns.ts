/**
 * One-line signs of a cause in what a failed command printed, by what they prove. The groups `subject`, `message`, `file`
 * and `line` say what, why and where.
 */

/** What made it fail, as far as its output says. */
export type CauseKind =
  | "assertion"
  | "exception"
  | "syntax"
  | "missing_module"
  | "missing_command"
  | "missing_script"
  | "missing_file"
  | "permission"
  | "connection"
  | "port"
  | "memory"
  | "disk"
  | "timeout"

export interface Sign {
  readonly kind: CauseKind
  /** One of these stands in every line that has the sign. */
  readonly needles: ReadonlyArray<string>
  readonly on: RegExp
}

const sign = (kind: CauseKind, needles: ReadonlyArray<string>, on: RegExp): Sign => ({ kind, needles, on })

const missing = [
  sign(
    "missing_module",
    ["Cannot find "],
    /Cannot find (?:module|package) '(?<subject>[^']{1,200})'(?: (?:imported )?from '?(?<file>[^\s']{1,300}))?/
  ),
  sign(
    "missing_module",
    ["No module named"],
    /^(?:E\s{1,10})?ModuleNotFoundError: No module named '?(?<subject>[\w.]{1,120})/
  ),
  sign(
    "missing_module",
    ["cannot import name"],
    /^(?:E\s{1,10})?ImportError: (?<message>cannot import name '(?<subject>\w{1,120})' from .{1,300})$/
  ),
  sign(
    "missing_module",
    ["Failed to resolve import"],
    /Failed to resolve import "(?<subject>[^"]{1,200})" from "(?<file>[^"]{1,200})"/
  ),
  sign("missing_module", ["Could not resolve "], /\bERROR: Could not resolve "(?<subject>[^"]{1,200})"/),
  sign("missing_module", ["Can't resolve"], /Can't resolve '(?<subject>[^']{1,200})' in /),
  sign("missing_module", ["unresolved import"], /^error\[E0432\]: unresolved import `(?<subject>[^`]{1,200})`/),
  sign("missing_module", ["can't find crate"], /^error\[E0463\]: can't find crate for `(?<subject>[^`]{1,200})`/),
  sign(
    "missing_module",
    ["no required module provides"],
    /no required module provides package (?<subject>[^\s;]{1,200})/
  ),
  sign("missing_module", ["cannot load such file"], /cannot load such file -- (?<subject>\S{1,200})/),
  sign("missing_module", ["does not exist"], /error: package (?<subject>[\w.]{1,200}) does not exist/),
  sign(
    "missing_command",
    ["not found"],
    /^(?:\/\w{1,20}\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d{1,6}: )?(?<subject>[\w./@-]{1,80}): (?:command )?not found$/
  ),
  sign("missing_command", ["not found"], /^(?:zsh: )?command not found: (?<subject>[\w./@-]{1,80})$/),
  sign(
    "missing_command",
    ["not found"],
    /^(?:\S{1,80}: line \d{1,6}: )?(?<subject>[\w./@-]{1,80}): command not found$/
  ),
  sign(
    "missing_command",
    ["is not recognized"],
    /^'(?<subject>[^']{1,80})' is not recognized as an internal or external command/
  ),
  sign("missing_command", ["ENOENT"], /\bspawn (?<subject>[\w./@-]{1,80}) ENOENT\b/),
  sign("missing_script", ["issing script"], /^npm (?:ERR!|error) [Mm]issing script: "?(?<subject>[\w:.-]{1,80})"?/),
  sign("missing_file", ["ENOENT"], /\bENOENT: no such file or directory, \w{1,20} '(?<subject>[^']{1,200})'/),
  sign(
    "missing_file",
    ["FileNotFoundError"],
    /FileNotFoundError: .{0,60}No such file or directory: '(?<subject>[^']{1,200})'/
  )
]

/** Of esbuild, which Vitest asks; what it says of names that are not exported is no syntax. */
const unparsed = [
  sign(
    "syntax",
    [": ERROR: "],
    /^\s{0,4}(?<file>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7}: ERROR: (?<message>(?!Could not resolve|No matching export).{1,300})$/
  )
]

const surroundings = [
  sign("permission", ["EACCES"], /\bEACCES: permission denied, \w{1,20} '(?<subject>[^']{1,200})'/),
  sign("permission", ["Permission denied"], /PermissionError: .{0,40}Permission denied: '(?<subject>[^']{1,200})'/),
  sign("permission", ["Permission denied"], /^(?:\S{1,40}: ){0,3}(?<subject>[^\s:'"]{1,200}): Permission denied$/),
  sign("connection", ["ECONNREFUSED"], /\bECONNREFUSED(?: (?<subject>[\w.:[\]-]{1,120}))?/),
  sign("connection", ["onnection refused"], /\bconnection to server at "(?<subject>[\w.:-]{1,120})"/),
  sign("connection", ["ailed to connect to"], /\bFailed to connect to (?<subject>[\w.:-]{1,120}) port \d{1,6}\b/),
  sign("connection", ["onnection refused"], /\bdial tcp (?<subject>[\w.:[\]-]{1,120}): connect: connection refused/),
  sign("connection", ["onnection refused"], /^(?!.{0,200}\bdial tcp ).{0,200}\b[Cc]onnection refused\b/),
  sign("connection", ["ENOTFOUND"], /\bgetaddrinfo ENOTFOUND (?<subject>[\w.-]{1,120})/),
  sign("connection", ["resolve host"], /Could not resolve host: (?<subject>[\w.-]{1,120})/),
  sign("port", ["EADDRINUSE"], /\bEADDRINUSE: address already in use (?<subject>[\w.:[\]*-]{1,80})/),
  sign("port", ["ddress already in use"], /^(?!.{0,200}\bEADDRINUSE\b).{0,200}\b[Aa]ddress already in use\b/),
  sign("memory", ["heap out of memory"], /JavaScript heap out of memory/),
  sign("memory", ["OutOfMemoryError"], /\bjava\.lang\.OutOfMemoryError\b/),
  sign("memory", ["MemoryError"], /^MemoryError\b/),
  sign("memory", ["out of memory"], /^fatal error: runtime: out of memory/),
  sign("memory", ["Killed"], /^(?:\S{1,80}: line \d{1,6}:\s{1,4}\d{1,9} )?Killed(?:\s{1,20}\S.{0,200})?$/),
  sign("disk", ["ENOSPC"], /\bENOSPC\b/),
  sign("disk", ["No space left"], /No space left on device/)
]

const late = [
  sign("timeout", ["timed out in"], /\b(?<subject>Test|Hook) timed out in (?<message>\d{1,9}ms)/),
  sign("timeout", ["Exceeded timeout"], /Exceeded timeout of (?<message>\d{1,9} ?ms) for a (?<subject>test|hook)/),
  sign("timeout", ["exceeded"], /\bTimeout of (?<message>\d{1,9}ms) exceeded/),
  sign("timeout", ["timed out after"], /\btimed out after (?<message>[\d.]{1,9} ?\w{0,12})/),
  sign("timeout", ["Timeout"], /\bFailed: Timeout \(?>(?<message>[\d.]{1,9}s)/),
  sign("timeout", ["deadline exceeded"], /\bcontext deadline exceeded\b/),
  sign("timeout", ["ETIMEDOUT"], /\bETIMEDOUT(?: (?<subject>[\w.:[\]-]{1,120}))?/)
]

/** In the order in which a line is held against them. */
export const signs: ReadonlyArray<Sign> = [...missing, ...unparsed, ...surroundings, ...late]
