/** All suites of hand-written cases, by name. */
import type { Case } from "./Case.ts"
import { aftermath } from "../cases/Aftermath.ts"
import { claims } from "../cases/Claims.ts"
import { claimsAgainstRecord } from "../cases/ClaimsAgainstRecord.ts"
import { delivery } from "../cases/Delivery.ts"
import { endings } from "../cases/Endings.ts"
import { failingChecks } from "../cases/FailingChecks.ts"
import { falseClaims } from "../cases/FalseClaims.ts"
import { humansAndTodos } from "../cases/HumansAndTodos.ts"
import { injection } from "../cases/Injection.ts"
import { languages } from "../cases/Languages.ts"
import { moreWordings } from "../cases/MoreWordings.ts"
import { nothingDone } from "../cases/NothingDone.ts"
import { projects } from "../cases/Projects.ts"
import { questions } from "../cases/Questions.ts"
import { restraint } from "../cases/Restraint.ts"
import { staleAndMasked } from "../cases/StaleAndMasked.ts"
import { strict } from "../cases/Strict.ts"
import { stuckAndStates } from "../cases/StuckAndStates.ts"
import { tampering } from "../cases/Tampering.ts"
import { tamperingBeside } from "../cases/TamperingBeside.ts"
import { unattended } from "../cases/Unattended.ts"
import { unseen } from "../cases/Unseen.ts"
import { waiting } from "../cases/Waiting.ts"
import { wordings } from "../cases/Wordings.ts"
import { wrongTask } from "../cases/WrongTask.ts"

export const suites: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "failing-checks": failingChecks,
  "stale-and-masked": staleAndMasked,
  "false-claims": falseClaims,
  claims: [...claims, ...claimsAgainstRecord],
  "nothing-done": nothingDone,
  questions,
  projects,
  "humans-and-todos": humansAndTodos,
  delivery,
  "stuck-and-states": stuckAndStates,
  strict,
  injection,
  languages,
  restraint,
  aftermath,
  wordings,
  waiting,
  "more-wordings": moreWordings,
  endings,
  "wrong-task": wrongTask,
  unseen,
  unattended,
  tampering,
  tamperingBeside
}
