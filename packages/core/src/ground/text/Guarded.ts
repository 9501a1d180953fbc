/** Plain patterns in the form that a few folders still ask for. */
export interface Guarded {
  readonly pattern: () => RegExp
  readonly admits: (text: string) => boolean
  readonly test: (text: string) => boolean
  readonly exec: (text: string) => RegExpExecArray | null
  readonly replace: (text: string, by: string) => string
}

export const guarded = (_words: string, make: () => RegExp): Guarded => {
  const pattern = make()
  return {
    pattern: () => pattern,
    admits: () => true,
    test: (text) => pattern.test(text),
    exec: (text) => pattern.exec(text),
    replace: (text, by) => text.replace(pattern, by)
  }
}
