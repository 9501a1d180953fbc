import type { Facts } from "./model.ts"

/** Whether the final text says of anything that it failed. */
export const tellsOfFailure = ({ stop }: Pick<Facts, "stop">): boolean =>
  /\b(?:fail(?:s|ed|ing|ures?)?|crash(?:es|ed)?|red|errors?|broken|not pass|reject(?:s|ed)|refuse[sd]?|denied|protected)\b|[❌✗✘]/i.test(
    stop.text.slice(-3000)
  )
