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

export const mergeWorkspace = (base: ReflexionConfig, workspace: PartialConfig): ReflexionConfig => ({
  ...merge(base, { ...workspace, gates: (workspace.gates ?? []).map((gate) => ({ ...gate, untrusted: true })) }),
  maxAttempts: Math.min(base.maxAttempts, workspace.maxAttempts ?? base.maxAttempts)
})
