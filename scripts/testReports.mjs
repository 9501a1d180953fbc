/**
 * What Vitest's JSON reports say. A report that is missing and a file that could not be loaded count as a failure each, so
 * that nothing that did not run passes for green.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { stripVTControlCharacters } from "node:util"

const maxLines = 25

const place = (file) => path.relative(process.cwd(), file)

const failuresIn = (suite) => {
  const failed = suite.assertionResults.filter((test) => test.status === "failed")
  const tests = failed.map((test) => ({
    name: `${place(suite.name)} > ${test.fullName}`,
    messages: test.failureMessages
  }))
  return suite.status === "failed" && tests.length === 0
    ? [{ name: place(suite.name), messages: [suite.message] }]
    : tests
}

export const readReport = (file) => {
  if (!fs.existsSync(file)) {
    const failures = [{ name: `no report ${path.basename(file)}: the run did not end`, messages: [] }]
    return { passed: 0, skipped: 0, failures }
  }
  const report = JSON.parse(fs.readFileSync(file, "utf8"))
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresIn)
  }
}

/** Each failure by its name, with the first lines of its message. */
export const said = (failures) =>
  failures
    .map(({ messages, name }) => {
      const lines = stripVTControlCharacters(messages.filter(Boolean).join("\n")).split("\n").slice(0, maxLines)
      return `failed: ${name}\n${lines.map((line) => `    ${line}\n`).join("")}`
    })
    .join("")

export const totalsOf = (reports) => ({
  passed: reports.reduce((sum, { passed }) => sum + passed, 0),
  failed: reports.reduce((sum, { failures }) => sum + failures.length, 0),
  skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0)
})
