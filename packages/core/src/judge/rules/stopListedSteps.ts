/** The final text ends in steps that it announces. */
import { sayOf, stepsLeft } from "../../session/stop/ListedSteps.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, edited, example, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { isProved, untouched } from "./shared.ts"

/** "Next steps: 1. … 2. …": the agent's own, at the end of work that it began, or in its place. */
const check = (facts: Facts): ReadonlyArray<Finding> => {
  const { evidence, reading, task } = facts
  if (task.intent !== "act" || reading.closing !== "finished" || reading.yields || reading.dependsOn !== null) return []
  if (task.mode === "plan" || isProved(facts) || !(evidence.edits.length > 0 || untouched(facts))) return []
  const steps = stepsLeft(reading.prose, `${task.text} ${task.message}`)
  return steps?.sure === true ? [{ severity: "LOW", ...sayOf(steps), stands: true }] : []
}

export const stopListedSteps: Rule = {
  id: "stop/listed-steps",
  unattended: "push",
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "The final text ends in a list of steps that the agent means to take itself.",
  why: "Steps that are only listed are not done.",
  fires: [
    example(
      "a numbered list",
      user("Rewrite the storage: drop the writer, rewrite the serializer, replace the schema."),
      edited("src/writer.ts"),
      agent("The writer is gone.\n\nNext steps:\n1. Rewrite the serializer\n2. Replace the schema")
    ),
    example(
      "in a sentence",
      user("Rewrite the storage: drop the writer, rewrite the serializer, replace the schema."),
      edited("src/writer.ts"),
      agent("I removed the writer. Next steps: rewrite the serializer, replace the schema and update the callers.")
    ),
    example(
      "under a heading",
      user("Convert script.py to Python 3: replace urllib2 and fix the unicode handling."),
      edited("script.py"),
      agent(
        "The print statements are converted.\n\n## Next steps\n\n1. Replace `urllib2` with `urllib.request`\n2. Fix the unicode handling"
      )
    )
  ],
  spares: [
    example(
      "steps for the user",
      user("Rewrite the writer and the serializer."),
      edited("src/writer.ts"),
      agent(
        "The writer is gone, the serializer is new.\n\nNext steps for you:\n1. Run it on your data\n2. Update the consumers"
      )
    ),
    example(
      "ideas for more",
      user("Add the JSON exporter."),
      edited("src/export.ts"),
      agent("The exporter writes JSON.\n\nPossible next steps:\n- Add a streaming mode\n- Document the new format")
    ),
    example(
      "a plan was asked for",
      user("What would be the steps to rewrite the storage?"),
      agent("Next steps:\n1. Rewrite the serializer\n2. Replace the schema")
    )
  ]
}
