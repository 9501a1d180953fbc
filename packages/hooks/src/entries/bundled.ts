/** The common start of every hook program. The values declared here come from the bundler and the loader. */
import type * as Settings from "../config/Settings.ts"
import * as ConfigSources from "../config/ConfigSources.ts"
import type * as StandardInput from "../input/StandardInput.ts"
import * as HookProcess from "../process/HookProcess.ts"

declare const REFLEXION_BUILD: string
declare const REFLEXION_HOST: string
declare const reflexionLater: (rest: Promise<unknown>) => void
declare const reflexionInput: StandardInput.Input

const settle: Settings.Options["settle"] = (sources) => {
  try {
    return ConfigSources.settle(sources)
  } catch {
    const again = `install it again with \`reflexion install ${REFLEXION_HOST}\``
    throw new Error(`hook-consult.cjs is missing or damaged: ${again}`)
  }
}

export const run = <S>(program: HookProcess.HookProgram<S>): void =>
  HookProcess.run({ ...program, build: REFLEXION_BUILD, settle }, { input: reflexionInput, later: reflexionLater })
