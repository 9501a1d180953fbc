/** The schema of the configuration of what agents are told about their todo lists. */
import * as Schema from "effect/Schema"
import { Flag, list, must, shape, text, whole } from "./values.ts"

const builtIn = ["implementation", "no-delegation", "parallel", "large-list", "completed"] as const

const Limit = Schema.optionalWith(whole(0, 20), { exact: true })

const Limits = Schema.Struct({
  implementation: Limit,
  "no-delegation": Limit,
  parallel: Limit,
  "large-list": Limit,
  completed: Limit
}).annotations(shape(`an object with limits of ${builtIn.join(", ")}`))

const agents = list(text(100), { most: 50, what: "names of agents" })

const resets = ["completion", "never", "each-todowrite"] as const

const fields = {
  /** Whether any agent is told anything about its list. */
  enabled: Flag,
  /** The agents that the patterns are for, by name: those that coordinate. */
  agents,
  /** The agents that can be given work, by name: a todo that names one is delegated. */
  delegates: agents,
  /** How often each is told in the life of a list. */
  limits: Limits,
  /** What ends the life of a list. */
  resetOn: Schema.Literal(...resets).annotations(must(`"${resets.join('", "')}"`.replace(/, (?=[^,]*$)/, " or "))),
  /** From how many todos on `no-delegation` holds, and `large-list`. */
  delegateFrom: whole(1, 100),
  largeFrom: whole(1, 100),
  /** Whether such an agent is told once to make a list before it works. */
  required: Flag
}

/** What is left out is as `TodoGuardrails.defaults` has it. */
export const Todos = Schema.partialWith(Schema.Struct(fields), { exact: true }).annotations(
  shape(`an object with ${Object.keys(fields).join(", ")}`)
)
