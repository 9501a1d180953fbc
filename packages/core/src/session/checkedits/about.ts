/** Whether a change of a check is about what had failed. */
import { fileKind } from "../../ground/system/Paths.ts"
import type { FailingTest } from "../evidence/model.ts"
import { basename, isTestName } from "./files.ts"
import type { CheckChange } from "./model.ts"

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** At so many a run names no more. */
const mostNamed = 10

/** What is in these holds for all tests. */
const forAll =
  /^(?:conftest\.py|(?:test|spec|rails)_helper\.\w{2,4}|TestCase\.php|(?:jest|vitest)\.setup\.\w{2,4}|setupTests\.\w{2,4})$/

export type About = "named" | "file" | "other" | "unknown"

/** A file of tests that could not be told apart stands in place of its tests. */
const namesFile = ({ file, name }: FailingTest): boolean => name === file || /^\S{1,300}\.\w{1,5}$/.test(name)

const names = (one: FailingTest, test: string): boolean => {
  const last = letters(one.name.split(/::| > | › |\/|\.|\s{2,}/).pop() ?? "")
  return test.length > 2 && (letters(one.name).includes(test) || (last.length > 2 && test === last))
}

const isIn = (one: FailingTest, own: string): boolean => {
  const stem = letters(own.replace(/\.\w{1,8}$/, ""))
  return (one.file !== null && basename(one.file) === own) || (stem.length > 3 && letters(one.name).includes(stem))
}

/** These are about a check as a whole, not about one of its tests. */
const ofWholeCheck: ReadonlySet<string> = new Set(["silence", "mark", "snapshot", "special", "swallow"])

/** Whether a change is about what had failed, by the names that its run gave. */
export const aboutWhat = (change: CheckChange, failing: ReadonlyArray<FailingTest>, printed: string): About => {
  if (ofWholeCheck.has(change.kind)) return "file"
  if (failing.length === 0 || failing.length >= mostNamed) return isPrinted(change, printed) ? "named" : "unknown"
  return aboutTests(change, failing)
}

/** Whether what failed is named anywhere in what the run printed of it. */
export const isPrinted = ({ id, name, path }: CheckChange, printed: string): boolean => {
  const text = letters(printed)
  const own = id.startsWith("file:") ? "" : letters(name ?? "")
  const file = letters(basename(path).replace(/\.\w{1,8}$/, ""))
  return (own.length > 5 && text.includes(own)) || (own === "" && file.length > 5 && text.includes(file))
}

const aboutTests = ({ id, kind, name, path }: CheckChange, failing: ReadonlyArray<FailingTest>): About => {
  const isFile = id.startsWith("file:")
  const own = isFile ? id.slice("file:".length) : basename(path)
  const test = isFile ? "" : letters(name ?? "")
  if (failing.some((one) => names(one, test))) return "named"
  if (forAll.test(own)) return "file"
  const inFile = failing.filter((one) => isIn(one, own))
  if (isFile) return inFile.length > 0 ? "named" : "other"
  // Another test of that file: what failed was left as it is.
  if (inFile.length > 0) return test === "" || kind === "assert" || inFile.some(namesFile) ? "file" : "other"
  if (kind !== "test" && kind !== "skip" && !isTestName(own) && !own.endsWith(".rs")) return "other"
  // Of a source that has its tests in it nothing else asserts.
  if (own.endsWith(".rs") && test === "" && (kind === "assert" || kind === "expected")) return "file"
  const isPlaced = failing.some(({ file }) => file !== null && fileKind(file) === "test")
  return isPlaced || test !== "" ? "other" : "unknown"
}
