/** A round's list of sessions: a line each of file, project and host, with tabs between. Its hash is committed before the first run. */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"

/** A session of the list. */
export interface Listed {
  readonly file: string
  readonly project: string
  readonly host: string
}

/** Reads a list; the files stand next to it. */
export const read = (list: string): ReadonlyArray<Listed> =>
  Fs.readFileSync(list, "utf8")
    .split("\n")
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => {
      const [file, project, host] = line.split("\t")
      if (file === undefined || project === undefined || host === undefined)
        throw new Error(`${list}, line ${number}: a file, a project and a host are needed, with tabs between`)
      return { file: Path.resolve(Path.dirname(list), file), project, host }
    })

/** The hash of what is judged: the sessions' bytes with their projects and hosts, in no order. */
export const hash = (listed: ReadonlyArray<Listed>): string => {
  const lines = listed.map(
    ({ file, host, project }) =>
      `${host} ${project} ${Crypto.createHash("sha256").update(Fs.readFileSync(file)).digest("hex")}`
  )
  return Crypto.createHash("sha256").update(lines.toSorted().join("\n")).digest("hex")
}
