/** Merges one configuration source over the others. A source that the user trusts may change more. */
import * as Struct from "effect/Struct"
import type { ActiveGate, PartialConfig, ReflexionConfig } from "./model.ts"
import { saidIn, withMore } from "./DoneWhenGates.ts"
import { isGate } from "../vocabulary/GateTable.ts"
import { lower } from "./Levels.ts"

const byName = <A extends { readonly name: string }>(
  base: ReadonlyArray<A>,
  over: ReadonlyArray<A> = []
): ReadonlyArray<A> => {
  const later = new Set(over.map(({ name }) => name))
  return [...base.filter(({ name }) => !later.has(name)), ...over]
}

const mergeKeys = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  ...base,
  ...Struct.omit(over, "$schema", "doneWhen", "models", "todos", "checks"),
  gates: byName(base.gates, over.gates),
  rules: { ...base.rules, ...over.rules },
  stuck: { ...base.stuck, ...over.stuck },
  models: {
    ...base.models,
    ...over.models,
    fast: { ...base.models.fast, ...over.models?.fast },
    providers: { ...base.models.providers, ...over.models?.providers }
  },
  crossReview: { ...base.crossReview, ...over.crossReview },
  routing: { ...base.routing, ...over.routing },
  // A gate has only one check.
  checks: byName(base.checks, over.checks),
  memory: { ...base.memory, ...over.memory },
  todos: { ...base.todos, ...over.todos, limits: { ...base.todos.limits, ...over.todos?.limits } },
  cycle: { ...base.cycle, ...over.cycle }
})

/**
 * Merges one source over the configuration so far. A new gate replaces an earlier gate with the same name.
 *
 * @category combinators
 */
export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig =>
  withMore(mergeKeys(base, over), saidIn(over.doneWhen, { commands: true }))

type Levels = ReflexionConfig["rules"]

/** A workspace can lower the level of a rule, but never raise the level. */
const limited = (base: Levels, workspace: Levels = {}): Levels => ({
  ...base,
  ...Object.fromEntries(Object.entries(workspace).map(([name, level]) => [name, lower(base[name] ?? "nudge", level)]))
})

/** A workspace may say that a person is there, because fewer rules nudge then. It cannot say that nobody is there. */
const attendedIn = (base: ReflexionConfig, { attended }: PartialConfig): ReflexionConfig["attended"] =>
  base.attended === "auto" && attended === true ? true : base.attended

/**
 * Merges the file of a trusted workspace. Only the user may set `stuck`. `attended` can change only from `auto` to
 * `true`.
 *
 * @category combinators
 */
export const mergeTrusted = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => {
  const merged = merge(base, Struct.omit(workspace, "rules", "stuck", "attended"))
  return {
    ...merged,
    attended: attendedIn(base, workspace),
    ruleLimits: limited(base.ruleLimits, workspace.rules)
  }
}

/** The user's own gates and the standard gates win, so that no workspace can make them weaker. */
const added = (base: ReflexionConfig, { gates = [] }: PartialConfig): ReadonlyArray<ActiveGate> =>
  gates
    .filter(({ name }) => !isGate(name) && !base.gates.some((own) => own.name === name))
    .map((gate) => ({ ...gate, untrusted: true }))

type Memory = ReflexionConfig["memory"]

/** A workspace cannot change how long lessons are kept, because deleted lessons are lost. */
const lessLearned = (base: Memory, over: Partial<Memory> = {}): Memory => {
  const least = (key: "generationTimeoutMs" | "maxReflectionsPerRetry"): number =>
    Math.min(base[key], over[key] ?? base[key])
  return {
    ...base,
    enabled: base.enabled && over.enabled !== false,
    maxReflectionsPerRetry: least("maxReflectionsPerRetry"),
    generationTimeoutMs: least("generationTimeoutMs")
  }
}

/**
 * Merges the file of an untrusted workspace. It may lower limits, switch features off, set the profile, and add gates
 * (marked as untrusted) and conditions without commands. It cannot choose a model, run a command, or tell the agent
 * anything in reflexion's name.
 *
 * @category combinators
 */
export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => {
  const { cycle, maxAttempts = base.maxAttempts, memory, rules, todos } = workspace
  const lowered: ReflexionConfig = {
    ...base,
    // `advisory` stays, because the user switched all nudges off.
    profile: base.profile === "advisory" ? base.profile : (workspace.profile ?? base.profile),
    attended: attendedIn(base, workspace),
    gates: byName(base.gates, added(base, workspace)),
    ruleLimits: limited(base.ruleLimits, rules),
    maxAttempts: Math.min(base.maxAttempts, maxAttempts),
    memory: lessLearned(base.memory, memory),
    todos: { ...base.todos, enabled: base.todos.enabled && todos?.enabled !== false },
    cycle: { ...base.cycle, enabled: base.cycle.enabled && cycle?.enabled !== false }
  }
  return withMore(lowered, saidIn(workspace.doneWhen, { commands: false }))
}
