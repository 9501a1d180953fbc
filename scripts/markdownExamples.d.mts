/** A page's blocks of TypeScript, each with the line on which its fence is, from 1. */
export const blocksOf: (text: string) => ReadonlyArray<{
  readonly line: number
  /** With what is declared for it, on the lines that both have in the page. */
  readonly code?: string
  /** The program of which the code is a part. */
  readonly from?: string
  /** Why it can be neither type-checked nor found in a program. */
  readonly problem?: string
}>

/** Whether a program has a block of code, however far each of its lines is indented. */
export const isPartOf: (code: string, source: string) => boolean
