/** Every rule has its highest possible level, so a rule's finding shows in the nudge. */
import { rules } from "../../src/judge/rules/Rules.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"

export const utmost: ReflexionConfig.ReflexionConfig = {
  ...ReflexionConfig.defaults,
  continueAfterLimit: true,
  rules: Object.fromEntries(
    rules.map(
      ({ attended, id, unattended }) => [id, attended === "tell" && unattended === "tell" ? "tell" : "nudge"] as const
    )
  )
}

export const utmostContext: Judgment.JudgmentContext = { ...Judgment.defaultContext, config: utmost }
