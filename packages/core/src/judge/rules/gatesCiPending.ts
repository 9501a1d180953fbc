/** CI was to be confirmed, and had not finished when the agent looked last. */
import type { Facts } from "../../session/facts/Facts.ts"
import { orderOf } from "../../session/gates/GateTable.ts"
import { agent, edited, example, ran, user } from "./example.ts"
import type { Finding, Page, Rule } from "./model.ts"

const check = ({ gates, reading }: Facts): ReadonlyArray<Finding> =>
  gates
    .filter(
      ({ gate, required, result, run }) =>
        gate === "ci" && required && result === "unknown" && run?.pending === true && reading.closing !== "awaits"
    )
    .map(({ denied, detail, evidence, gate }) => ({
      gate,
      severity: "MEDIUM",
      fact: `CI was to be confirmed, and had not finished when you looked last: ${detail}.`,
      missing: `ci: ${detail}`,
      action: orderOf(gate, "missing"),
      stands: !denied,
      calls: evidence.flatMap(({ callId }) => callId ?? [])
    }))

export const gatesCiPending: Rule = {
  id: "gates/ci-pending",
  pattern: "unverified",
  waits: true,
  check
}

const pending = (name: string): ReturnType<typeof ran> =>
  ran("gh pr checks", 8, `${name}\tpending\t0\thttps://ci.test/1`)

const pushed = ran("git push -u origin fix", 0, "To github.com:shop/shop.git")

export const page: Page = {
  what: "CI was to be confirmed, and the last look at it on record says that it is still running.",
  why: "It may yet turn red, and then nobody looks.",
  fires: [
    example(
      "green was ordered",
      user("Fix the total, push it and make sure CI is green."),
      edited("src/total.ts"),
      pushed,
      pending("build"),
      agent("Pushed. CI is running.")
    ),
    example(
      "it was to be waited for",
      user("Push the branch and wait until CI passes."),
      edited("src/total.ts"),
      pushed,
      pending("test"),
      agent("The branch is pushed, the checks look fine so far.")
    ),
    example(
      "it is called green",
      user("Push the branch and make sure CI passes."),
      edited("src/total.ts"),
      pushed,
      pending("lint"),
      agent("Pushed, and CI is green.")
    )
  ],
  spares: [
    example(
      "it finished",
      user("Push the branch and make sure CI passes."),
      edited("src/total.ts"),
      pushed,
      pending("test"),
      ran("gh pr checks", 0, "test\tpass\t1m\thttps://ci.test/1"),
      agent("Pushed, and CI is green.")
    ),
    example(
      "nobody asked",
      user("Fix the total and push it."),
      edited("src/total.ts"),
      pushed,
      pending("test"),
      agent("Pushed. CI is running.")
    ),
    example(
      "it failed",
      user("Push the branch and make sure CI passes."),
      edited("src/total.ts"),
      pushed,
      ran("gh pr checks", 1, "test\tfail\t1m\thttps://ci.test/1"),
      agent("Pushed. The test job fails.")
    )
  ]
}
