/** The plugin that OpenCode and Kilo load, as one file. */
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import { FileAnswers } from "@reflexion/core/internal/session/project/Load"
import * as Program from "@reflexion/opencode/internal/decoder/Program"
import * as Plugin from "@reflexion/opencode/Plugin"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import * as LearnedFile from "../memory/LearnedFile.ts"
import * as LessonTrust from "../memory/LessonTrust.ts"
import * as MemoryPlace from "../memory/MemoryPlace.ts"
import * as Outcomes from "../memory/Outcomes.ts"
import * as OpenCodeSettings from "../config/OpenCodeSettings.ts"
import * as OwnModels from "../config/OwnModels.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as RepoDisk from "../places/RepoDisk.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as ToolCall from "../events/ToolCall.ts"
import * as TakenFile from "../config/TakenFile.ts"
import * as Trust from "../config/Trust.ts"
import * as UserDirectories from "../places/UserDirectories.ts"
import * as WrongNudge from "../events/WrongNudge.ts"

declare const REFLEXION_BUILD: string

const directories = UserDirectories.make(process.env)

const program = Program.running(process.env, process.pid)

const host = program.name

const server = Plugin.server({
  program,
  state: directories.state,
  argv: process.argv,
  rootOf: ProjectRoot.of,
  settings: (root, options) =>
    OpenCodeSettings.load({ directories, env: process.env, root, options, build: REFLEXION_BUILD }),
  allowed: (root) =>
    Effect.try(() => {
      const taken = TakenFile.read(directories, root)
      return taken === null ? null : TakenChecks.parse(taken.text, root)
    }).pipe(Effect.orElseSucceed(() => null)),
  guidance: (directory) => Trust.Workspace.at(directories, Trust.rootOf(directory)).guidance,
  // The code for asking models is loaded only when a model is asked.
  programs: (config, cwd) =>
    Effect.flatMap(
      Effect.promise(() => import("../models/ConfiguredModels.ts")),
      ({ ofHosts }) => ofHosts(config, { cwd, env: process.env })
    ),
  ownSmall: () => OpenCodeSettings.smallModels(process.env, program),
  consent: {
    agreed: () => OwnModels.agreed(directories, host),
    mayOffer: () => OwnModels.mayOffer(directories, host)
  },
  memory: {
    keep: (given) => Effect.sync(() => Outcomes.add(given)),
    look: (asked) => Effect.sync(() => Outcomes.look(asked)),
    own: (reflections) => LessonTrust.own(directories, reflections),
    known: (root, reflections) => LessonTrust.known(directories, root, reflections),
    at: (project) => {
      const place = MemoryPlace.of(project)
      const { file, root } = place
      return {
        root,
        recent: () => LearnedFile.read(place),
        append: (rows) => LearnedFile.append(place, rows),
        forget: (before) => LearnedFile.forget(place, before),
        // If git tracks the file, anyone who can push can change it. Then the user must first trust its lessons.
        isHeldBack: Effect.suspend(() =>
          LessonTrust.isTrusted(directories, root)
            ? Effect.succeed(false)
            : MemoryTrust.isTracked({ directory: root, file })
        )
      }
    },
    exists: MemoryPlace.exists,
    isWorkspace: (root) => ProjectRoot.isWorkspace(root, process.env)
  },
  todos: (sessionId, change) =>
    ToolCall.attempt({ directories, host, sessionId }, 0, (saved) => {
      const [guardrails, value] = change(saved.guardrails)
      return [guardrails === saved.guardrails ? saved : { ...saved, guardrails }, value]
    }),
  mark: (sessionId, root) =>
    WrongNudge.mark({
      directories,
      host,
      sessionId,
      root,
      event: "command.execute.before",
      now: Date.now()
    }),
  platform: NodeCommandExecutor.layer.pipe(
    Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
    Layer.merge(Layer.succeed(FileAnswers, RepoDisk.answer)),
    Layer.merge(
      Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("../models/ConfiguredModels.ts")),
          ({ earned }) => earned(directories)
        )
      )
    )
  ),
  tidy: () => {
    for (const kind of ["sessions", "guidance"]) SessionFile.prune(Path.join(directories.state, kind, host), Date.now())
  }
})

export default { id: "reflexion", server }
