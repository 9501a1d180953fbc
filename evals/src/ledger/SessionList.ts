/** A round's list of sessions. Each line has file, project and host, separated by tabs. */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"

export interface Listed {
  readonly file: string
  readonly project: string
  readonly host: string
}

/** The files are in the list's folder. */
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

/** The order of the sessions does not matter. */
export const hash = (listed: ReadonlyArray<Listed>): string => {
  const lines = listed.map(
    ({ file, host, project }) =>
      `${host} ${project} ${Crypto.createHash("sha256").update(Fs.readFileSync(file)).digest("hex")}`
  )
  return Crypto.createHash("sha256").update(lines.toSorted().join("\n")).digest("hex")
}
