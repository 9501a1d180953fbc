/** Text that is safe to show to others. */
import { clean } from "../text/PlainText.ts"
import { redact } from "./Redaction.ts"

/** Removes invisible characters first: a secret that contains one would not be recognised. */
export const safeText = (text: string): string => redact(clean(text))
