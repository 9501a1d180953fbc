/**
 * What a program is for, as data. Lists are words separated by spaces; keys may name several words, as in `t|test`. A
 * tool of which there is no more to say than its classes is written as these.
 */
export interface Tool {
  /** Its classes; none means `other`. */
  readonly is?: string
  /** What its success proves besides. */
  readonly also?: string
  /** Shown as the runner; defaults to the program and its subcommand when the tool has a class of a gate. */
  readonly runner?: string
  readonly subs?: Table
  /** Options whose value is the next word. */
  readonly values?: string
  /** Options that restrict a run to a part. */
  readonly narrow?: string
  /** Words that are no restriction: `./...`, `tests`. `*` for all of them. */
  readonly whole?: string
  /** Options with which it proves nothing. */
  readonly dry?: string
  /** Its classes when it has no words at all. */
  readonly bare?: string
  /** Options whose values are environments or sessions, which may be of other classes. */
  readonly sessions?: string
  /** It only lists, and proves nothing. */
  readonly lists?: true
  /** Options that replace the classes. */
  readonly flags?: Readonly<Record<string, string>>
  /** Words that are targets: each has the classes given here, or those of its name. */
  readonly targets?: Readonly<Record<string, string>>
  /** What leads from a part of the project to a target in it, as in `:app:test`; elsewhere it belongs to the name. */
  readonly leads?: string
}

export type Table = Readonly<Record<string, Tool | string>>

/** The key of several programs that are alike, from lists of their names. */
export const anyOf = (...lists: ReadonlyArray<string>): string => lists.join(" ").split(" ").join("|")

export type Tools = ReadonlyMap<string, Tool>

export const compile = (...tables: ReadonlyArray<Table>): Tools => {
  const map = new Map<string, Tool>()
  for (const table of tables) {
    for (const [keys, row] of Object.entries(table)) {
      const tool = typeof row === "string" ? { is: row } : row
      for (const key of keys.split("|")) map.set(key, tool)
    }
  }
  return map
}

const compiled = new WeakMap<object, Tools>()

/** The subcommands of a tool, compiled once. */
export const subcommands = (subs: Table): Tools => {
  const known = compiled.get(subs)
  if (known !== undefined) return known
  const made = compile(subs)
  compiled.set(subs, made)
  return made
}

export const has = (list: string | undefined, word: string): boolean =>
  list !== undefined && word !== "" && ` ${list} `.includes(` ${word} `)
