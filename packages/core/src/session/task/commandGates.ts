/** The gates that a command which a person names would run. */
import { gateOfCheck } from "../gates/GateTable.ts"
import * as ShellCommand from "../shell/ShellCommand.ts"

const gateOfClass: Partial<Record<ShellCommand.CommandClass, string>> = gateOfCheck

export const gatesOfCommand = (command: string): ReadonlyArray<string> => {
  const classes = ShellCommand.analyze(command).commands.flatMap((simple) => simple.classes)
  const gates = [...new Set(classes.flatMap((name) => gateOfClass[name] ?? []))]
  return gates.includes("typecheck") ? gates.filter((gate) => gate !== "build") : gates
}
