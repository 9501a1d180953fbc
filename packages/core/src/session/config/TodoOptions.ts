/** What agents are told about their todo lists, and its defaults. */
/**
 * `enabled`: whether anybody is told anything. `agents`: whom the patterns are for, by name; nobody, unless some are named.
 * `delegates`: the names of those who can be given work. `limits`: how often
 * each is told in the life of a list, by name, of which `completed` is the checkpoint; 0 never. `resetOn`: what ends the life
 * of a list: its completion (or another list in its place), nothing, or each update. `delegateFrom` and `largeFrom`: from
 * how many open todos on `no-delegation` holds, and from how many todos `large-list`. `required`: an agent is told once to
 * make a list before it works.
 *
 * @category models
 */
export interface Options {
  readonly enabled: boolean
  readonly agents: ReadonlyArray<string>
  readonly delegates: ReadonlyArray<string>
  readonly limits: Readonly<Record<string, number>>
  readonly resetOn: "completion" | "never" | "each-todowrite"
  readonly delegateFrom: number
  readonly largeFrom: number
  readonly required: boolean
}

export const defaults: Options = {
  enabled: true,
  agents: [],
  delegates: [],
  limits: {},
  resetOn: "completion",
  delegateFrom: 2,
  largeFrom: 7,
  required: false
}
