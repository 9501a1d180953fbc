/** TODO room */

/** `files`: each file's mode and hash by its path, so that two trees can be compared. */
export interface Tree {
  readonly key: string
  readonly files: ReadonlyMap<string, string>
}
