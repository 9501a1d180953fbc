/** Writes docs/rules.md from the rules themselves: `npm run docs:rules`. A test holds the page to them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const head = `# The rules

A stop is judged by rules: pure functions of what is on record. The level of a rule says how far it goes:

- \`off\`: nothing is named; what it would find is still not called done.
- \`tell\`: you read a line, once in a task; the agent is left alone.
- \`nudge\`: the agent is sent on.

Where two levels stand, the second holds where [nobody is there](policy.md) to answer. In the \`strict\` profile every rule nudges;
under \`advisory\` none does. A plain fact nudges; any other rule earns it on stops that nobody who wrote it had seen, in the
[ledger](../evals/ledger). What may be excused, such as a failure that was there before, is only told.

\`"rules": { "loops/planning": "off" }\` in your configuration turns a rule up or down; a project's file only turns it down. A check
that is open is a fact whatever its rule's level. \`reflexion doctor --show rules\` shows the levels that hold where you are.

This table is made from the rules' own files by \`npm run docs:rules\`.
`

/** As the formatter lays it out. */
const table = (rows) => {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((texts) => texts[at].length)))
  const row = (texts) => `| ${texts.map((text, at) => text.padEnd(widths[at])).join(" | ")} |`
  return [row(rows[0]), row(widths.map((width) => "-".repeat(width))), ...rows.slice(1).map(row)].join("\n")
}

const levelsOf = ({ attended, unattended }) => (unattended === attended ? attended : `${attended}, ${unattended}`)

/** The page of the rules. */
export const write = ({ rules }) => {
  const sorted = rules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const rows = sorted.map((rule) => [`\`${rule.id}\``, levelsOf(rule), rule.what.replaceAll("|", "\\|")])
  return `${head}\n${table([["rule", "level", "finds"], ...rows])}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = await import(new URL("../packages/core/dist/judge/rules/Rules.js", import.meta.url))
  fs.writeFileSync(path.join(path.dirname(import.meta.dirname), "docs", "rules.md"), write(rules))
}
