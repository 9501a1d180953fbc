/** Helpers that several parts of the configuration schemas use. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** Replaces the schema's own message about a value. */
export const must = (text: string) => ({ message: () => ({ message: `must be ${text}`, override: true }) })

/** Replaces the schema's own message about a value with parts. A problem in a part is reported for that part. */
export const shape = (text: string) => ({ message: () => `must be ${text}` })

export const is = <S extends Schema.Annotable.All>(description: string, schema: S) =>
  Schema.annotations(schema, { description })

export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const either = (names: ReadonlyArray<string>): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ")

export const object = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.partialWith(Schema.Struct(fields), { exact: true }).annotations(
    shape(`an object with ${either(Object.keys(fields))}`)
  )

export const oneOf = <Literals extends readonly [string | boolean, ...ReadonlyArray<string | boolean>]>(
  ...literals: Literals
) => Schema.Literal(...literals).annotations(must(either(literals.map((one) => JSON.stringify(one)))))

export const Flag = Schema.Boolean.annotations(must("true or false"))

export const number = (least: number, most: number, what = "a number") =>
  Schema.Number.pipe(Schema.between(least, most)).annotations(must(`${what} from ${least} to ${most}`))

export const whole = (least: number, most: number, what = "a whole number") =>
  Schema.Int.pipe(Schema.between(least, most)).annotations(must(`${what} from ${least} to ${most}`))

export const text = (most: number, what = "a text") =>
  Schema.String.pipe(Schema.filter((value) => value.trim() !== "" && value.length <= most)).annotations(
    must(`${what} of 1 to ${most} characters`)
  )

export const matching = (pattern: RegExp, what: string) =>
  Schema.String.pipe(Schema.pattern(pattern)).annotations(must(what))

export const list = <A, I>(item: Schema.Schema<A, I>, most: number, what: string, form = `a list of ${what}`) =>
  Schema.Array(item)
    .annotations(shape(form))
    .pipe(Schema.maxItems(most, shape(`at most ${most} ${what}`)))

const secondsOf = (value: number | string): Option.Option<number> =>
  typeof value === "number" ? Option.some(value) : Option.map(Duration.decodeUnknown(value.trim()), Duration.toSeconds)

/** A number of seconds, or a text such as "5 minutes". The decoded value is in seconds. */
export const time = (least: number, most: number): Schema.Schema<number, number | string> =>
  Schema.transformOrFail(Schema.Union(Schema.Number, Schema.String), Schema.Number, {
    strict: true,
    decode: (value, _options, ast) =>
      Option.match(secondsOf(value), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, value)),
        onSome: ParseResult.succeed
      }),
    encode: ParseResult.succeed
  })
    .pipe(Schema.filter((seconds) => seconds >= least && seconds <= most))
    .annotations(must(`a number of seconds from ${least} to ${most}, or a text such as "5 minutes"`))
