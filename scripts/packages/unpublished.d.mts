/** The packages that npm does not have in the version that they have below a root, as the line of an output of a GitHub step. */
export const unpublished: (
  root: string,
  isPublished?: (name: string, version: string) => Promise<boolean>
) => Promise<string>
