/** Holds the exit status that a command sets. */
import * as Context from "effect/Context"
import type * as Ref from "effect/Ref"
import type { ExitCode } from "./ExitCode.ts"

export class ExitStatus extends Context.Tag("@reflexion/cli/ExitStatus")<ExitStatus, Ref.Ref<ExitCode>>() {}
