/**
 * Adds up Vitest's JSON reports: names each test that failed with its message, then prints the totals as one last line, so that a reader who sees only the end of a long log still learns what broke.
 */
import { readReport, said, totalsOf } from "./testReports.mjs"

const reports = process.argv.slice(2).map(readReport)
for (const { failures } of reports) process.stdout.write(said(failures))
const { failed, passed, skipped } = totalsOf(reports)
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
