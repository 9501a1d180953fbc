/** A package as it is published: `files` are those in `folder`, where `tarball` was unpacked. */
export interface Packed {
  readonly name: string
  readonly manifest: Readonly<Record<string, unknown>>
  readonly tarball: string
  readonly folder: string
  readonly files: ReadonlyArray<string>
}

/** Whether each is what it says and keeps to its budgets; `root` is the path that none of them may name. */
export const checkPacked: (packed: ReadonlyArray<Packed>, root: string) => Promise<void>
