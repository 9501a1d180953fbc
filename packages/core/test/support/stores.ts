/** The backends of the store, each as a test uses it. */
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"

const folderIn = (parent: string) =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(parent, "reflexion-store-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

export const folder = folderIn(tmpdir())

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** In memory where the system has such a place: what a store says needs no disk, and a busy one takes 10 ms for a sync. */
export const light = folderIn(isWritable("/dev/shm") ? "/dev/shm" : tmpdir())

type Opened = Effect.Effect<Context.Tag.Service<ReflexionStore>, ReflectionError, Scope.Scope>

const built = <E>(layer: Layer.Layer<ReflexionStore, E>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ReflexionStore))

export const live = (path: string): Opened => built(Layer.provide(ReflexionStore.Live({ path }), NodeContext.layer))
