/** A project's memory for a host that lives on, over Node's disk: loaded when the first thing is learned. */
import type { ReflectionError } from "@reflexion/core/internal/learn/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as NodeLogDisk from "@reflexion/node/NodeLogDisk"
import * as Layer from "effect/Layer"

/**
 * The memory that lies at a path.
 *
 * @category layers
 */
export const store = (path: string): Layer.Layer<ReflexionStore, ReflectionError> =>
  Layer.provide(ReflexionStore.Live({ path }), NodeLogDisk.layer)
