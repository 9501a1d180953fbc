/**
 * A project that brings along programs under the names of the system's, which leave a note when they are run, and the
 * forms of `PATH` that lead to them.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const names = [
  "git env node sh bash rm kill ps cat jq setsid bwrap sandbox-exec systemd-run",
  "claude codex opencode open xdg-open npm npx ssh"
]
  .join(" ")
  .split(" ")

/**
 * `bin`: where they are, below the project. `ran`: the names of those that were run, in their order. `paths`: all forms
 * of PATH as one, before `rest`, and at night each of them by what it is.
 */
export interface Traps {
  readonly bin: string
  readonly ran: () => ReadonlyArray<string>
  readonly paths: (rest: string) => Readonly<Record<string, string>>
}

const put = (folder: string, note: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const file = join(folder, name)
    // The shell is named in full, and `echo` is its own: nothing else is run.
    writeFileSync(file, `#!/bin/sh\necho ${name} >> ${JSON.stringify(note)}\nexit 0\n`)
    chmodSync(file, 0o755)
  }
}

/** Puts them into the project `root`, and what leads to them into `outside`, a folder of the user's. */
export const make = ({ outside, root }: { readonly outside: string; readonly root: string }): Traps => {
  const bin = join(root, "node_modules", ".bin")
  const note = join(outside, "trapped")
  const linked = join(outside, "linked-bin")
  const links = join(outside, "links")
  put(bin, note)
  // An empty entry and `.` are the folder itself.
  put(root, note)
  symlinkSync(bin, linked)
  mkdirSync(links)
  for (const name of names) symlinkSync(join(bin, name), join(links, name))
  return {
    bin,
    ran: () => (existsSync(note) ? readFileSync(note, "utf8").trim().split("\n") : []),
    paths: (rest) => {
      const forms = {
        absolute: bin,
        "with a slash at its end": `${bin}/`,
        "by a detour": `${root}/src/../node_modules/.bin`,
        relative: "node_modules/.bin",
        empty: "",
        "empty in the middle": "/nowhere:",
        "a dot": ".",
        "a link to the folder": linked,
        "links to the files": links
      }
      // The first that is not passed over is run: all of them at once try each. At night each is tried alone as well.
      const alone = process.env["REFLEXION_TESTS"] === "night" ? forms : {}
      const all = { ...alone, "all of them": Object.values(forms).join(":") }
      return Object.fromEntries(Object.entries(all).map(([form, path]) => [form, `${path}:${rest}`]))
    }
  }
}
