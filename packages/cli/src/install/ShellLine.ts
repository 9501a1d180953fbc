/** Writes a program and its arguments as one line for a shell. The lines for Windows were never tried on Windows. */

/** "zero" is `sh` with a line that ends with status 0. "windows" works in cmd and PowerShell, or only in PowerShell. */
export type Shell = "posix" | "zero" | "windows"

/** `sh` interprets these characters even inside double quotes. */
const posixWord = (text: string): string => `"${text.replace(/["$`\\]/gu, "\\$&")}"`

/** PowerShell treats each of these as a single quote. Two of them mean one quote. */
const singles = /['‘’‚‛]/gu

const powerShellWord = (text: string): string => `'${text.replace(singles, "$&$&")}'`

/** PowerShell reads a line that begins with a quote as an expression. `&` makes it a command. */
export const powerShell = (paths: ReadonlyArray<string>, word: string): string =>
  `& ${paths.map(powerShellWord).join(" ")} ${word}`

/** No shell of Windows interprets these characters inside quotes. Outside quotes, only spaces are special. */
const plain = /^[\p{L}\p{N}\\:._+~ -]{1,400}$/u

/** The full path, because `cmd` looks for a program in the current folder first. */
const cmd = "C:\\Windows\\System32\\cmd.exe"

/** Null if cmd and PowerShell need different quotes. Without `call`, cmd would remove quotes from the line. */
export const eitherOfWindows = (paths: ReadonlyArray<string>, word: string): string | null =>
  paths.every((path) => plain.test(path) && !/[\\ ]$/u.test(path))
    ? `${cmd} /d /c call ${paths.map((path) => `"${path}"`).join(" ")} ${word}`
    : null

const zero = " || true"

export const wordOf = (line: string): string => {
  const bare = line.endsWith(zero) ? line.slice(0, -zero.length) : line
  return bare.slice(bare.lastIndexOf(" ") + 1)
}

export const render = (shell: Shell, paths: ReadonlyArray<string>, word: string): string =>
  shell === "windows"
    ? (eitherOfWindows(paths, word) ?? powerShell(paths, word))
    : `${paths.map(posixWord).join(" ")} ${word}${shell === "zero" ? zero : ""}`

const unquoted = (text: string): string => text.replace(/\\(["$`\\])/gu, "$1")

export interface Read {
  readonly shell: Shell
  readonly paths: readonly [string, string]
  readonly word: string
}

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'‘’‚‛]|''|‘‘|’’|‚‚|‛‛)*)'/gu

const shells: ReadonlyArray<Shell> = ["posix", "zero", "windows"]

/** Null for a line that this module did not write. */
export const parse = (line: string): Read | null => {
  const found = Array.from(line.matchAll(quoted))
  const word = wordOf(line)
  for (const shell of shells) {
    const [first, second] = found.map(([, double, single = ""]) => {
      if (double === undefined) return single.replace(/''|‘‘|’’|‚‚|‛‛/gu, (two) => two.slice(1))
      return shell === "windows" ? double : unquoted(double)
    })
    if (first === undefined || second === undefined) return null
    if (render(shell, [first, second], word) === line) return { shell, paths: [first, second], word }
  }
  return null
}
