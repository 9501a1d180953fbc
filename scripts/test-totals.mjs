/** Adds up Vitest's JSON reports. A missing report and a file that could not be loaded count as one failure each. */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"

const place = (file) => path.relative(process.cwd(), file)

const failuresIn = ({ assertionResults, message, name, status }) => {
  const failed = assertionResults
    .filter((test) => test.status === "failed")
    .map((test) => ({ name: `${place(name)} > ${test.fullName}`, messages: test.failureMessages }))
  return status === "failed" && failed.length === 0 ? [{ name: place(name), messages: [message] }] : failed
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

export const said = (failures) =>
  failures
    .map(({ messages, name }) => {
      const lines = stripVTControlCharacters(messages.filter(Boolean).join("\n")).split("\n").slice(0, 25)
      return `failed: ${name}\n${lines.map((line) => `    ${line}\n`).join("")}`
    })
    .join("")

export const totalsOf = (reports) => {
  const sum = (count) => reports.reduce((all, report) => all + count(report), 0)
  const [passed, failed, skipped] = [(one) => one.passed, (one) => one.failures.length, (one) => one.skipped].map(sum)
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
  return { line, isGreen: failed === 0 && passed > 0 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.slice(2).map(readReport)
  const { isGreen, line } = totalsOf(reports)
  process.stdout.write(`${reports.map(({ failures }) => said(failures)).join("")}${line}`)
  process.exitCode = isGreen ? 0 : 1
}
