/** The words of a command line, or what is wrong with them in a sentence. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"

/** What is wrong with a value. */
export class Refused extends Error {}

const said = (error: unknown): string => {
  if (error instanceof Refused) return error.message
  if (Predicate.hasProperty(error, "code") && String(error.code).startsWith("ERR_PARSE_ARGS") && error instanceof Error)
    return error.message
  throw error
}

/** What `read` makes of them; it uses `parseArgs` and refuses by `Refused`. */
export const decode = <A>(read: () => A): Either.Either<A, string> => Either.try({ try: read, catch: said })
