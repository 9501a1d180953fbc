/** What the bundler puts into every hook: the identity of its content, and the way to the loader and to what is loaded late. */
import * as SettingsReader from "../config/SettingsReader.ts"
import type * as Settings from "../config/Settings.ts"
import type * as StandardInput from "../input/StandardInput.ts"

declare const REFLEXION_BUILD: string
declare const REFLEXION_HOST: string
declare const reflexionLater: (rest: Promise<unknown>) => void
declare const reflexionInput: StandardInput.Input

export const build: string = REFLEXION_BUILD

/** The loader's: it waits for the rest. */
export const later = (rest: Promise<unknown>): void => reflexionLater(rest)

/** The loader's as well: it has read it. */
export const input: StandardInput.Input = reflexionInput

export const settle: Settings.Options["settle"] = (sources) => {
  try {
    return SettingsReader.settle(sources)
  } catch {
    const again = `install it again with \`reflexion install ${REFLEXION_HOST}\``
    throw new Error(`hook-consult.cjs is missing or damaged: ${again}`)
  }
}
