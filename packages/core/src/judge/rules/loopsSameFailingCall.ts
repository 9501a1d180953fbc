/** The same call fails again and again, and nothing is changed in between. */
import { type Facts, tellsOfFailure } from "../../session/facts/Facts.ts"
import { roundsAsked } from "../loops/RequestedRepeats.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

const rounds = 3

/** From so many on it is a loop, whatever is said of it. */
const tooMany = 5

/** The same call failed again and again at the end, oftener than the user may have wanted it to be made. */
export const isRepeating = ({ evidence, task }: Facts): boolean =>
  evidence.repeats.count >= rounds && evidence.repeats.count > roundsAsked(task) + 1

/** Whoever asks about it has seen it, and so has whoever says that it failed, unless it was tried too often for that. */
const isAdmitted = (facts: Facts): boolean =>
  facts.reading.closing === "question" ||
  (facts.reading.closing === "finished" && tellsOfFailure(facts) && facts.evidence.repeats.count < tooMany)

const check = (facts: Facts): ReadonlyArray<Finding> =>
  isRepeating(facts)
    ? [
        {
          severity: "LOW",
          fact: "You repeated the same failing call without changing anything in between.",
          missing: "The same failing call was repeated without a change.",
          action: "Read its error, change what causes it or try another way; then run it again.",
          stands: !isAdmitted(facts)
        }
      ]
    : []

export const loopsSameFailingCall: Rule = { id: "loops/same-failing-call", level: "push", stuck: true, check }

export const page: Page = {
  what: "The same call failed three times at the end, and nothing was changed in between.",
  why: "What fails three times fails a fourth time, at the price of the tokens.",
  fires: [
    example(
      "five times, and it says so",
      user("Start the server."),
      ...Array.from({ length: 5 }, () => ran("npm start", 1, "EADDRINUSE")),
      agent("The server fails to start: the port is in use.")
    ),
    example(
      "a command",
      user("Start the server."),
      ...Array.from({ length: 3 }, () => ran("npm start", 1, "EADDRINUSE")),
      agent("I am starting the server.")
    ),
    example(
      "a check",
      user("Fix the total."),
      edited("src/total.ts"),
      ...Array.from({ length: 3 }, () => ran("npm test", 1, "1 failed")),
      agent("I will look at the total.")
    ),
    example(
      "no word at the end",
      user("Install it."),
      ran("pip install shop", 1, "no matching distribution"),
      ran("pip install shop", 1, "no matching distribution"),
      ran("pip install shop", 1, "no matching distribution")
    )
  ],
  spares: [
    example(
      "it says so",
      user("Start the server."),
      ...Array.from({ length: 3 }, () => ran("npm start", 1, "EADDRINUSE")),
      agent("The server fails to start: the port is in use.")
    ),
    example(
      "something was changed",
      user("Start the server."),
      ran("npm start", 1, "EADDRINUSE"),
      ran("npm start", 1, "EADDRINUSE"),
      edited("src/port.ts"),
      ran("npm start", 1, "EADDRINUSE"),
      agent("Another port is needed.")
    ),
    example(
      "the user wanted it so",
      user("Run `npm test` five times, it is flaky."),
      ...Array.from({ length: 5 }, () => ran("npm test", 1, "1 failed")),
      agent("It ran five times.")
    )
  ]
}
