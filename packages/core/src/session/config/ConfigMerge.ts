/** How one source is laid over the others, by how far the user trusts it. */
import * as Struct from "effect/Struct"
import type { ActiveGate, PartialConfig, ReflexionConfig } from "./model.ts"
import { saidIn, withMore } from "./DoneWhenGates.ts"
import { isGate } from "../vocabulary/GateTable.ts"
import { lower } from "./Levels.ts"

/** The later of two of one name stands. */
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
  // A gate has one check.
  checks: byName(base.checks, over.checks),
  memory: { ...base.memory, ...over.memory },
  todos: { ...base.todos, ...over.todos, limits: { ...base.todos.limits, ...over.todos?.limits } },
  cycle: { ...base.cycle, ...over.cycle }
})

/**
 * Lays one source over what is known so far. Gates add up; one of the same name replaces the earlier.
 *
 * @category combinators
 */
export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig =>
  withMore(mergeKeys(base, over), saidIn(over.doneWhen, { commands: true }))

type Levels = ReflexionConfig["rules"]

/** A workspace turns a rule down, never up. */
const limited = (base: Levels, workspace: Levels = {}): Levels => ({
  ...base,
  ...Object.fromEntries(Object.entries(workspace).map(([name, level]) => [name, lower(base[name] ?? "nudge", level)]))
})

/** A workspace may have fewer rules nudge, where the user leaves it open; that nobody is there is not its to say. */
const attendedIn = (base: ReflexionConfig, { attended }: PartialConfig): ReflexionConfig["attended"] =>
  base.attended === "auto" && attended === true ? true : base.attended

/**
 * Lays the file of a workspace that the user trusts over what is known so far. `stuck` is the
 * user's own to say: in a workspace it has no effect, nor has `attended`, but for `true` where the user leaves it open.
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

/**
 * Of two gates of one name the user's own stands: nobody else's may be laxer in its place. The same goes for those that
 * every project has: what requires them and what proves them is nobody else's to say.
 */
const added = (base: ReflexionConfig, { gates = [] }: PartialConfig): ReadonlyArray<ActiveGate> =>
  gates
    .filter(({ name }) => !isGate(name) && !base.gates.some((own) => own.name === name))
    .map((gate) => ({ ...gate, untrusted: true }))

type Memory = ReflexionConfig["memory"]

/** Less of it, which such a workspace may say. What is deleted is gone: how long lessons are kept is the user's alone to say. */
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
 * Lays an untrusted workspace's file over what is known so far: it may lower `maxAttempts`, never raise it; its gates
 * are marked as its own and replace neither the user's nor those that every project has. It may switch the memory, the
 * reflection cycle and the reminders about todo lists off. What is not named here has no effect: it chooses no model, lets
 * no command run, and has no agent told anything in reflexion's name.
 *
 * @category combinators
 */
export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => {
  const { cycle, maxAttempts = base.maxAttempts, memory, profile = base.profile, rules, todos } = workspace
  const lowered: ReflexionConfig = {
    ...base,
    profile,
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
