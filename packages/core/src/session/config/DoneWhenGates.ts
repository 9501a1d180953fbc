/** Makes a gate and a check from each of the user's conditions for "done" that has a command. */
import type { PartialConfig, ReflexionConfig } from "./model.ts"
import { type Condition, gateOf, isGate, numbered } from "../donewhen/Conditions.ts"
import * as DoneWhen from "../donewhen/DoneWhen.ts"

/** Returns the conditions in a file. `commands` is true if the commands in the file may be run. */
export const saidIn = (
  said: PartialConfig["doneWhen"] = [],
  { commands }: { readonly commands: boolean }
): ReadonlyArray<Condition> =>
  said.flatMap((one): ReadonlyArray<Condition> => {
    const given = typeof one === "string" ? null : one
    const read = DoneWhen.condition(typeof one === "string" ? one : one.text)
    if (read === null) return []
    if (!commands) return [{ text: read.text, command: null, untrusted: true }]
    return [given === null ? read : { text: read.text, command: given.command ?? null }]
  })

/** True for a single command. If a call runs several commands, the record does not show how each command ended. */
const isPlain = (command: string): boolean => !/[|;&<>`$()\n\\]/.test(command)

/** In seconds. */
const timeout = 300

export const withMore = (config: ReflexionConfig, more: ReadonlyArray<Condition>): ReflexionConfig => {
  if (more.length === 0) return config
  const doneWhen = numbered([...config.doneWhen, ...more])
  const proved = doneWhen.flatMap((item) =>
    item.command === null ? [] : [{ name: gateOf(item), command: item.command }]
  )
  const gates = proved.map((check) => ({
    ...check,
    paths: [],
    required: isPlain(check.command),
    doneWhen: true
  }))
  const checks = proved.map((check) => ({ ...check, timeout }))
  return {
    ...config,
    doneWhen,
    gates: [...config.gates.filter(({ name }) => !isGate(name)), ...gates],
    checks: [...config.checks.filter(({ name }) => !isGate(name)), ...checks]
  }
}
