/** Stores whether reflexion may ask a host's own small model. The model is asked only if the user has agreed. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as KeptByName from "./KeptByName.ts"

export type Directories = KeptByName.Directories

export interface ModelConsent {
  readonly asked: boolean
  readonly at: string
}

export const nameOf = (host: string): string => `${host}/small`

const kept = KeptByName.make<ModelConsent>({
  file: "own-models.json",
  key: "hosts",
  read: (value) => {
    const { asked, at } = Json.object(value)
    return typeof asked === "boolean" && typeof at === "string" ? { asked, at } : null
  },
  remedy: "no host's own model is asked until you agree again"
})

export const { fileOf, keep, read } = kept

export const agreed = (directories: KeptByName.Directories, host: string): boolean => {
  try {
    return read(directories).get(host)?.asked === true
  } catch {
    return false
  }
}

const offerOf = ({ state }: KeptByName.Directories, host: string): string =>
  Path.join(state, `own-model-offered-${host}`)

/** True once per host: then the user is told that they can agree. False if the offer cannot be recorded. */
export const mayOffer = (directories: KeptByName.Directories, host: string): boolean => {
  try {
    if (read(directories).has(host)) return false
    PlainFiles.makeFolder(directories.state)
    FS.closeSync(FS.openSync(offerOf(directories, host), "wx", 0o600))
    return true
  } catch {
    return false
  }
}

/** Removes the user's answer. The user can then be asked again. */
export const forget = (directories: KeptByName.Directories, host: string): void => {
  FS.rmSync(offerOf(directories, host), { force: true })
  kept.forget(directories, host)
}
