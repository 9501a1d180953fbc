/** All suites of hand-written cases, by name. */
import type { Case } from "./Case.ts"
import { aftermath } from "../cases/Aftermath.ts"
import { delivery } from "../cases/Delivery.ts"
import { failingChecks } from "../cases/FailingChecks.ts"
import { falseClaims } from "../cases/FalseClaims.ts"
import { humansAndTodos } from "../cases/HumansAndTodos.ts"
import { injection } from "../cases/Injection.ts"
import { nothingDone } from "../cases/NothingDone.ts"
import { projects } from "../cases/Projects.ts"
import { restraint } from "../cases/Restraint.ts"
import { staleAndMasked } from "../cases/StaleAndMasked.ts"
import { strict } from "../cases/Strict.ts"
import { stuckAndStates } from "../cases/StuckAndStates.ts"
import { unattended } from "../cases/Unattended.ts"

export const suites: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "failing-checks": failingChecks,
  "stale-and-masked": staleAndMasked,
  "false-claims": falseClaims,
  "nothing-done": nothingDone,
  projects,
  "humans-and-todos": humansAndTodos,
  delivery,
  "stuck-and-states": stuckAndStates,
  strict,
  injection,
  restraint,
  aftermath,
  unattended
}
