/**
 * The user's conditions for being done, in a configuration: each that names a command is a gate that the task must pass, and a
 * check that may be run for it.
 */
import type { ActiveGate, Check, ReflexionConfig } from "./model.ts"
import * as DoneWhen from "../donewhen/Conditions.ts"

/** What a record shows of one command it cannot show of several at once. */
const isPlain = (command: string): boolean => !/[|;&<>`$()\n\\]/.test(command)

const gateFor = (item: DoneWhen.AcceptanceItem): ReadonlyArray<ActiveGate> =>
  item.command === null
    ? []
    : [
        {
          name: DoneWhen.gateOf(item),
          command: item.command,
          paths: [],
          required: isPlain(item.command),
          doneWhen: true
        }
      ]

/** As long as any other check that says no time. */
const timeout = 300

const checkFor = (item: DoneWhen.AcceptanceItem): ReadonlyArray<Check> =>
  item.command === null ? [] : [{ gate: DoneWhen.gateOf(item), command: item.command, timeout }]

/** The configuration with these conditions and no others. */
export const withItems = (config: ReflexionConfig, all: ReadonlyArray<DoneWhen.Condition>): ReflexionConfig => {
  const { gates, verify } = config
  const doneWhen = DoneWhen.numbered(all)
  if (doneWhen.length === 0 && config.doneWhen.length === 0) return config
  return {
    ...config,
    doneWhen,
    gates: [...gates.filter(({ name }) => !DoneWhen.isGate(name)), ...doneWhen.flatMap(gateFor)],
    verify: {
      ...verify,
      checks: [...verify.checks.filter(({ gate }) => !DoneWhen.isGate(gate)), ...doneWhen.flatMap(checkFor)]
    }
  }
}

/** With more conditions than it has. */
export const withMore = (config: ReflexionConfig, more: ReadonlyArray<DoneWhen.Condition>): ReflexionConfig =>
  more.length === 0 ? config : withItems(config, [...config.doneWhen, ...more])
