import { paragraphs, plain, proseLines, sentences, tail } from "./Text.ts"

/** The prose of a final text, ready for reading: its paragraphs, and its sentences in order. */
export interface Prose {
  readonly paragraphs: ReadonlyArray<ReadonlyArray<string>>
  /** The sentences of each paragraph. */
  readonly said: ReadonlyArray<ReadonlyArray<string>>
  readonly closing: ReadonlyArray<string>
  readonly last: string
  readonly endsInCode: boolean
}

/** Reads the last 6,000 characters of a text. */
export const readProse = (text: string): Prose => {
  const end = tail(text, 6000)
  const lines = proseLines(end).filter((line) => !line.trimStart().startsWith(">"))
  const all = paragraphs(lines.filter((line) => !/^\s{0,8}(?:[-=*_─━]\s?){3,}$/.test(line.slice(0, 200))))
  const said = all.map((paragraph) => paragraph.flatMap((line) => sentences(plain(line))))
  const spoken = said.slice(-6).flat()
  return {
    paragraphs: all,
    said,
    closing: spoken,
    last: spoken[spoken.length - 1] ?? "",
    endsInCode: /(?:```|~~~)\s{0,20}$/.test(end.slice(-40))
  }
}

const english = new Set(
  "the is are and to of in it this that you for with not have was i all done test tests now no yes fixed added updated".split(
    " "
  )
)
const foreign = new Set(
  (
    "der die das und ist nicht ich wurde alle soll que los las una est les des pas une dans sont para está não uma het een niet sono " +
    "della che och att är nie jest się jak mit für eine auf auch noch wird el con por del pero le et avec pour sur foi com il la de " +
    "antes bitte"
  ).split(" ")
)

/** Whether the text can be read as English; a text too short to tell is. */
export const isEnglish = (text: string): boolean => {
  const sample = tail(text, 2000)
  const nonLatin = sample.match(/[\u0370-\u1fff\u3040-\ud7ff]/g)?.length ?? 0
  if (nonLatin > 3 && nonLatin * 4 > sample.replaceAll(/\s/g, "").length) return false
  const words = sample.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const ours = words.filter((word) => english.has(word)).length
  const accented = sample.match(/[\u00bf\u00a1\u00df-\u00f6\u00f8-\u017f]/g)?.length ?? 0
  const theirs = words.filter((word) => foreign.has(word)).length + Math.min(3, accented)
  return theirs < 2 || ours >= theirs * 2 || (theirs < 3 && ours >= theirs)
}
