/** Text that is safe to show to others. */
import { clean } from "../text/PlainText.ts"
import { redact } from "./Redaction.ts"

/**
 * Removes invisible characters and then secrets. A secret with an invisible character in it would not be recognised.
 */
export const safeText = (text: string): string => redact(clean(text))
