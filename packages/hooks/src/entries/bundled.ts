/** What the bundler puts into every hook: the identity of its content, and the way to the part that is loaded late. */
import type * as SettingsReader from "../SettingsReader.ts"
import type * as Settings from "../Settings.ts"

declare const REFLEXION_BUILD: string

export const build: string = REFLEXION_BUILD

export const settle: Settings.Options["settle"] = (sources) => {
  const reader: typeof SettingsReader = require("./hook-settings.cjs")
  return reader.settle(sources)
}
