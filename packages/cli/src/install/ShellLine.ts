/**
 * A program and its words as one line for a shell. Pure, by what each shell's documentation says of its quotes; what
 * Windows' shells make of it was never run.
 */

/**
 * Whose rules a line follows: those of POSIX's `sh`, or of both shells of Windows where that can be, else of
 * PowerShell.
 */
export type Shell = "posix" | "windows"

/** Within double quotes `sh` still reads these. */
const posixWord = (text: string): string => `"${text.replace(/["$`\\]/gu, "\\$&")}"`

export const posix = (paths: ReadonlyArray<string>, word: string): string => `${paths.map(posixWord).join(" ")} ${word}`

/** PowerShell takes each of these for a single quote, and two of them for one. */
const singles = /['‘’‚‛]/gu

const powerShellWord = (text: string): string => `'${text.replace(singles, "$&$&")}'`

/** A line that begins with a quote is an expression to PowerShell: `&` makes it a command. */
export const powerShell = (paths: ReadonlyArray<string>, word: string): string =>
  `& ${paths.map(powerShellWord).join(" ")} ${word}`

/** No shell of Windows reads any of these as anything but itself, within quotes or, spaces aside, without. */
const plain = /^[\p{L}\p{N}\\:._+~ -]{1,400}$/u

/** By its full name: `cmd` itself looks for a program in the current folder first. */
const cmd = "C:\\Windows\\System32\\cmd.exe"

/**
 * A line that PowerShell and cmd read alike, null where a path has a character that one of them reads otherwise.
 * `call`, because of a line that begins with a quote cmd takes the first and the last away.
 */
export const eitherOfWindows = (paths: ReadonlyArray<string>, word: string): string | null =>
  paths.every((path) => plain.test(path) && !/[\\ ]$/u.test(path))
    ? `${cmd} /d /c call ${paths.map((path) => `"${path}"`).join(" ")} ${word}`
    : null

export const render = (shell: Shell, paths: ReadonlyArray<string>, word: string): string =>
  shell === "posix" ? posix(paths, word) : (eitherOfWindows(paths, word) ?? powerShell(paths, word))

/** What a line of two paths and a word says. */
export interface Read {
  readonly shell: Shell
  readonly paths: readonly [string, string]
  readonly word: string
}

const end = " ([A-Za-z]{1,40})$"
const posixQuoted = '"((?:[^"\\\\]|\\\\.)*)"'
const singleQuoted = "'((?:[^'‘’‚‛]|''|‘‘|’’|‚‚|‛‛)*)'"
const plainQuoted = '"([^"]{1,400})"'

const forms: ReadonlyArray<readonly [Shell, RegExp, (quoted: string) => string]> = [
  ["posix", new RegExp(`^${posixQuoted} ${posixQuoted}${end}`, "u"), (text) => text.replace(/\\(["$`\\])/gu, "$1")],
  [
    "windows",
    new RegExp(`^& ${singleQuoted} ${singleQuoted}${end}`, "u"),
    (text) => text.replace(/''|‘‘|’’|‚‚|‛‛/gu, (two) => two.slice(1))
  ],
  [
    "windows",
    new RegExp(`^${cmd.replace(/[\\.]/gu, "\\$&")} /d /c call ${plainQuoted} ${plainQuoted}${end}`, "u"),
    (text) => text
  ]
]

/** A line as it was written here, null for any other: nothing stands before, between or after. */
export const parse = (line: string): Read | null => {
  for (const [shell, form, unquoted] of forms) {
    const [, first, second, word] = form.exec(line) ?? []
    if (first === undefined || second === undefined || word === undefined) continue
    const paths = [unquoted(first), unquoted(second)] as const
    return render(shell, paths, word) === line ? { shell, paths, word } : null
  }
  return null
}
