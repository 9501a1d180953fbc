/** docs/rules.md from the rules themselves: `npm run docs`. A test holds the page to them. */
const head = `# The rules

A stop is judged by rules: pure functions of the record. The level of a rule says how far it goes:

- \`off\`: nobody is told; what it would find is still not called done.
- \`tell\`: you read a line, once in a task; the agent is left alone.
- \`nudge\`: the agent is told to continue.

The level of each rule is in brackets. A second one holds where [nobody is there](policy.md#attended-and-unattended) to
answer. Under \`strict\` every rule nudges, under \`advisory\` none. A plain fact nudges; any other rule [earns
it](accuracy.md#what-each-rule-has-earned). What may be excused, such as a failure that was there before, is only told.

\`"rules": { "loops/planning": "off" }\` in your configuration turns a rule up or down; a project's file only turns it down. A
check that is open is a fact at any level. \`reflexion doctor --show rules\` shows the levels that hold where you are.

\`npm run docs\` makes this list from the rules' own files.
`

const levelsOf = ({ attended, unattended }) => (unattended === attended ? attended : `${attended}, ${unattended}`)

/** The page of the rules. */
export const write = ({ rules }) => {
  const sorted = rules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const lines = sorted.map((rule) => `- \`${rule.id}\` (${levelsOf(rule)}): ${rule.what}`)
  return `${head}\n${lines.join("\n")}\n`
}
