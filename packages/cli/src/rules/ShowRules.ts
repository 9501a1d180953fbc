/** The program behind `reflexion rules`. */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import * as ConfigSources from "@reflexion/hooks/config/ConfigSources"
import * as Marks from "@reflexion/hooks/config/Marks"
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

/** The nearest rule, else those of its area, else where they are listed. */
const helpFor = (name: string): string => {
  const known = Rules.rules.map(({ id }) => id)
  const near = hint(name, known)
  if (near !== "") return near
  const area = `${name.split("/")[0]}/`
  const inArea = known.filter((id) => id.startsWith(area))
  return inArea.length === 0 ? "; `reflexion rules` lists them" : `; there are ${inArea.join(", ")}`
}

const chosen = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Rules.Rule<Rules.RuleName>>, UsageError> => {
  const [name, ...more] = names
  if (name === undefined) return Effect.succeed(Rules.rules)
  if (more.length > 0) return fail("one rule at a time")
  const rule = Rules.ruleOf(name)
  return rule === null ? fail(`there is no rule "${oneLine(name)}"${helpFor(name)}`) : Effect.succeed([rule])
}

/**
 * Shows the rules, or one, as they are configured where it is run.
 *
 * @category programs
 */
export const run = Effect.fn("ShowRules.run")(function* ({ format, names }: Given) {
  const { cwd } = yield* CliProcess
  const rules = yield* chosen(names)
  const said = yield* Settings.saidAt(cwd)
  const config = ConfigSources.over(yield* Settings.user, said)
  const marked = Marks.lowered((yield* Settings.marksAt(cwd)).marks)
  const entries = rules.map((rule) => RulesReport.entryOf(rule, config, { said: said.config, marked }))
  const style = yield* Terminal.style
  const text =
    format === "json"
      ? escaped(JSON.stringify(RulesReport.json(entries), null, 2))
      : names.length === 0
        ? RulesReport.list(style, entries, config)
        : entries.map((entry) => RulesReport.page(style, entry)).join("\n")
  yield* Console.log(text)
  yield* Ref.set(yield* ExitStatus, 0)
})
