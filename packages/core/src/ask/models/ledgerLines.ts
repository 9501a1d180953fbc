/**
 * The lines of a day's ledger: `120` was spent; `+id 120 until` is held until then, in ms since the epoch, and `-id` no
 * longer. Whatever else a line has is no line of ours. Pure.
 */

export interface Hold {
  readonly id: string
  readonly tokens: number
  readonly until: number
}

export const whole = (tokens: number): number => Math.max(0, Math.ceil(tokens))

export const count = (tokens: number): string => `${whole(tokens)}\n`

export const hold = ({ id, tokens, until }: Hold): string => `+${id} ${whole(tokens)} ${until}\n`

export const release = (id: string): string => `-${id}\n`

export const spent = (text: string): number =>
  text.split("\n").reduce((total, line) => (/^\d{1,12}$/u.test(line) ? total + Number(line) : total), 0)

const holdIn = (line: string): Hold | null => {
  const [, id, tokens, until] = /^\+([0-9a-z]{1,40}) (\d{1,12}) (\d{1,16})$/u.exec(line) ?? []
  return id === undefined ? null : { id, tokens: Number(tokens), until: Number(until) }
}

/** What comes before a hold: all that was spent, and what is held still by those who wrote before it. */
export const before = (text: string, { id, now }: { readonly id: string; readonly now: number }): number => {
  const lines = text.split("\n")
  const released = new Set(lines.flatMap((line) => (line.startsWith("-") ? [line.slice(1)] : [])))
  let held = 0
  for (const line of lines) {
    const found = holdIn(line)
    if (found?.id === id) break
    if (found !== null && found.until > now && !released.has(found.id)) held += found.tokens
  }
  return spent(text) + held
}
