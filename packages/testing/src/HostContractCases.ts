/**
 * The host contract: all its cases that a host can show.
 *
 * @since 0.1.0
 */
import type { Case, Host } from "./HostContract.ts"
import * as HostContractTurns from "./HostContractTurns.ts"

const all: ReadonlyArray<Case> = [...HostContractTurns.cases]

/**
 * The cases of a host, each ready to be run.
 *
 * @since 0.1.0
 * @category cases
 */
export const casesOf = (host: Host) =>
  all
    .filter(({ needs = [] }) => needs.every((need) => host.can.includes(need)))
    .map(({ name, run }) => ({ name, run: run(host) }))
