/** The host says that the final message was cut off. */
import type { Facts } from "../../session/facts/Facts.ts"
import type { Finding, Rule } from "./model.ts"
import { cutOff } from "./shared.ts"

const check = (facts: Facts): ReadonlyArray<Finding> =>
  facts.reading.closing === "cut_off" && facts.stop.completed === false ? cutOff : []

export const stopCutOff: Rule = {
  id: "stop/cut-off",
  attended: "push",
  unattended: "push",
  what: "The host says that the final message was cut off.",
  why: "A limit of the model's output, or a lost connection, has ended the turn and not the work.",
  fact: true,
  check
}
