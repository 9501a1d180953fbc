/** How a change is put down: its lines clipped, and without secrets. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { clip } from "../../ground/text/Text.ts"
import type { Delta } from "./model.ts"

const maxShown = 160

export const shown = (text: string): string => clip(redactedHead(text, 400), maxShown)

export const delta = (kind: Delta["kind"], by: number, id: string, rest: Partial<Delta> = {}): Delta => ({
  kind,
  id: redactedHead(id, 2000).slice(0, 160),
  name: null,
  was: "",
  now: "",
  fits: false,
  ...rest,
  by
})
