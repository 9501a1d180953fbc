/** The blocks of `ts` in a text, each with its first line, from 1. */
export const blocksOf: (text: string) => ReadonlyArray<{
  readonly line: number
  /** With what is declared for it, on the lines that both have in the text. */
  readonly code: string
  /** The program that contains the code. */
  readonly from?: string
}>

/** Whether a program has a block of code, however far each line is indented. */
export const isPartOf: (code: string, source: string) => boolean
