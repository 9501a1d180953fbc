import { createHash } from "node:crypto"

/** Returns a hash of a text as a UUID. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32)
