/**
 * Rules for two cases: the final text claims something that the record does not confirm, or the agent changed a check
 * to make it pass.
 */
import { clip, oneLine } from "../../base/text/Text.ts"
import type { CheckEdit, Weakened } from "../../session/checkedits/CheckEdits.ts"
import type { Claim } from "../../session/claims/Claims.ts"
import type { Facts, OldTests } from "../../session/facts/Facts.ts"
import { quotedName } from "../../session/gates/Gates.ts"
import { nameOf } from "../../session/vocabulary/GateTable.ts"
import { commandOf, openCalls, openGates } from "./gates.ts"
import { type Finding, rule, type Words } from "./model.ts"

/** Actions that other people see. A claim about one is no reason for the agent to do it. */
const outward = new Map([
  ["commit", "commit"],
  ["push", "push"],
  ["pr", "open the pull request"]
])

const each = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const withAnd = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`

/** The last part of each instruction about a claim. */
const orCorrect = "or correct what you wrote."

/**
 * Names the check to run for a claim, by its command if known. Adds "in full" if the agent claimed the whole check and
 * only a part ran.
 */
const toRun = ({ gate, scope }: Claim, { gates }: Facts): string => {
  const found = gates.find((one) => one.gate === gate)
  if (found === undefined) return "the checks"
  const isPart = found.run?.partial === true && found.result !== "stale" && found.command === null
  return isPart && scope !== "part" ? `${nameOf(gate) ?? gate} in full` : commandOf(found)
}

/** What the agent said, what the record shows, and the checks that could confirm it. */
interface Said extends Finding {
  readonly text: string
  readonly record: string
  readonly isFailing: boolean
  /** True if another rule already says what to do. */
  readonly isOpen: boolean
  readonly gates: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
}

/**
 * Returns what to do about the claims of one sentence: run something, or correct the text. Null if another finding
 * already says so.
 */
const nextFor = ({ calls = [], gates, isFailing, isOpen, runs }: Said): string | null => {
  // A check that never ran cannot be run "again".
  if (isOpen || (isFailing && calls.length === 0)) return null
  if (isFailing) return "Fix what fails and run the check again, or report the failure."
  const trial = [
    ...(runs.length === 0 ? [] : [`run ${withAnd(runs)}`]),
    ...(gates.includes("ci") ? ["look at CI"] : [])
  ]
  const deeds = gates.flatMap((gate) => outward.get(gate) ?? [])
  const parts = [
    ...(trial.length === 0 ? [] : [`${withAnd(trial)} and report the result`]),
    ...(deeds.length === 0 ? [] : [`${withAnd(deeds)} if the user asked for that`]),
    orCorrect
  ]
  const action = parts.join(", ")
  return action.slice(0, 1).toUpperCase() + action.slice(1)
}

const saidOf = (claims: ReadonlyArray<Claim>, facts: Facts): Pick<Said, "denies" | "gates" | "runs"> => {
  const gates = each(claims.map(({ gate }) => gate))
  const checks = claims.filter(({ gate }) => gate !== "ci" && !outward.has(gate))
  return { denies: gates, gates, runs: each(checks.map((claim) => toRun(claim, facts))) }
}

const sayAs =
  (standing: string) =>
  (found: Said): Words => ({
    agent: `You wrote "${oneLine(found.text, 160)}", but ${found.record}.`,
    user: `"${found.text}" is ${standing}: ${found.record}`,
    next: nextFor(found)
  })

export const claimsContradicted = rule({
  id: "claims/contradicted",
  attended: "nudge",
  unattended: "nudge",
  what: "The final text says that a check passed, but the record disagrees: the check failed, never ran although it was ordered, ran before the last edit, or ran only in part.",
  why: "A reader who believes the claim does not run the tests again.",
  check: (facts) => {
    const open = openCalls(facts)
    return facts.held
      .filter(({ standing }) => standing === "contradicted")
      .map(({ calls, claim, fact, failing }): Said => ({
        severity: "HIGH",
        stands: true,
        ...saidOf([claim], facts),
        calls,
        text: claim.text,
        record: fact,
        isFailing: failing,
        isOpen: calls.some((call) => open.has(call))
      }))
  },
  say: sayAs("contradicted")
})

const most = 4

export const claimsUnfounded = rule({
  id: "claims/unfounded",
  attended: "tell",
  unattended: "nudge",
  what: "The final text says that a check passed, or that something was committed, pushed or opened, but no call of the session can have done that.",
  why: "A reader who believes the claim does not run the tests again.",
  // Each sentence gives one finding, even with several claims, as in "the tests pass and CI is green".
  check: (facts) => {
    const claimed = facts.held.filter(({ standing }) => standing === "unfounded")
    const open = new Set(openGates(facts).map(({ gate }) => gate))
    return each(claimed.map(({ claim }) => claim.text))
      .slice(0, most)
      .map((text): Said => {
        const own = claimed.filter(({ claim }) => claim.text === text)
        const claims = own.map(({ claim }) => claim)
        return {
          severity: "HIGH",
          stands: true,
          ...saidOf(claims, facts),
          text: oneLine(text, 160),
          record: each(own.map(({ fact }) => fact)).join(", and "),
          isFailing: false,
          isOpen: claims.every(({ gate }) => open.has(gate))
        }
      })
  },
  say: sayAs("unfounded")
})

/** What the agent did, in words for the agent and for the user. */
const wordings: Readonly<Record<CheckEdit["kind"], readonly [you: string, user: string]>> = {
  test: ["removed a test from", "a failing test was removed"],
  skip: ["skipped a test in", "a failing test was skipped"],
  assertion: ["changed an assertion in", "the assertion of a failing test was changed"],
  literal: ["changed the expected value in", "the expected value of a failing test was changed"],
  snapshot: ["regenerated the snapshots with", "failing snapshots were regenerated"],
  silenced: ["silenced the check in", "a failing check was silenced"],
  threshold: ["changed a threshold of the check in", "the threshold of a failing check was changed"],
  script: ["changed a script in", "the script of a failing check was changed"],
  other: ["changed", "a failing check was changed"]
}

const where = ({ now, path, was }: CheckEdit): string => {
  const texts = [was, now].filter((text) => text !== "" && text !== path)
  const quoted = texts.map((text) => `\`${clip(oneLine(text, 400), 160)}\``).join(" became ")
  return [path === "" ? "" : `\`${clip(path, 120)}\``, quoted].filter((text) => text !== "").join(": ")
}

