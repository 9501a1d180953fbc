/** The program behind `reflexion rules`. */
import * as RuleBook from "@reflexion/core/internal/judge/rules/RuleBook"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { hint } from "../command/CommandSpec.ts"
import { UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as Settings from "../process/Settings.ts"
import { escaped } from "../session/Report.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Given } from "./model.ts"
import * as RulesReport from "./report.ts"

const fail = (problem: string) => Effect.fail(new UsageError({ command: "reflexion rules", problem }))

const chosen = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<RuleBook.Rule>, UsageError> => {
  const [name, ...more] = names
  if (name === undefined) return Effect.succeed(RuleBook.rules)
  if (more.length > 0) return fail("one rule at a time")
  const rule = RuleBook.ruleOf(name)
  const known = RuleBook.rules.map(({ id }) => id)
  return rule === null ? fail(`there is no rule "${oneLine(name)}"${hint(name, known)}`) : Effect.succeed([rule])
}

/**
 * Shows the rules, or one, as they are configured where it is run.
 *
 * @category programs
 */
export const run = Effect.fn("ShowRules.run")(function* ({ format, names }: Given) {
  const { cwd } = yield* CliProcess
  const rules = yield* chosen(names)
  const config = yield* Settings.workspace(yield* Settings.user, cwd)
  const entries = rules.map((rule) => RulesReport.entryOf(rule, config))
  const style = yield* Terminal.style
  const text =
    format === "json"
      ? escaped(JSON.stringify(RulesReport.json(entries), null, 2))
      : names.length === 0
        ? RulesReport.list(style, entries)
        : entries.map((entry) => RulesReport.page(style, entry)).join("\n")
  yield* Console.log(text)
  yield* Ref.set(yield* ExitStatus, 0)
})
