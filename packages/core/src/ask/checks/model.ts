/** The files of a project that are looked at to know whether a check would say anything new. */

/** `files`: each file's mode and hash by its path, so that two trees can be compared. */
export interface Tree {
  readonly key: string
  readonly files: ReadonlyMap<string, string>
}
