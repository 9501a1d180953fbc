/** A secret's place in a text, `end` exclusive. */
export interface Span {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** What a rule for secrets of one kind says. */
export interface SecretRule {
  readonly kind: string
  /** One of these stands in every text with such a secret; none where no fixed word does. */
  readonly needles: ReadonlyArray<string>
  /** Whether a needle is found only where a word begins. */
  readonly begins?: true
  /** Group 1, where there is one, is what stays before the secret; group 2 is then the secret. */
  readonly on: RegExp
  /** The characters that go on belonging to the secret past the bound of `on`. */
  readonly more?: RegExp
  /** Values that are none. What is not said is masked, as by stars. */
  readonly isNone?: (value: string) => boolean
}
