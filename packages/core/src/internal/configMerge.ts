import type { ActiveGate, PartialConfig, ReflexionConfig } from "../ReflexionConfig.ts"

export const defaults: ReflexionConfig = {
  profile: "balanced",
  gates: [],
  maxAttempts: 3,
  stuck: { silence: 30, stall: 180 }
}

const mergeGates = (base: ReadonlyArray<ActiveGate>, over: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> => [
  ...base.filter((gate) => !over.some((other) => other.name === gate.name)),
  ...over
]

export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  profile: over.profile ?? base.profile,
  gates: mergeGates(base.gates, over.gates ?? []),
  maxAttempts: over.maxAttempts ?? base.maxAttempts,
  stuck: { ...base.stuck, ...over.stuck }
})

/** How long an agent may be silent is the user's to say, whomever they trust. */
export const mergeTrusted = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig =>
  merge(base, { ...workspace, stuck: base.stuck })

/** Of two gates of one name the user's own stands: nobody else's may be laxer in its place. */
const added = (base: ReflexionConfig, gates: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> =>
  gates
    .filter((gate) => !base.gates.some((own) => own.name === gate.name))
    .map((gate) => ({ ...gate, untrusted: true }))

export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => ({
  ...mergeTrusted(base, { ...workspace, gates: added(base, workspace.gates ?? []) }),
  maxAttempts: Math.min(base.maxAttempts, workspace.maxAttempts ?? base.maxAttempts)
})
