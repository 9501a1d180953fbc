/** Writes docs/rules.md from the rules. Part of `npm run docs`. A test compares the page with the rules. */
const head = `# The rules

A stop is judged by rules: pure functions of the record. The level of a rule says how far it goes:

- \`off\`: nobody is told, but a task with such a finding is still not called done.
- \`tell\`: you read a line, once in a task; the agent is not told.
- \`nudge\`: the agent is told to continue.

The level of each rule is in brackets. If there are two, the second applies if [no user is
present](policy.md#attended-and-unattended). With \`strict\` every rule nudges, with \`advisory\` none. A rule about a plain fact
nudges; any other rule [must first prove itself](accuracy.md#what-each-rule-has-earned). If there may be an excuse, such as
an older failure, only you are told.

\`"rules": { "loops/planning": "off" }\` in your configuration sets the level of a rule; a project's file can only lower a
level. An open check prevents \`complete\` at any level. \`reflexion doctor --show rules\` shows the levels in your folder.

\`npm run docs\` makes this list from the rules' own files.
`

const levelsOf = ({ attended, unattended }) => (unattended === attended ? attended : `${attended}, ${unattended}`)

export const write = ({ rules }) => {
  const sorted = rules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const lines = sorted.map((rule) => `- \`${rule.id}\` (${levelsOf(rule)}): ${rule.what}`)
  return `${head}\n${lines.join("\n")}\n`
}
