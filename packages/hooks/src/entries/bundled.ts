/** What the bundler puts into every hook: the identity of its content, the way to the part that is loaded late, and to the loader. */
import type * as SettingsReader from "../config/SettingsReader.ts"
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

const reader = (): typeof SettingsReader => {
  try {
    return require("./hook-settings.cjs")
  } catch {
    throw new Error(
      `hook-settings.cjs is missing or damaged: install it again with \`reflexion install ${REFLEXION_HOST}\``
    )
  }
}

export const settle: Settings.Options["settle"] = (sources) => reader().settle(sources)
