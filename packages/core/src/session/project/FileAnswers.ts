/** A file system that answers at once. */
import * as Context from "effect/Context"
import type { FileAnswer, FileRequest } from "./model.ts"

/**
 * Null where there is none. A process with a large heap pays for each wait: reading a working copy in some forty of them
 * took a review in OpenCode twice as long as reading it at once.
 */
export class FileAnswers extends Context.Reference<FileAnswers>()("@reflexion/core/FileAnswers", {
  defaultValue: (): ((request: FileRequest) => FileAnswer) | null => null
}) {}
