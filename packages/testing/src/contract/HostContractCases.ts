/** Selects the cases of the host contract for a host. */
import type { Case, Host } from "./HostContract.ts"
import * as Beyond from "./beyond.ts"
import * as Faults from "./faults.ts"
import * as Interruptions from "./interruptions.ts"
import * as Sessions from "./sessions.ts"
import * as Turns from "./turns.ts"
import * as User from "./user.ts"
import * as Process from "node:process"

const all: ReadonlyArray<Case> = [Turns, Interruptions, Faults, Sessions, User, Beyond].flatMap(({ cases }) => cases)

export const isNight = Process.env["REFLEXION_TESTS"] === "night"

export const casesOf = (host: Host) =>
  all
    .filter(({ byDay = [host.name] }) => isNight || byDay.includes(host.name))
    .filter(({ needs = [] }) => needs.every((need) => host.can.includes(need)))
    .map(({ name, run }) => ({ name, run: run(host) }))
