/**
 * Writes docs/rules.md from the rules themselves: `npm run docs`. A test holds the page to them.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(import.meta.dirname)

const row = (widths) => (texts) => `| ${texts.map((text, at) => text.padEnd(widths[at])).join(" | ")} |`

const tableOf = (rows) => {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((texts) => texts[at].length)))
  const [head, ...body] = [rows[0], widths.map((width) => "-".repeat(width)), ...rows.slice(1)].map(row(widths))
  return [head, ...body].join("\n")
}

const levels = tableOf([
  ["level", "what follows"],
  ["`off`", "nothing is named; what it would find is still not called done"],
  ["`tell`", "you read a line, once in a task; the verdict is not complete, and the agent is left alone"],
  ["`push`", "the agent is sent on"]
])

const head = `# The rules

A stop is judged by rules: pure functions of what is on record, each with a name. A rule goes as far as its level says:

${levels}

A plain fact of the record pushes, with somebody there or nobody. What is no plain fact begins at \`tell\` with somebody there. The
[ledger](../evals/ledger) has stops that nobody who wrote the rules had seen, each read by two people who did not know the verdict.
A fact that was wrong there twice in one round loses its push. Any other rule earns it when, at 90 % confidence, more than 70 % of
what it finds is right, in at least four projects. Where two levels are named, the second holds in a session where [nobody is there](policy.md#attended-and-unattended) to answer. In the
\`strict\` profile every rule pushes; under \`advisory\` none sends the agent on, whatever its level. What may be excused is only
told, whatever the rule's level: a failure that was there before, a run that may have been the check. Your configuration turns any
rule up or down; a project's only down, and yours does not lift that. A check that is open is a fact whatever its rule's level.

\`\`\`json
{ "rules": { "loops/planning": "off", "claims/unfounded": "push" } }
\`\`\`

\`reflexion rules\` shows the levels that hold where you are, \`reflexion rules gates/failing\` one rule and why it goes as far as it
does. A rule that an agent's change of reflexion's own settings turns down stays as it is by itself at that agent's stop.

This page is made from the rules' own files by \`npm run docs\`.
`

const cell = (text) => text.replaceAll("|", "\\|")

const levelsOf = ({ attended, unattended }) => (unattended === attended ? attended : `${attended}, ${unattended}`)

const table = (rules) =>
  tableOf([
    ["rule", "level", "finds"],
    ...rules.map((rule) => [`[\`${rule.id}\`](#${rule.id.replace("/", "")})`, levelsOf(rule), cell(rule.what)])
  ])

const unattendedOf = ({ attended, unattended }) =>
  unattended === attended ? "" : `; \`${unattended}\` where nobody is there`

const section = (rule) =>
  [`## ${rule.id}`, "", `${rule.what} ${rule.why} Level: \`${rule.attended}\`${unattendedOf(rule)}.`].join("\n")

export const write = ({ rules }) => {
  const sorted = rules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return `${[head.trimEnd(), table(sorted), ...sorted.map(section)].join("\n\n")}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = await import(new URL("../packages/core/dist/judge/rules/Rules.js", import.meta.url))
  fs.writeFileSync(path.join(root, "docs", "rules.md"), write(rules))
}
