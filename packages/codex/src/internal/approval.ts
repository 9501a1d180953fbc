/** Asks Codex whether the user has approved our hooks. This code approves nothing itself. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import type { Level, Look, DoctorFacts, LookFinding } from "@reflexion/core/internal/session/host/Host"
import * as Effect from "effect/Effect"

const dialogue = (cwd: string): string =>
  [
    { id: 1, method: "initialize", params: { clientInfo: { name: "reflexion", title: null, version: "0.1.0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } }
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("")

/** Returns the list of hooks, or an earlier error. The last line may be incomplete, so it does not count. */
const answerIn = (out: string): Json.Json | null =>
  out
    .split("\n")
    .slice(0, -1)
    .map((line) => Json.object(JsonLines.first(line)))
    .find(({ error, id, result }) => Json.isObject(error) || (id === 2 && Json.isObject(result))) ?? null

const finding = (level: Level, term: string, text: string): LookFinding => ({ level, term, text })

const unknown = (why: string): ReadonlyArray<LookFinding> => [finding("blind", "approval", `unknown: ${why}`)]

const trusting = "start codex and trust reflexion's hooks when it asks; /hooks shows them later"

/** Uses the names in the settings, or only the number if `some` has all hooks. */
const named = (some: ReadonlyArray<Json.Json>, all: ReadonlyArray<Json.Json>): string =>
  some.length === all.length
    ? `all ${all.length}`
    : some.map(({ eventName }) => Json.text(eventName).replace(/^[a-z]/u, (letter) => letter.toUpperCase())).join(", ")

const unseen =
  "Codex does not see the hooks: they may be turned off in its config.toml ([features] hooks). If they are a project's, " +
  "Codex reads them only if you trust the project"

const status = (ours: ReadonlyArray<Json.Json>): LookFinding => {
  const stands: ReadonlyArray<readonly [ReadonlyArray<Json.Json>, (names: string) => string]> = [
    [
      ours.filter(({ trustStatus }) => trustStatus === "modified"),
      (names) => `modified since you approved them, so Codex skips them: ${names}; ${trusting}`
    ],
    [
      ours.filter(({ trustStatus }) => trustStatus === "untrusted"),
      (names) => `untrusted, so Codex skips them silently: ${names}; ${trusting}`
    ],
    [ours.filter(({ enabled }) => enabled === false), (names) => `turned off in Codex: ${names}; /hooks turns them on`]
  ]
  if (ours.length === 0) return finding("needed", "approval", unseen)
  const found = stands.find(([some]) => some.length > 0)
  return found === undefined
    ? finding("good", "approval", `trusted by you: ${named(ours, ours)}`)
    : finding("needed", "approval", found[1](named(found[0], ours)))
}

const findings = (answer: Json.Json, isOurs: DoctorFacts["isOurs"]): ReadonlyArray<LookFinding> => {
  const [listed] = Json.list(Json.object(answer["result"])["data"])
  if (!Json.isObject(listed)) {
    const said = Json.text(Json.object(answer["error"])["message"]) || "it listed nothing"
    return unknown(`Codex was asked for its hooks, and ${said}`)
  }
  const errors = Json.list(listed["errors"]).map(Json.object)
  const ours = Json.list(listed["hooks"])
    .map(Json.object)
    .filter(({ command }) => isOurs(Json.text(command)))
  return [
    ...(errors.length > 0 ? [] : [status(ours)]),
    ...errors.map(({ message, path }) => finding("needed", "Codex says", `${Json.text(path)}: ${Json.text(message)}`)),
    // Codex warns, for example, if config.toml also has hooks.
    ...Json.list(listed["warnings"]).map((text) => finding("plain", "Codex says", Json.text(text)))
  ]
}

const ask = ({ isOurs, run, where }: DoctorFacts) =>
  run({
    words: ["app-server"],
    stdin: dialogue(where.cwd),
    timeout: 15_000,
    enough: (out) => answerIn(out) !== null
  }).pipe(
    Effect.map(({ out, timedOut }) => {
      const answer = answerIn(out)
      const none = `Codex was asked for its hooks, and it gave no answer${timedOut ? " within 15 s" : ""}`
      return answer === null ? unknown(none) : findings(answer, isOurs)
    })
  )

const unasked =
  "codex was not found. Codex runs a hook only after you approve it: start codex and trust reflexion's hooks"

export const look = (looked: DoctorFacts): Effect.Effect<Look> =>
  Effect.map(looked.binary === null ? Effect.succeed(unknown(unasked)) : ask(looked), (more) => ({ itself: [], more }))
