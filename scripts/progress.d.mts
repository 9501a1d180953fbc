interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

export const progress: (
  stream: Terminal,
  prefix: string,
  now?: () => number
) => { readonly say: (text: string) => void; readonly end: () => void }

export const stepIn: (line: string) => string | null

export const isAccount: (line: string) => boolean
