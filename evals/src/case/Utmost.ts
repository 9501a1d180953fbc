/** Settings for hand-written cases: those say what the rules find, so each rule goes as far as it ever may, whatever it has earned. */
import * as RuleBook from "@reflexion/core/internal/judge/rules/RuleBook"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"

export const config: ReflexionConfig.ReflexionConfig = {
  ...ReflexionConfig.defaults,
  rules: Object.fromEntries(RuleBook.rules.map(({ id, most }) => [id, most ?? "push"] as const))
}
