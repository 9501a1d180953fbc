/** Something is left to the user, and beside it a part of the order that needs nobody was not begun. */
import { openItems, needsHuman } from "../../session/stop/HumanAction.ts"
import { isImperative } from "../../session/task/Intent.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { names, speaksOf } from "../../session/gates/GateTable.ts"
import { contentWords, overlaps } from "../../ground/text/Text.ts"
import { clauses } from "../../ground/text/UserSentences.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

/** What only the user can do, in the agent's words; null where it leaves nothing to them. */
const leftToUser = ({ dependsOn, prose }: Facts["reading"]): string | null =>
  dependsOn?.kind === "act" ? dependsOn.text : (openItems(prose.closing.slice(-8))[0] ?? null)

/** The orders of a message one by one; what is to be done "then" may have to wait. */
const orders = (message: string): ReadonlyArray<string> => {
  const [first = ""] = message.split(/\bthen\b/i)
  return clauses(first)
    .flatMap((clause) => clause.split(/\band\b/i))
    .map((clause) => clause.trim())
    .filter((clause) => isImperative(clause) && contentWords(clause).size > 1)
}

/** Which checks are open is said by their own rules, and whether they hang on the act cannot be told. */
const isAboutGate = (text: string): boolean => names.some((gate) => speaksOf(text, gate))

/** Of several orders one of which nothing has a word, neither the text nor what was edited or run. */
const untouched = ({ doneWhen, evidence, stop, task }: Facts): string | null => {
  const done = [stop.text, ...evidence.edits.map(({ path }) => path), ...evidence.runs.map(({ command }) => command)]
  const words = done.join(" ").replaceAll(/[^A-Za-z]+/g, " ")
  const conditions = doneWhen
    .filter(({ command, untrusted }) => command === null && untrusted !== true)
    .map(({ text }) => text)
  const all = [...orders(task.message), ...conditions]
  const rest = all.filter((order) => !overlaps(words, order))
  if (rest.length === all.length) return null
  return rest.find((order) => !isAboutGate(order) && needsHuman(order) === null) ?? null
}

const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { evidence, reading, task } = facts
  if (!reading.english || task.intent !== "act" || task.message.length > 600 || reading.question !== null) return []
  // All of it may wait for that word.
  if (reading.dependsOn?.kind === "word") return []
  if (evidence.opaque || evidence.delegated > 0 || evidence.denied.length > 0) return []
  // Which of the orders an edit was for cannot be told by its words.
  if (evidence.edits.length > 0) return []
  const act = leftToUser(reading)
  const rest = act === null ? null : untouched(facts)
  if (rest === null) return []
  return finding({
    fact: `You leave something to the user, and have not begun a part that needs nobody: "${rest}"`,
    missing: `a part that needs nobody and was not begun: "${rest}"`,
    action: "Do the part that needs nobody, and name once more what is left to the user."
  })
}

export const workRestUntouched: Rule = {
  id: "work/rest-untouched",
  unattended: "push",
  pattern: "stopped_with_todos",
  check
}

const login = "I can't publish the package: you need to run `npm login` with your account first."

export const page: Page = {
  what: "The agent leaves an act to the user, and another part of the order, which needs nobody, was not begun.",
  why: "The user comes back to do one thing and finds the rest undone.",
  fires: [
    example(
      "the changelog",
      user("Publish the package and update the changelog."),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent(login)
    ),
    example(
      "a rename beside it",
      user("Rename `Cart` to `Basket`, publish the package."),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent(login)
    ),
    example(
      "a file to be written",
      user("Write the migration guide, publish the package."),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent(`I tried. ${login}`)
    )
  ],
  spares: [
    example(
      "the rest is done",
      user("Publish the package and update the changelog."),
      edited("CHANGELOG.md"),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent(login)
    ),
    example(
      "it comes after that",
      user("Publish the package, then announce the release in the channel."),
      ran("npm publish", 1, "npm ERR! code ENEEDAUTH"),
      agent(login)
    ),
    example(
      "nothing is left to the user",
      user("Rename `Cart` to `Basket` and update the changelog."),
      edited("src/basket.ts"),
      agent("The class is renamed.")
    )
  ]
}
