/** A model's answer brought into the shape that it was asked for, where it is nearly so. */
import * as Json from "../../base/json/Json.ts"

const spelled = (value: unknown): string =>
  typeof value === "string"
    ? value
        .trim()
        .slice(0, 100)
        .toLowerCase()
        .replaceAll(/[\s-]+/g, "_")
    : ""

const statuses: Readonly<Record<string, string>> = { incomplete: "in_progress", waiting: "waiting_for_user" }

const results: ReadonlyMap<string, string> = new Map([
  ...["pass", "passed", "passing", "success", "green"].map((word) => [word, "pass"] as const),
  ...["fail", "failed", "failing", "failure", "red"].map((word) => [word, "fail"] as const)
])

const resultOf = (value: unknown): string => results.get(spelled(value)) ?? "unknown"

const flag = (value: unknown): boolean => value === true || spelled(value) === "true"

const textOf = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null)

const maxItems = 20

const list = (value: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(value) ? value : [value]).slice(0, maxItems).filter((item) => item !== null && item !== undefined)

const texts = (value: unknown): ReadonlyArray<string> =>
  list(value).flatMap((item) => textOf(item) ?? textOf(Json.object(item)["what"]) ?? [])

/** What is not said is not known. */
const maybe = (value: unknown): boolean | null =>
  value === true || spelled(value) === "true" ? true : value === false || spelled(value) === "false" ? false : null

const kinds: ReadonlySet<string> = new Set(["order", "check", "file", "step"])

const kindOf = (value: unknown): string => (kinds.has(spelled(value)) ? spelled(value) : "other")

const outcomes: ReadonlyMap<string, string> = new Map([
  ...[...results].map(([word, result]) => [word, result === "pass" ? "passed" : "failed"] as const),
  ...["ran", "run"].map((word) => [word, "ran"] as const)
])

const claimsOf = (value: unknown): ReadonlyArray<unknown> =>
  list(value).flatMap((item) => {
    const { check, outcome, quote } = Json.object(item)
    const said = outcomes.get(spelled(outcome))
    const name = textOf(check)
    return said === undefined || name === null ? [] : [{ check: name, outcome: said, quote: textOf(quote) ?? "" }]
  })

const eventOf = (item: Readonly<Record<string, unknown>>): string => {
  const cited = item["event"] ?? item["id"] ?? list(item["events"])[0]
  return typeof cited === "string" ? cited : ""
}

/** A bare sentence cites nothing. */
const citedOf = (value: unknown): ReadonlyArray<unknown> =>
  list(value).flatMap((item) => {
    const bare = textOf(item)
    if (bare !== null) return [{ what: bare, kind: "other", event: "", quote: "", name: null }]
    const given = Json.object(item)
    const what = textOf(given["what"])
    const { kind, name, quote } = given
    const cited = { kind: kindOf(kind), event: eventOf(given), quote: textOf(quote) ?? "", name: textOf(name) }
    return what === null ? [] : [{ what, ...cited }]
  })

const numberOf = (value: unknown): unknown =>
  typeof value === "string" && /^\s{0,4}[01](?:\.\d{1,6})?\s{0,4}$/.test(value) ? Number(value) : value

/** Null where not one of them is spoken of. */
const evidenceOf = (value: unknown) => {
  const { build, pr, tests } = Json.object(value)
  if (![build, pr, tests].some(Json.isObject)) return null
  const [run, made, asked] = [Json.object(tests), Json.object(build), Json.object(pr)]
  return {
    tests: {
      ran: maybe(run["ran"]),
      results: resultOf(run["results"]),
      ran_after_changes: flag(run["ran_after_changes"]),
      commands: texts(run["commands"]),
      skipped: flag(run["skipped"]),
      skip_reason: textOf(run["skip_reason"])
    },
    build: { ran: maybe(made["ran"]), results: resultOf(made["results"]) },
    pr: {
      created: flag(asked["created"]),
      url: textOf(asked["url"]),
      ci_status: resultOf(asked["ci_status"]),
      checked: flag(asked["checked"])
    }
  }
}

const goesOn: ReadonlySet<string> = new Set(["in_progress", "stuck"])

/** Who leaves it out has still said how sure it is that the work is not done. */
const pushOf = (given: unknown, { confidence, status }: { readonly status: string; readonly confidence: unknown }) =>
  given === undefined || given === null ? (goesOn.has(status) ? confidence : 0) : numberOf(given)

/** What is left out says nothing, save the status and the confidence, without which there is no answer. */
export const asAssessment = (value: unknown): unknown => {
  const given = Json.object(value)
  const word = spelled(given["status"])
  const status = statuses[word] ?? word
  const confidence = numberOf(given["confidence"])
  return {
    status,
    confidence,
    push: pushOf(given["push"], { status, confidence }),
    claims: claimsOf(given["claims"]),
    evidence: evidenceOf(given["evidence"]),
    remaining_work: citedOf(given["remaining_work"]),
    next_steps: texts(given["next_steps"]),
    needs_user_action: texts(given["needs_user_action"]),
    stuck: flag(given["stuck"]),
    alternate_approach: textOf(given["alternate_approach"])
  }
}

/** Without `complete` and `severity` there is no answer. */
export const asJudgeAnswer = (value: unknown): unknown => {
  const given = Json.object(value)
  return {
    complete: given["complete"],
    severity: spelled(given["severity"]).toUpperCase(),
    push: given["push"] === undefined || given["push"] === null ? 0 : numberOf(given["push"]),
    feedback: textOf(given["feedback"]) ?? "",
    missing: citedOf(given["missing"]),
    next_actions: texts(given["next_actions"]),
    requires_human_action: flag(given["requires_human_action"])
  }
}
