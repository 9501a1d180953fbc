/** The last words wait for something, and nothing runs that would wake the agent. */
import type { Facts } from "../../session/facts/Facts.ts"
import { agent, background, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"
import { finding } from "./shared.ts"

const check = ({ evidence, gates, reading, stop }: Facts): ReadonlyArray<Finding> => {
  const isAnswer = reading.question !== null || reading.dependsOn !== null || reading.yields
  // That CI has not finished is said by its own rule.
  if (gates.some(({ gate, required, result }) => gate === "ci" && required && result === "unknown")) return []
  const runs = stop.background.length > 0 || stop.pending.length > 0 || stop.launched
  if (isAnswer || runs || reading.closing === "awaits" || evidence.calls === 0) return []
  if (!reading.comesBack) return []
  return finding({
    fact: "You stopped to wait, and nothing is running that would wake you.",
    missing: "the result that the agent says it waits for: nothing is running that would wake it",
    action: "Look at the result now, or say that you cannot see it from here."
  })
}

export const stopWaitsForNothing: Rule = {
  id: "stop/waits-for-nothing",
  level: "tell",
  unattended: "push",
  pattern: "stopped_with_todos",
  waits: true,
  check
}

export const page: Page = {
  what: "The last words wait for a result, and the record has nothing that is still running and would wake the agent.",
  why: "The agent stands still until somebody writes, and whoever reads its words believes that it goes on by itself.",
  fires: [
    example(
      "results of a test that is over",
      user("Run the browser tests and fix what they find."),
      ran("node scripts/browser.ts"),
      agent("The browser tests are started. Waiting for the test results...")
    ),
    example(
      "CI",
      user("Push the branch and get CI green."),
      edited("src/total.ts"),
      ran("git push origin topic"),
      agent("The branch is pushed. I'll check back once CI is done.")
    ),
    example(
      "a server that was never started",
      user("Start the server and take a look at the page."),
      ran("cat package.json"),
      agent("The server is running in the background. I'm waiting for it to finish starting.")
    )
  ],
  spares: [
    example(
      "it runs in the background",
      user("Run the long tests."),
      background("npm run test:long"),
      agent("The long tests are running in the background. I'll report back when they are done.")
    ),
    example(
      "it waits for the user",
      user("Set up the deployment."),
      edited("deploy.yml"),
      agent("The workflow is there. I'm waiting for you to add the token.")
    ),
    example(
      "what the code waits for",
      user("Have the loader wait for the cache."),
      edited("src/loader.ts"),
      agent("The loader now waits for the cache before it reads.")
    )
  ]
}
