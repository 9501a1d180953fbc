import { defineConfig, mergeConfig } from "vitest/config"
import shared from "./vitest.shared.ts"

const report = mergeConfig(shared, {
  test: {
    name: "report",
    include: ["packages/cli/test-report/**/*.test.ts"],
    sequence: { concurrent: false },
    testTimeout: 240_000
  }
})

/** The report in a real Chromium, which has to be there: nothing is fetched, and nothing is skipped. */
export default defineConfig({ test: { projects: [report] } })
