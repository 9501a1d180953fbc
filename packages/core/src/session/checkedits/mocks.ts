/** Stand-ins for what a test tests: a mock of its module, or a function of its own. */
import { delta, shown } from "./deltas.ts"
import type { Delta } from "./model.ts"
import { more } from "./statements.ts"
import type { TestText } from "./testFile.ts"

/** What a file is called, as a source or as its test. */
export const stem = (path: string): string =>
  (path.split(/[/\\]/).pop() ?? "")
    .replace(/\.\w{1,8}$/, "")
    .replace(
      /(?:[._-](?:test|tests|spec|specs|e2e|cy|unit|integration))$|^test_|_test$|(?:Tests?|Spec|IT|TestCase)$/i,
      ""
    )
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

/** Whether what is replaced is what the file tests, by both their names. */
const replacesSubject = (mock: string, path: string): boolean => {
  const subject = stem(path)
  if (subject.length < 3) return false
  const what = /[("'`<\s]([\w@./\\:-]{2,200})/.exec(mock.slice(mock.search(/[(<]|\s/)))?.[1] ?? ""
  const parts = what.split(/[/\\.:]+/).map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
  // Of `../src/cart.js` and of `shop.cart.total` the module stands last or before the function.
  return parts.slice(-3).some((part) => part === subject)
}

/** What replaces in a file of tests what it tests. */
export const ofMocks = (path: string, before: TestText, after: TestText): ReadonlyArray<Delta> => [
  ...more(after.mocks, before.mocks)
    .filter((mock) => replacesSubject(mock, path))
    .map((mock) => delta("mock", 1, mock, { now: shown(mock) })),
  ...more(before.mocks, after.mocks).map((mock) => delta("mock", -1, mock))
]

const imported =
  /\bimport\s{1,4}(?:type\s{1,4})?(?:\w{1,60}\s{0,4},?\s{0,4})?\{([^}\n]{1,400})\}\s{0,4}from|\bfrom [\w.]{1,100} import ([\w, ]{1,300})|\b(?:const|let|var)\s{0,4}\{([^}\n]{1,400})\}\s{0,4}=\s{0,4}require/g

const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(imported)].flatMap((match) =>
    (match[1] ?? match[2] ?? match[3] ?? "").split(",").map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+/)[0]
          ?.trim() ?? ""
    )
  )

/** `const total = () => 45` in place of `import { total }`. */
export const ofStandIns = (before: string, after: string): ReadonlyArray<Delta> => {
  return more(namesIn(before), namesIn(after)).flatMap((name) => {
    if (!/^\w{2,60}$/.test(name)) return []
    const own = new RegExp(
      `(?:\\b(?:const|let|var|function|def|fn)\\s{1,4}${name}\\b|\\b${name}\\s{0,4}=\\s{0,4}(?:lambda|\\())[^\\n]{0,160}`
    )
    const found = own.exec(after)
    return found === null || own.test(before)
      ? []
      : [delta("mock", 1, `stand-in:${name}`, { now: shown(found[0].trim()) })]
  })
}
