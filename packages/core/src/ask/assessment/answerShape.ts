/** A model's answer brought into the shape that it was asked for, where it is nearly so. */
import * as Json from "../../ground/json/Json.ts"
import type { RemainingWork } from "./model.ts"

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

const eventOf = (item: Readonly<Record<string, unknown>>): string => {
  const cited = item["event"] ?? item["id"] ?? list(item["events"])[0]
  return typeof cited === "string" ? cited : ""
}

/** A bare sentence cites nothing. */
const citedOf = (value: unknown): ReadonlyArray<RemainingWork> =>
  list(value).flatMap((item) => {
    const bare = textOf(item)
    if (bare !== null) return [{ what: bare, event: "", quote: "" }]
    const given = Json.object(item)
    const what = textOf(given["what"])
    return what === null ? [] : [{ what, event: eventOf(given), quote: textOf(given["quote"]) ?? "" }]
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
      ran: flag(run["ran"]),
      results: resultOf(run["results"]),
      ran_after_changes: flag(run["ran_after_changes"]),
      commands: texts(run["commands"]),
      skipped: flag(run["skipped"]),
      skip_reason: textOf(run["skip_reason"])
    },
    build: { ran: flag(made["ran"]), results: resultOf(made["results"]) },
    pr: {
      created: flag(asked["created"]),
      url: textOf(asked["url"]),
      ci_status: resultOf(asked["ci_status"]),
      checked: flag(asked["checked"])
    }
  }
}

/** What is left out says nothing, save the status and the confidence, without which there is no answer. */
export const asAssessment = (value: unknown): unknown => {
  const given = Json.object(value)
  const status = spelled(given["status"])
  return {
    status: statuses[status] ?? status,
    confidence: numberOf(given["confidence"]),
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
    feedback: textOf(given["feedback"]) ?? "",
    missing: citedOf(given["missing"]),
    next_actions: texts(given["next_actions"]),
    requires_human_action: flag(given["requires_human_action"])
  }
}
