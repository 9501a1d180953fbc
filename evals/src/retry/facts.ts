/** Which facts about a failure a text names, whoever wrote it: a reflection, or the tool that failed. */
import type { Failure } from "./RetryTask.ts"

export const kinds = ["test", "file", "line", "expected", "received", "message"] as const

export interface Fact {
  readonly kind: (typeof kinds)[number]
  readonly value: string
  readonly named: boolean
}

// oxlint-disable-next-line no-control-regex
const color = /\u001b\[[\d;]{0,30}m/gu

/** One line without colors, in which spaces make no difference. */
const plain = (text: string): string => text.replaceAll(color, "").replaceAll(/\s+/gu, " ")

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

/** Not as a part of a longer word or number. */
const has = (text: string, value: string): boolean =>
  new RegExp(
    `${/^\w/u.test(value) ? String.raw`(?<![\w.])` : ""}${escaped(plain(value))}${/\w$/u.test(value) ? String.raw`(?!\w)` : ""}`,
    "u"
  ).test(text)

const fileOf = (place: string): string => place.slice(0, place.lastIndexOf(":")).split("/").at(-1) ?? place

const lineOf = (place: string): string => place.slice(place.lastIndexOf(":") + 1)

/** As tools write places: `a.ts:6`, `a.ts(6,1)`, `"a.py", line 6`. */
const hasPlace = (text: string, place: string): boolean =>
  new RegExp(String.raw`(?<!\w)${escaped(fileOf(place))}["']?(?::|\(|,? line )${lineOf(place)}(?!\d)`, "u").test(text)

const factsOf = (text: string, { expected, message, places, received, test }: Failure): ReadonlyArray<Fact> => {
  const known = (kind: "expected" | "received" | "message" | "test", value: string | undefined): ReadonlyArray<Fact> =>
    value === undefined ? [] : [{ kind, value, named: has(text, value) }]
  return [
    ...known("test", test),
    ...(places === undefined
      ? []
      : ([
          { kind: "file", value: places.map(fileOf)[0] ?? "", named: places.some((place) => has(text, fileOf(place))) },
          { kind: "line", value: places.join(" or "), named: places.some((place) => hasPlace(text, place)) }
        ] satisfies ReadonlyArray<Fact>)),
    ...known("expected", expected),
    ...known("received", received),
    ...known("message", message)
  ]
}

const countNamed = (facts: ReadonlyArray<Fact>): number => facts.filter(({ named }) => named).length

/** The facts of the failure of which the text says most; all of them unnamed where it says nothing. */
export const factsIn = (text: string, failures: ReadonlyArray<Failure>): ReadonlyArray<Fact> => {
  const all = failures.map((failure) => factsOf(plain(text), failure))
  return all.reduce((best, facts) => (countNamed(facts) > countNamed(best) ? facts : best), all[0] ?? [])
}

const quotedTest = /^The test "(?<name>.{1,300}?)"/u

/** The test that a reflection says failed, where none of the failures has it. */
export const wrongIn = (analysis: string, failures: ReadonlyArray<Failure>): ReadonlyArray<string> => {
  const name = quotedTest.exec(analysis)?.groups?.["name"]
  const tests = failures.flatMap(({ test }) => test ?? [])
  return name === undefined || tests.some((test) => has(plain(name), test)) ? [] : [`it names the test ${name}`]
}
