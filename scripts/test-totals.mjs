/**
 * Adds up Vitest's JSON reports and prints one line. A report that is missing and a file that could not be loaded count
 * as a failure each, so that nothing that did not run passes for green.
 */
import * as fs from "node:fs"

const totals = { passed: 0, failed: 0, skipped: 0 }
for (const file of process.argv.slice(2)) {
  if (!fs.existsSync(file)) {
    totals.failed += 1
    continue
  }
  const report = JSON.parse(fs.readFileSync(file, "utf8"))
  totals.passed += report.numPassedTests
  totals.failed += report.numFailedTests
  totals.skipped += report.numPendingTests + report.numTodoTests
  totals.failed += report.testResults.filter(
    (suite) => suite.status === "failed" && !suite.assertionResults.some((test) => test.status === "failed")
  ).length
}
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ""
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`)
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
