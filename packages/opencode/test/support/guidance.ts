import { Effect, Layer } from "effect"
import * as FS from "node:fs"
import * as OS from "node:os"
import * as Path from "node:path"
import { Guidance } from "../../src/host/Guidance.ts"

/** In a folder of its own. */
export const guidance = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => FS.mkdtempSync(Path.join(OS.tmpdir(), "reflexion-guidance-"))),
      (directory) => Effect.sync(() => FS.rmSync(directory, { recursive: true, force: true }))
    ),
    (directory) => Guidance.Live({ directory })
  )
)
