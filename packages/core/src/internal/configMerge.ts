import type { DeclaredGate, PartialConfig, ReflexionConfig } from "../ReflexionConfig.ts"

export const defaults: ReflexionConfig = { profile: "balanced", gates: [], maxAttempts: 3 }

const mergeGates = (base: ReadonlyArray<DeclaredGate>, over: ReadonlyArray<DeclaredGate>) => [
  ...base.filter((gate) => !over.some((other) => other.name === gate.name)),
  ...over
]

export const merge = (base: ReflexionConfig, over: PartialConfig): ReflexionConfig => ({
  profile: over.profile ?? base.profile,
  gates: mergeGates(base.gates, over.gates ?? []),
  maxAttempts: over.maxAttempts ?? base.maxAttempts
})
