/** The schema of `Pushes`, apart from its functions so that a bundle which decodes none can leave it out. */
import * as Schema from "effect/Schema"

export const Pushes = Schema.Struct({ count: Schema.Number, mark: Schema.NullOr(Schema.String) })

export type Pushes = typeof Pushes.Type
