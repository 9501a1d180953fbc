/** The part of a hook that is loaded where there is configuration to read. */
export { settle } from "../config/SettingsReader.ts"
