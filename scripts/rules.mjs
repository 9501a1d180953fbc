/**
 * Writes docs/rules.md from the rules themselves: `npm run docs:rules`. A test holds the page to them.
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
  ["`off`", "nothing is named; what a rule that holds would find is still not called done"],
  ["`tell`", "you read a line, once in a task; the verdict is not complete, and the agent is left alone"],
  ["`ask`", "a model decides, where one is configured; without one it is as with `tell`"],
  ["`push`", "the agent is sent on"]
])

const head = `# The rules

A stop is judged by rules: pure functions of what is on record, each with a name. A rule goes as far as its level says:

${levels}

The level below is the one that a rule has by itself while somebody is there: as far as it has proved itself on stops that nobody
who wrote it had seen. The [ledger](../evals/ledger) of those stops, read blind by two, decides it. A rule pushes where it was
right so often, in four projects at least, that its precision is above 70 % with nine chances in ten; else it asks, which without a
model only tells, and it is off where fewer than half of its lines were worth reading. A rule that changes begins anew. What a
star marks reads what needs no statistic (the host's own word, an order in plain words that nothing on record carries out); it
loses its push when it was wrong twice. Where two levels are named, the second holds in a session where
[nobody is there](policy.md#attended-and-unattended) to answer. In the \`strict\` profile every rule pushes; under \`advisory\` none sends
the agent on, whatever its level. Your configuration turns any of them up or down; a project's only down, and yours does not
lift that. From \`tell\` on, what a rule finds keeps the verdict from being complete (\`complete: false\`, NOT COMPLETE); a level
only says who hears of it. A few rules hold a task, as is said below: turned off they name nothing, and what they would find is
not called done for that: it accuses nobody, and the verdict is \`abstained\`. A check that fails is a fact whatever its rule's level.

\`\`\`json
{ "rules": { "todos/open": "off", "stop/asks-nobody": "push" } }
\`\`\`

\`reflexion rules\` shows the levels that hold where you are, \`reflexion rules todos/open\` one rule and why it goes as far as it
does. A change takes effect at your next message.

This page is made from the rules' own files by \`npm run docs:rules\`.
`

const cell = (text) => text.replaceAll("|", "\\|")

const levelsOf = ({ attended, unattended }) => (unattended === attended ? attended : `${attended}, ${unattended}`)

const table = (rules) =>
  tableOf([
    ["rule", "level", "finds"],
    ...rules.map((rule) => [
      `[\`${rule.id}\`](#${rule.id.replace("/", "")})${rule.fact === true ? " *" : ""}`,
      levelsOf(rule),
      cell(rule.what)
    ])
  ])

const unattendedOf = ({ attended, unattended }) =>
  unattended === attended ? "" : `; \`${unattended}\` where nobody is there`

const section = (rule) =>
  [
    `## ${rule.id}`,
    "",
    `${rule.what} ${rule.why} Level: \`${rule.attended}\`${rule.fact === true ? ", by a fact that needs no statistic" : ""}${unattendedOf(rule)}.${rule.holds === true ? " Whatever its level, what it finds is never called done." : ""}`
  ].join("\n")

export const write = ({ rules }) => {
  const sorted = rules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return `${[head.trimEnd(), table(sorted), ...sorted.map(section)].join("\n\n")}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = await import(new URL("../packages/core/dist/judge/rules/Rules.js", import.meta.url))
  fs.writeFileSync(path.join(root, "docs", "rules.md"), write(rules))
}
