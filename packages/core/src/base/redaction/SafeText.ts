/** Text as others may see it. */
import { clean } from "../text/PlainText.ts"
import { redact } from "./Redaction.ts"

/** Without what is not seen, and then without secrets: one with an unseen character in it is not known as one. */
export const safeText = (text: string): string => redact(clean(text))
