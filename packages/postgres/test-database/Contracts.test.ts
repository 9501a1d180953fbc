/** The store and both logs do in PostgreSQL what they do in files and in memory. */
import * as Findings from "../../core/test/support/findingContract.ts"
import * as Lessons from "../../core/test/support/lessonContract.ts"
import * as Outcomes from "../../core/test/support/outcomeContract.ts"
import { FindingLogPostgres, OutcomeLogPostgres, ReflexionStorePostgres } from "@reflexion/postgres"
import { inDatabase } from "./support/places.ts"

Findings.contract("Postgres", inDatabase(FindingLogPostgres.layer))
Outcomes.contract("Postgres", inDatabase(OutcomeLogPostgres.layer))
Lessons.contract("Postgres", inDatabase(ReflexionStorePostgres.layer))
