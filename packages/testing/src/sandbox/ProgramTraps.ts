/** A project with programs that have the names of system programs, and forms of `PATH` that lead to them. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const names = [
  "git env node sh bash rm kill ps cat jq setsid bwrap sandbox-exec systemd-run",
  "claude codex opencode gemini open xdg-open npm npx ssh"
]
  .join(" ")
  .split(" ")

/** `ran` lists the programs that ran. `paths` are values of PATH that lead to them and end with `rest`. */
export interface Traps {
  readonly bin: string
  readonly ran: () => ReadonlyArray<string>
  readonly paths: (rest: string) => Readonly<Record<string, string>>
}

const put = (folder: string, note: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const file = join(folder, name)
    // The script runs no other program: it has the shell's full path, and `echo` is built in.
    writeFileSync(file, `#!/bin/sh\necho ${name} >> ${JSON.stringify(note)}\nexit 0\n`)
    chmodSync(file, 0o755)
  }
}

/** The programs are in the project `root`. `outside` is a folder of the user with links to them. */
export const make = ({ outside, root }: { readonly outside: string; readonly root: string }): Traps => {
  const bin = join(root, "node_modules", ".bin")
  const note = join(outside, "trapped")
  const linked = join(outside, "linked-bin")
  const links = join(outside, "links")
  put(bin, note)
  // In `PATH`, an empty entry and `.` mean the current folder.
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
      // The first entry that is not skipped is used. So one PATH with all forms tests every form.
      const alone = process.env["REFLEXION_TESTS"] === "night" ? forms : {}
      const all = { ...alone, "all of them": Object.values(forms).join(":") }
      return Object.fromEntries(Object.entries(all).map(([form, path]) => [form, `${path}:${rest}`]))
    }
  }
}