const kindsByName: ReadonlySet<string> = new Set(["skip", "snapshot", "threshold"])

/** True if the user's order names the file or this kind of change, and the order is not to fix the failing check. */
const isOrderedEdit = ({ task }: Facts, { edit: { kind, path }, red }: Weakened): boolean => {
  const file = path.split("/").at(-1) ?? ""
  const isFix = task.reportsFailure || task.asks.some(({ gate, how }) => gate === red.gate && how === "fix")
  const isNamed =
    (file !== "" && task.text.includes(file)) || (kindsByName.has(kind) && task.text.toLowerCase().includes(kind))
  return isNamed && !isFix
}

const ofTests = "(?:tests?|specs?|expectations?|expected (?:values?|results?|output)|assertions?|snapshots?)"

/**
 * Matches for example "the tests", "both stale tests" or "tests". It does not match failing tests: "fix the failing
 * tests" does not say how to fix them.
 */
const testsAsObject = `(?:(?:the|this|that|these|those|our|its|their|all|both|my|your) ){1,2}(?:(?!fail|red\\b|broken|flaky|code\\b)[\\w-]+ )?${ofTests}|(?:(?:old|stale|outdated|existing|unit|wrong) )?(?:tests|specs|expectations|expected values|assertions|snapshots)`

const directly = (verbs: string): RegExp =>
  new RegExp(
    `(?<!(?:\\b(?:not|never)|n't) (?:just |simply )?)\\b(?:${verbs}) (?:${testsAsObject})\\b(?! (?:fail|pass|run|suite|command|script|setup|error))`,
    "i"
  )

const revised = directly("fix|repair|correct|adjust|adapt|update|change|rewrite|revise|align|refresh")
const removed = directly("remove|delete|drop|take out")

