/**
 * What a shell command does: every simple command in it, what it is for, and what the exit status of the whole says
 * about it. Parsed with a real shell parser; what cannot be known is reported as unknown, never as absent.
 */
import * as shellAnalysis from "./analysis.ts"
import type { Scripts, ShellAnalysis } from "./model.ts"

export type { CommandClass, Exit, Push, ShellAnalysis, SimpleCommand } from "./model.ts"

/**
 * Longest command that is analysed whole, in characters.
 *
 * @category limits
 */
export const maxLength: number = shellAnalysis.maxLength

/**
 * Every simple command that the shell would run, in order. `scripts` resolves `npm test`, `make check` and the like to
 * what they run; without it their names decide. Total: it never throws, and its work is bounded.
 *
 * @category analysis
 */
export const analyze: (command: string, scripts?: Scripts) => ShellAnalysis = shellAnalysis.analyze
