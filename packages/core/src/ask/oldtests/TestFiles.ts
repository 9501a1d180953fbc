/** Which files are tests, or say which tests are run and how. */
import { fileKind } from "../../ground/system/Paths.ts"

const ofRunners = /^(?:jest|vitest|ava|playwright|cypress|karma|wdio)[.-](?:config|conf|setup|workspace)\b/i

const settings =
  /^(?:\.mocharc.{0,10}|\.?pytest\.ini|conftest\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|nextest\.toml)$/i

const folder = /(?:^|\/)(?:tests?|specs?|__tests__)$/i

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** It has the commands by which tests are run, among much else. */
export const isManifest = (path: string): boolean => baseOf(path) === "package.json"

export const isOfTests = (path: string, root: string | null): boolean =>
  fileKind(path, root) === "test" ||
  ofRunners.test(baseOf(path)) ||
  settings.test(baseOf(path)) ||
  isManifest(path) ||
  folder.test(path)
