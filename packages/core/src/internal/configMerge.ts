import type { ActiveGate, PartialConfig, ReflexionConfig } from "../ReflexionConfig.ts"

export const defaults: ReflexionConfig = { profile: "balanced", gates: [], maxAttempts: 3 }

const mergeGates = (base: ReadonlyArray<ActiveGate>, over: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> => [
  ...base.filter((gate) => !over.some((other) => other.name === gate.name)),
  ...over
]

export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  profile: over.profile ?? base.profile,
  gates: mergeGates(base.gates, over.gates ?? []),
  maxAttempts: over.maxAttempts ?? base.maxAttempts
})

/** Of two gates of one name the user's own stands: nobody else's may be laxer in its place. */
const added = (base: ReflexionConfig, gates: ReadonlyArray<ActiveGate>): ReadonlyArray<ActiveGate> =>
  gates
    .filter((gate) => !base.gates.some((own) => own.name === gate.name))
    .map((gate) => ({ ...gate, untrusted: true }))

export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => ({
  ...merge(base, { ...workspace, gates: added(base, workspace.gates ?? []) }),
  maxAttempts: Math.min(base.maxAttempts, workspace.maxAttempts ?? base.maxAttempts)
})
