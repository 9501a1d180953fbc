/** Settings for hand-written cases: those say what the rules find, so each rule goes as far as it ever may, whatever it has earned. */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"

export const config: ReflexionConfig.ReflexionConfig = {
  ...ReflexionConfig.defaults,
  rules: Object.fromEntries(
    Rules.rules.map(({ attended, id, unattended }) => [id, attended === unattended ? attended : "push"] as const)
  )
}
