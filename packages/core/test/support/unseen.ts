import { FastCheck as fc } from "effect"

/** Controls and what turns the text's direction or has no width; the joiners that scripts and emoji need stay. */
export const unseen = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u

export const hidden = fc.constantFrom(
  ..."\0\u0007\b\t\r\u001b\u007f\u0085\u009b\u009d\u00ad\u061c\u200b\u200f\u2028\u202e\u2066\u2069\ufeff",
  "\u{e0041}",
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b]8;;http://x\u001b\\"
)

/** Texts with unseen characters in and around words. */
export const hostile = fc
  .array(fc.oneof(hidden, fc.fullUnicodeString({ maxLength: 20 }), fc.lorem({ maxCount: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(""))
