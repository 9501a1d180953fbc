/** What the reflection cycle found in many runs: a line of `.reflection/findings.jsonl`. */

export { ReflectionFinding, Rule, sessionId, Severity, SubjectType } from "./model.ts"
