/** A project's memory for a host that lives on: loaded when the first thing is learned. */
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { ReflectionError } from "@reflexion/core/internal/memory/lessons/ReflectionError"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Layer from "effect/Layer"

/**
 * The memory that lies at a path.
 *
 * @category layers
 */
export const store = (path: string): Layer.Layer<ReflexionStore, ReflectionError> =>
  ReflexionStore.Live({ path }).pipe(
    Layer.provide(Layer.merge(NodeCommandExecutor.layer, NodePath.layer)),
    Layer.provide(NodeFileSystem.layer)
  )
