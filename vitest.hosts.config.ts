import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.shared.ts"

const hosts = mergeConfig(shared, {
  test: {
    name: "hosts",
    include: ["packages/*/test-hosts/**/*.test.ts"],
    // Many wait for a clock of the host: with three at a time a fifth of two cores is idle.
    maxConcurrency: 4,
    // For a test that hangs, on a machine at a third of its speed: the longest takes half a minute on two quiet cores.
    testTimeout: 240_000
  }
})

/** Tests that run the real coding agents: `npm run test:hosts` fetches those first. */
export default defineConfig({ test: { projects: [hosts] } })
