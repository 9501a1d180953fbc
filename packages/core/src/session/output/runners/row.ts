/** The vocabulary of the recogniser tables: what one line of a runner's output says. */

export type Kind = "tests" | "build" | "typecheck" | "lint"

export type Outcome = "passed" | "failed" | "none"

/**
 * What a line that matches `on` says. The named groups `passed`, `failed`, `skipped` and `total` are counts; `name`,
 * `file` and `line` describe a failing item.
 */
export interface LineRule {
  readonly on: RegExp
  /** The line alone proves this outcome; a `weak` failure is overruled into doubt by a clean total after it. */
  readonly proves?: Outcome
  readonly weak?: true
  /** The line is a total in words; the number stands before its word ("3 passed") or after ("Failures: 1"). */
  readonly tally?: "before" | "after"
  /** This total includes the earlier totals of the same runner. */
  readonly replaces?: true
  /** The counts say everything only if the line that opens the summary block (a blank one) is visible. */
  readonly afterBlank?: true
  /** What the groups `file` and `line` locate: the item named last, or the ones that follow. */
  readonly locates?: "last" | "next"
  /** Ends the text that belongs to the item named last. */
  readonly closes?: true
  /** Takes back what failed only with another: the item that was named last, or all that have no place. */
  readonly withdraws?: "last" | "unplaced"
  /** The line itself is worth showing to a person. */
  readonly note?: true
}

export interface Recogniser {
  readonly runner: string
  readonly kinds: ReadonlyArray<Kind>
  /** One of these stands in every output that this recogniser could read. */
  readonly needles: ReadonlyArray<string>
  /** With one of these in the output another recogniser reads it better. */
  readonly unless?: ReadonlyArray<string>
  /** One line tells the whole run, so a filter between the runner and us cannot have hidden a failure. */
  readonly whole?: true
  readonly rules: ReadonlyArray<LineRule>
}

/** A recogniser, in the order in which it is read: whose output, of what, known by what, and what its lines say. */
export const reads = (
  runner: string,
  kinds: ReadonlyArray<Kind>,
  needles: ReadonlyArray<string>,
  rules: ReadonlyArray<LineRule>,
  rest?: Pick<Recogniser, "unless" | "whole">
): Recogniser => ({ runner, kinds, needles, rules, ...rest })

export const passed = (on: RegExp): LineRule => ({ on, proves: "passed" })

export const failed = (on: RegExp): LineRule => ({ on, proves: "failed", note: true })

/** One failing item, which says more than its line. */
export const failingItem = (on: RegExp): LineRule => ({ on, proves: "failed" })

export const weak = (on: RegExp): LineRule => ({ on, proves: "failed", weak: true, note: true })

export const none = (on: RegExp): LineRule => ({ on, proves: "none" })

/** A total such as "1 failed, 3 passed". */
export const counted = (on: RegExp): LineRule => ({ on, tally: "before" })

/** A total such as "Tests run: 3, Failures: 1". */
export const labelled = (on: RegExp): LineRule => ({ on, tally: "after" })

/** Counts by named groups, or a failing item that proves nothing by itself. */
export const groups = (on: RegExp): LineRule => ({ on })

export const locatesLast = (on: RegExp): LineRule => ({ on, locates: "last" })

export const locatesNext = (on: RegExp): LineRule => ({ on, locates: "next" })

export const closes = (on: RegExp): LineRule => ({ on, closes: true })
