/**
 * The user's conditions for being done, in a configuration: each that names a command is a gate that the task must pass, and a
 * check that may be run for it.
 */
import type { PartialConfig, ReflexionConfig } from "./model.ts"
import { type Condition, gateOf, isGate, numbered } from "../donewhen/Conditions.ts"
import * as DoneWhen from "../donewhen/DoneWhen.ts"

/** What a file says of it; `commands`: whether those that it names may be run. */
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

/** What a record shows of one command it cannot show of several at once. */
const isPlain = (command: string): boolean => !/[|;&<>`$()\n\\]/.test(command)

/** As long as any other check that says no time. */
const timeout = 300

/** The configuration with more conditions than it has. */
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