/** Matches if the user says that the tests are wrong, not the code. */
const areWrong = new RegExp(
  `\\b${ofTests}(?: in \\S{1,80})? (?:(?:is|are|was|were) (?:(?:just|now|simply|all|both) )?(?:stale|wrong|outdated|obsolete|out of date|incorrect|old)|(?:still )?expects? the old)\\b`,
  "i"
)

/**
 * True if the user ordered a change of the tests themselves. Skipping or silencing a test, or lowering a threshold,
 * never counts as such a change.
 */
const areTestsOrdered = ({ task }: Facts, { kind }: Pick<CheckEdit, "kind">): boolean => {
  if (kind === "skip" || kind === "silenced" || kind === "threshold") return false
  const texts = [task.text, task.message].map((text) => text.slice(0, 4000))
  return texts.some((text) => areWrong.test(text) || (kind === "test" ? removed : revised).test(text))
}

const repairing = /(?:^|[.!?:\n]\s{0,4}|\b(?:please|you|and|then|to) )(?:fix|repair|debug|resolve)\b/i

/**
 * True if a repair was ordered and the earlier version of the tests fails. If the order was to change the behaviour,
 * that failure is expected.
 */
const hidesBroken = (facts: Facts, old: OldTests | null): old is OldTests =>
  old !== null &&
  (repairing.test(facts.task.text) || facts.gates.some(({ gate, wanted }) => gate === "tests" && wanted)) &&
  !areTestsOrdered(facts, { kind: "assertion" }) &&
  !areTestsOrdered(facts, { kind: "test" })

const ofOldTests = ({ command, failing }: OldTests): Words => {
  const names = withAnd(failing.slice(0, 3).map((one) => quotedName(one)))
  const more = failing.length > 3 ? ` and ${failing.length - 3} more` : ""
  const fail = failing.length === 1 ? "fails" : "fail"
  return {
    agent: `You changed tests. With the tests from before this task, ${names}${more} ${fail} on your code (\`${clip(command, 80)}\`, run by reflexion).`,
    user: `the changed tests pass, but ${names}${more} ${fail} with the tests from before the task`,
    next: "Restore the tests and fix the source. If a test itself was wrong, keep your change, say so and show why."
  }
}

const ofEdit = ({ edit, red }: Weakened, edits: ReadonlyArray<CheckEdit>): Words => ({
  agent: `You ${edits.map((one) => `${wordings[one.kind][0]} ${where(one)}`).join("; ")}. \`${clip(red.command, 80)}\` failed before (${clip(red.detail, 120)}), and no change of the source explains why it passes now.`,
  user: `${wordings[edit.kind][1]}: ${where(edit)}`,
  next: "Restore the check and fix the source. If the check itself was wrong, keep your change, say so and show why."
})

export const checksWeakened = rule({
  id: "checks/weakened",
  attended: "tell",
  unattended: "nudge",
  what: "A check failed. Then the agent removed, skipped or changed one of its tests or silenced the check, changed no source, and the check passes. Or the user ordered a repair, and the old version of a changed test fails.",
  why: "The fault is still there, and no check shows it any more.",
  check: (facts: Facts): ReadonlyArray<Finding & { first: Weakened | OldTests; edits: ReadonlyArray<CheckEdit> }> => {
    const weakened = facts.weakened.filter((one) => !isOrderedEdit(facts, one) && !areTestsOrdered(facts, one.edit))
    const [first] = weakened
    if (first === undefined)
      return hidesBroken(facts, facts.oldTests)
        ? [
            {
              severity: "HIGH",
              stands: true,
              first: facts.oldTests,
              edits: [],
              failing: facts.oldTests.failing.map(({ name }) => name)
            }
          ]
        : []
    const calls = each([first.red.callId, ...weakened.map(({ edit }) => edit.callId)].filter((id) => id !== null))
    return [{ severity: "HIGH", stands: true, calls, first, edits: weakened.slice(0, 3).map(({ edit }) => edit) }]
  },
  say: ({ edits, first }) => ("edit" in first ? ofEdit(first, edits) : ofOldTests(first))
})
