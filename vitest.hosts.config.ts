import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.shared.ts"

/** What a change need not pass before it lands: `REFLEXION_TESTS=night npm run test:hosts` runs all. */
const night = [
  "packages/testing/test-hosts/{CodexSdk,Examples,OpenCodeHost,OpenCodeJudging,OpenCodeModel,OpenCodeOptions,OpenCodeReview}.test.ts",
  "packages/testing/test-hosts/OpenCode{Routing,Screen,Silence,Small,Tiers,Together}.test.ts",
  "packages/{claude-code,codex}/test-hosts/*Mutator.test.ts",
  "packages/cli/test-hosts/{FirstUse,OpenCodePlugin,ShellPage}.test.ts"
]

const hosts = mergeConfig(shared, {
  test: {
    name: "hosts",
    include: ["packages/*/test-hosts/**/*.test.ts"],
    exclude: process.env["REFLEXION_TESTS"] === "night" ? [] : night,
    // Many wait for a clock of the host: with three at a time a fifth of two cores is idle.
    maxConcurrency: 4,
    // For a test that hangs, on a machine at a third of its speed: the longest takes half a minute on two quiet cores.
    testTimeout: 240_000
  }
})

/** Tests that run the real coding agents: `npm run test:hosts` fetches those first. */
export default defineConfig({ test: { projects: [hosts] } })
