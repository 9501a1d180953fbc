/** What a configuration file says of when a task is done. */
import * as DoneWhen from "../donewhen/DoneWhen.ts"
import type { PartialConfig } from "./model.ts"

/** What a file says; `commands`: whether those that it names may be run. */
export const saidIn = (
  said: PartialConfig["doneWhen"] = [],
  { commands }: { readonly commands: boolean }
): ReadonlyArray<DoneWhen.Condition> => {
  const all = said.flatMap((one): ReadonlyArray<DoneWhen.Condition> => {
    const read = DoneWhen.condition(typeof one === "string" ? one : one.text)
    if (read === null) return []
    return [typeof one === "string" ? read : { text: read.text, command: one.command ?? null }]
  })
  return commands ? all : all.map(({ text }) => ({ text, command: null, untrusted: true }))
}
