import { FastCheck as fc } from "effect"

/** Unseen characters that join their neighbours and are needed there. */
const joined =
  /(?<=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{Mn}])[\u200c\u200d](?=[\p{L}\p{Mn}\p{N}\p{P}\p{S}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\ufe0f\u200d?|\u200d)|(?<=[\d#*])\ufe0f(?=\u20e3)/u

/** Characters that are not seen, other than a line break, unless a script needs them there. */
export const unseen = new RegExp(
  `(?!\\n|${joined.source})(?<!\\ufe0f(?=\\u200d))[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  "u"
)

export const hidden = fc.constantFrom(
  ..."\0\u0007\b\t\r\u001b\u007f\u0085\u009b\u009d\u00ad\u061c\u200b\u200f\u2028\u202e\u2066\u2069\ufeff\u200c\u200d\u115f\u3164\uffa0\u034f\ufe0f\u180b",
  "\u{e0041}",
  "\u{e0100}",
  "क",
  "ب",
  "👩",
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b]8;;http://x\u001b\\"
)

export const hostile = fc
  .array(fc.oneof(hidden, fc.fullUnicodeString({ maxLength: 20 }), fc.lorem({ maxCount: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(""))
