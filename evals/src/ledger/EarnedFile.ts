/** The module of core that says how far each rule goes with somebody there. It is made of the ledger. */
import type { Rule } from "@reflexion/core/internal/judge/rules/RuleBook"
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import * as BlindSet from "./BlindSet.ts"
import type { Read } from "./Ledger.ts"
import * as Levels from "./Levels.ts"
import * as RuleVersion from "./RuleVersion.ts"

export const file = fileURLToPath(new URL("../../../packages/core/src/judge/rules/earned.ts", import.meta.url))

const head = `/**
 * How far each rule goes with somebody there: as far as it has proved itself on stops that nobody had seen. Written from
 * evals/ledger by \`npm run ledger -- --write\`.
 */
import type { Level, RuleName } from "../../session/config/RuleNames.ts"

export const earned: Readonly<Record<RuleName, Level>> = {
`

/** As it has to be, before it is formatted. */
export const text = (rounds: ReadonlyArray<Read>, rules: ReadonlyArray<Rule>): string => {
  const levels = Levels.all(rounds, rules, RuleVersion.of, BlindSet.load())
  return `${head}${levels.map(({ level, rule }) => `  "${rule.id}": "${level}"`).join(",\n")}\n}\n`
}

const bare = (source: string): string => source.replaceAll(/\s|,(?=\s*\})/gu, "")

/** Whether the module says the same, whatever its layout. */
export const isCurrent = (wanted: string): boolean =>
  Fs.existsSync(file) && bare(Fs.readFileSync(file, "utf8")) === bare(wanted)
