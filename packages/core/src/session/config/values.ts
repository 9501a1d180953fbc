/** What more than one part of the configuration is made of. */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** A text of ours in place of whatever the schema would say of a value. */
export const must = (text: string) => ({ message: () => ({ message: `must be ${text}`, override: true }) })

/** The same for what has parts: what is wrong in one of them is said of that one. */
export const shape = (text: string) => ({ message: () => `must be ${text}` })

export const Text = Schema.String.annotations(must("a string"))

export const Flag = Schema.Boolean.annotations(must("true or false"))

export const whole = (least: number, most: number) =>
  Schema.Int.pipe(Schema.between(least, most), Schema.annotations(must(`a whole number from ${least} to ${most}`)))

/** A text that is not blank. */
export const text = (most: number) =>
  Schema.String.pipe(
    Schema.filter((value) => value.trim() !== "" && value.length <= most),
    Schema.annotations(must(`a text of 1 to ${most} characters`))
  )

export const list = <A, I>(
  item: Schema.Schema<A, I>,
  { most, what }: { readonly most: number; readonly what: string }
) =>
  Schema.Array(item)
    .annotations(shape(`a list of ${what}`))
    .pipe(Schema.maxItems(most, shape(`at most ${most} ${what}`)))

const units: ReadonlyMap<string, number> = new Map([
  ["second", 1],
  ["minute", 60],
  ["hour", 3600]
])

const written = /^(\d{1,9}(?:\.\d{1,3})?) (second|minute|hour)s?$/u

const secondsOf = (text: string): Option.Option<number> => {
  const [, count = "", unit = ""] = written.exec(text.trim()) ?? []
  return Option.map(Option.fromNullable(units.get(unit)), (each) => Number(count) * each)
}

/** A number of seconds, or a text such as "5 minutes"; in seconds once it is decoded. */
export const time = (least: number, most: number): Schema.Schema<number, number | string> => {
  const said = must(`a number of seconds from ${least} to ${most}, or a text such as "5 minutes"`)
  return Schema.transformOrFail(Schema.Union(Schema.Number, Schema.String), Schema.Number, {
    strict: true,
    decode: (value, _options, ast) =>
      Option.match(typeof value === "number" ? Option.some(value) : secondsOf(value), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, value)),
        onSome: ParseResult.succeed
      }),
    encode: ParseResult.succeed
  }).pipe(
    Schema.filter((seconds) => seconds >= least && seconds <= most),
    Schema.annotations(said)
  )
}
