/** What a path says of a file: tests, their helpers, snapshots. */
import { fileKind } from "../../ground/system/Paths.ts"

/** What tests compare with, as their runner wrote it. */
export const snapshot =
  /\.(?:snap|ambr|golden|approved(?:\.\w{1,8})?|verified\.\w{1,8}|received\.\w{1,8})$|(?:^|\/)(?:__snapshots__|snapshots|__image_snapshots__|goldens?)\//i

export const isTestPath = (path: string, cwd: string | null): boolean =>
  fileKind(path, cwd) === "test" ||
  /\.(?:bats|t)$/.test(path) ||
  /(?:^|\/)test_[^/]{1,100}\.(?:c|cc|cpp|rb|php|sh)$/.test(path)

/** Not a helper of tests, or what they are fed with. */
export const isTestName = (path: string): boolean =>
  /(?:^|[._-])(?:tests?|specs?|e2e|cy)(?:[._-]|$)|(?:Tests?|Spec|IT|TestCase)\.\w{1,6}$|\.(?:bats|t)$/.test(
    path.split(/[/\\]/).pop() ?? path
  )

/** Whether two paths name one file, one of them from further up. */
export const same = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
