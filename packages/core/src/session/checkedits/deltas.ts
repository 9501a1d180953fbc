/** How a change is put down: its lines clipped, and without secrets. */
import { redact } from "../../ground/redaction/Redaction.ts"
import { clip } from "../../ground/text/Text.ts"
import type { Delta } from "./model.ts"

const maxShown = 160

export const shown = (text: string): string => clip(redact(text.slice(0, 400)), maxShown)

export const delta = (kind: Delta["kind"], by: number, id: string, rest: Partial<Delta> = {}): Delta => ({
  kind,
  id: id.slice(0, 160),
  name: null,
  was: "",
  now: "",
  fits: false,
  ...rest,
  by
})
