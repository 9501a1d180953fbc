/**
 * Adds up Vitest's JSON reports: names each test that failed with its message, then prints the totals as one last line, so
 * that whoever sees only the end of a long log still learns what broke. A report that is missing and a file that could
 * not be loaded count as a failure each, so that nothing that did not run passes for green.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { stripVTControlCharacters } from "node:util"

const MESSAGE_LINES = 25

const totals = { passed: 0, failed: 0, skipped: 0 }

const failure = (name, messages) => {
  const lines = stripVTControlCharacters(messages.filter(Boolean).join("\n")).split("\n").slice(0, MESSAGE_LINES)
  totals.failed += 1
  process.stdout.write(`failed: ${name}\n${lines.map((line) => `    ${line}\n`).join("")}`)
}

const place = (file) => path.relative(process.cwd(), file)

const addSuite = (suite) => {
  const failed = suite.assertionResults.filter((test) => test.status === "failed")
  for (const test of failed) failure(`${place(suite.name)} > ${test.fullName}`, test.failureMessages)
  if (suite.status === "failed" && failed.length === 0) failure(place(suite.name), [suite.message])
}

for (const file of process.argv.slice(2)) {
  if (!fs.existsSync(file)) {
    failure(`no report ${path.basename(file)}: the run did not end`, [])
    continue
  }
  const report = JSON.parse(fs.readFileSync(file, "utf8"))
  totals.passed += report.numPassedTests
  totals.skipped += report.numPendingTests + report.numTodoTests
  report.testResults.forEach(addSuite)
}
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ""
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`)
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
