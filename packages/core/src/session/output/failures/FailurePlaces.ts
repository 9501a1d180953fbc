/** Where something was thrown, as stack traces name it. */

export interface Thrown {
  /** Empty where the runner names none. */
  readonly type: string
  readonly message: string
  readonly file: string | null
  readonly line: number | null
}

export interface Place {
  readonly file: string
  readonly line: number
}

/** With the number of the line that tells of it, from 0. */
export interface Found extends Thrown {
  readonly at: number
}

/** As many lines as a trace is followed. */
export const maxTrace = 60

/** What is somebody else's code. */
const foreign =
  /(?:^node:|^internal\/|node_modules|site-packages|dist-packages|\/lib\/python\d|^<|\/rustc\/|\/\.cargo\/|\/go\/pkg\/mod\/|\/usr\/(?:local\/)?(?:lib|go)\/)/

export const isOwn = ({ file }: Place): boolean => !foreign.test(file)

/** The groups `file` and `at` say where. */
export const placesIn = (lines: ReadonlyArray<string>, frame: RegExp): ReadonlyArray<Place> =>
  lines.flatMap((line) => {
    const { at, file } = frame.exec(line)?.groups ?? {}
    return file === undefined || at === undefined ? [] : [{ file: file.replace(/^file:\/\//, ""), line: Number(at) }]
  })

export const thrownAt = (type: string, message: string, place: Place | null | undefined): Thrown => ({
  type,
  message,
  file: place?.file ?? null,
  line: place?.line ?? null
})

const because = /^\s{0,12}(?:\[cause\]|Caused by): (?<cause>.{1,300}?)(?: \{)?$/

/** What it says was the cause of it, as Node and Java print it below the trace. */
export const withCause = (message: string, trace: ReadonlyArray<string>): string => {
  const causes = trace.flatMap((line) => because.exec(line)?.groups?.["cause"] ?? [])
  const last = causes.at(-1)
  return last === undefined ? message : `${message} (caused by ${last})`
}
