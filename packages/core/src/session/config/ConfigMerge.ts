import type { ActiveGate, PartialConfig, ReflexionConfig } from "./model.ts"
import { withMore } from "./DoneWhenGates.ts"
import { saidIn } from "./DoneWhenSaid.ts"
import { isGate } from "../gates/GateTable.ts"
import { lower, ruleNames } from "./RuleNames.ts"

const models: ReflexionConfig["models"] = {
  fallback: [],
  fast: {},
  reflection: null,
  weak: null,
  providers: {},
  timeout: 60,
  tokensPerReview: 60_000,
  tokensPerDay: 2_000_000,
  callsPerDay: 20
}

export const defaults: ReflexionConfig = {
  profile: "balanced",
  attended: "auto",
  gates: [],
  rules: {},
  ruleLimits: {},
  maxAttempts: 3,
  stuck: { silence: 30, stall: 180 },
  model: "off",
  models,
  crossReview: {},
  routing: {},
  verify: { checks: [], unsandboxed: false },
  doneWhen: [],
  memory: {
    enabled: true,
    maxReflectionsPerRetry: 3,
    generationTimeoutMs: 30_000,
    retentionDays: 30,
    crossTask: 0.3
  },
  todos: {},
  cycle: {
    enabled: true,
    batch_threshold: 10,
    consecutive_failure_limit: 3,
    lookback_seconds: 86_400,
    min_result_length: 50
  }
}

const mergeGates = (base: ReadonlyArray<ActiveGate>, over: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> => [
  ...base.filter((gate) => !over.some((other) => other.name === gate.name)),
  ...over
]

type Models = ReflexionConfig["models"]

const mergeModels = (base: Models, over: PartialConfig["models"] = {}): Models => ({
  ...base,
  ...over,
  fast: { ...base.fast, ...over.fast },
  providers: { ...base.providers, ...over.providers }
})

type Verify = ReflexionConfig["verify"]

/** A gate has one check: the later source's. */
const mergeVerify = (base: Verify, over: PartialConfig["verify"] = {}): Verify => {
  const later = over.checks ?? []
  const kept = base.checks.filter(({ gate }) => !later.some((other) => other.gate === gate))
  return {
    checks: [...kept, ...later],
    unsandboxed: over.unsandboxed ?? base.unsandboxed
  }
}

type Todos = ReflexionConfig["todos"]

const mergeTodos = (base: Todos, over: Todos = {}): Todos => ({
  ...base,
  ...over,
  limits: { ...base.limits, ...over.limits }
})

const mergeKeys = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  profile: over.profile ?? base.profile,
  attended: over.attended ?? base.attended,
  gates: mergeGates(base.gates, over.gates ?? []),
  rules: { ...base.rules, ...over.rules },
  ruleLimits: base.ruleLimits,
  maxAttempts: over.maxAttempts ?? base.maxAttempts,
  stuck: { ...base.stuck, ...over.stuck },
  model: over.model ?? base.model,
  models: mergeModels(base.models, over.models),
  crossReview: { ...base.crossReview, ...over.crossReview },
  routing: { ...base.routing, ...over.routing },
  verify: mergeVerify(base.verify, over.verify),
  doneWhen: base.doneWhen,
  memory: { ...base.memory, ...over.memory },
  todos: over.todos === undefined ? base.todos : mergeTodos(base.todos, over.todos),
  cycle: { ...base.cycle, ...over.cycle }
})

export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig =>
  withMore(mergeKeys(base, over), saidIn(over.doneWhen, { commands: true }))

type Levels = ReflexionConfig["rules"]

/** A workspace turns a rule down, never up. */
const limited = (base: Levels, workspace: Levels = {}): Levels => {
  const names = ruleNames.filter((name) => workspace[name] !== undefined)
  return {
    ...base,
    ...Object.fromEntries(names.map((name) => [name, lower(base[name] ?? "push", workspace[name] ?? "push")]))
  }
}

/** A workspace may have fewer rules push, where the user leaves it open; that nobody is there is not its to say. */
const attendedIn = (base: ReflexionConfig, workspace: Pick<PartialConfig, "attended">): ReflexionConfig["attended"] =>
  base.attended === "auto" && workspace.attended === true ? true : base.attended

/** How long an agent may be silent, and what runs outside a sandbox, is the user's to say, whomever they trust. */
export const mergeTrusted = (base: ReflexionConfig, { rules, ...workspace }: PartialConfig): ReflexionConfig => ({
  ...merge(base, {
    ...workspace,
    attended: attendedIn(base, workspace),
    stuck: base.stuck,
    verify: {
      checks: workspace.verify?.checks ?? [],
      unsandboxed: base.verify.unsandboxed
    }
  }),
  ruleLimits: limited(base.ruleLimits, rules)
})

/**
 * Of two gates of one name the user's own stands: nobody else's may be laxer in its place. The same goes for those that
 * every project has: what requires them and what proves them is nobody else's to say.
 */
const added = (base: ReflexionConfig, gates: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> =>
  gates
    .filter(({ name }) => !isGate(name) && !base.gates.some((own) => own.name === name))
    .map((gate) => ({ ...gate, untrusted: true }))

/** What is not named here has no effect: neither a model nor a command is such a workspace's to choose. */
export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig =>
  withMore(lowered(base, workspace), saidIn(workspace.doneWhen, { commands: false }))

type Learning = ReflexionConfig["memory"]

/** Such a workspace may have less of it: fewer lessons, less time for them. What is deleted is gone: how long they are kept is the user's alone to say. */
const lessLearned = (base: Learning, over: PartialConfig["memory"] = {}): Learning => {
  const least = (key: "generationTimeoutMs" | "maxReflectionsPerRetry"): number =>
    Math.min(base[key], over[key] ?? base[key])
  return {
    ...base,
    enabled: base.enabled && over.enabled !== false,
    maxReflectionsPerRetry: least("maxReflectionsPerRetry"),
    generationTimeoutMs: least("generationTimeoutMs")
  }
}

const lowered = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => ({
  ...base,
  profile: workspace.profile ?? base.profile,
  attended: attendedIn(base, workspace),
  gates: mergeGates(base.gates, added(base, workspace.gates ?? [])),
  ruleLimits: limited(base.ruleLimits, workspace.rules),
  maxAttempts: Math.min(base.maxAttempts, workspace.maxAttempts ?? base.maxAttempts),
  memory: lessLearned(base.memory, workspace.memory),
  cycle: { ...base.cycle, enabled: base.cycle.enabled && workspace.cycle?.enabled !== false },
  // What else it may say is told to an agent in reflexion's name.
  todos: workspace.todos?.enabled === false ? { ...base.todos, enabled: false } : base.todos
})
