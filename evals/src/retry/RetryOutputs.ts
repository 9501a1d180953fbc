/** What the failing tasks really printed, attempt by attempt, as `recordRetry` keeps it. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../retry/", import.meta.url))

const fileOf = (id: string, attempt: 1 | 2): string => Path.join(folder, id, `${attempt}.txt`)

export const read = (id: string, attempt: 1 | 2): string => Fs.readFileSync(fileOf(id, attempt), "utf8")

export const write = (id: string, attempt: 1 | 2, output: string): void => {
  Fs.mkdirSync(Path.join(folder, id), { recursive: true })
  Fs.writeFileSync(fileOf(id, attempt), output)
}

/** The ids of all tasks that something is kept of. */
export const recorded = (): ReadonlyArray<string> => Fs.readdirSync(folder).toSorted()
