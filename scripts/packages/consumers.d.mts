import type { Packed } from "./packed.mjs"

/** The range of each peer stands where users look for it. */
export const checkDocumented: (packed: ReadonlyArray<Packed>) => Promise<void>

/** Of what the compiler says of a consumer's project, the errors that are ours. */
export const errorsIn: (said: string) => ReadonlyArray<string>

/** Runs the compiled programs of a project; `root` has the recordings that they read. */
export const runPrograms: (given: { readonly consumer: string; readonly root: string }) => Promise<void>
