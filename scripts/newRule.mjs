/**
 * Creates a rule: `node scripts/newRule.mjs area/name` writes its file with an empty check, and a file of examples for
 * its test, and registers both. The test fails until the rule finds its example. `--root` names another copy of the
 * repository.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { root: { type: "string", default: path.dirname(import.meta.dirname) } }
})

const [id = ""] = positionals
const fail = (problem) => {
  process.stderr.write(`new:rule: ${problem}\n`)
  process.exit(2)
}
if (!/^[a-z]+\/[a-z]+(?:-[a-z]+)*$/.test(id))
  fail("a rule has a name such as gates/not-run: node scripts/newRule.mjs area/name")

const name = id.replaceAll(/[/-]([a-z])/g, (_, letter) => letter.toUpperCase())
const core = path.join(values.root, "packages", "core")
const rules = path.join(core, "src", "judge", "rules")
const tests = path.join(core, "test", "judge", "rules")

const rule = `/** TODO: what it finds, in a sentence. */
import { rule } from "./model.ts"

export const ${name} = rule({
  id: "${id}",
  attended: "tell",
  unattended: "tell",
  what: "TODO: what is found, in a sentence.",
  why: "TODO: why that matters, in a sentence.",
  check: () => [],
  say: () => ({ agent: "TODO: what the agent reads.", user: "TODO: what the user reads.", next: null })
})
`

const examples = `/** TODO: what there is to see in these sessions, and in those that only seem so. */
import { agent, edit, user } from "../../support/events.ts"
import type { Examples } from "./examples.ts"

export const ${name}: Examples<"${id}"> = {
  "${id}": {
    fires: { "TODO: the case": [user("Fix the total."), edit("src/total.ts"), agent("The total is right.")] },
    spares: { "TODO: a near miss": [user("What does the total do?"), agent("It adds up what is in the cart.")] }
  }
}
`

const write = (file, text) => (fs.existsSync(file) ? fail(`${file} is there already`) : fs.writeFileSync(file, text))

const change = (file, ...changes) => {
  const text = changes.reduce(
    (all, [at, with_]) => {
      if (!at.test(all)) fail(`${file} has no ${at}`)
      return all.replace(at, with_)
    },
    fs.readFileSync(file, "utf8")
  )
  fs.writeFileSync(file, text)
}

write(path.join(rules, `${name}.ts`), rule)
write(path.join(tests, `${name}.ts`), examples)
change(
  path.join(rules, "Rules.ts"),
  [/(?=import type \{ Found, Rule \})/, `import { ${name} } from "./${name}.ts"\n`],
  [/(?=\n\] as const)/, `,\n  ${name}`]
)
change(
  path.join(tests, "examples.ts"),
  [/(?=\n\/\*\* By what there is)/, `import { ${name} } from "./${name}.ts"\n`],
  [/(?= \}\n$)/, `, ...${name}`]
)
process.stdout.write(
  `Fill in packages/core/src/judge/rules/${name}.ts and packages/core/test/judge/rules/${name}.ts, then npm run docs.\n`
)
