import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { Effect, Option } from "effect"
import * as OpenCodeStorage from "../src/decoder/OpenCodeStorage.ts"
import * as OpenCodeTranscript from "../src/decoder/OpenCodeTranscript.ts"
import { folder } from "./support/folder.ts"
import { agent, bash, info, text, user } from "./support/messages.ts"

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const asked = user("msg_2", 0, [])
const answered = agent("msg_1", 1, [])

const session = {
  "session/p/ses_1.json": json(info()),
  "session/p/ses_2.json": json(info({ id: "ses_2" })),
  "session/p/broken.json": "{",
  "message/ses_1/msg_1.json": json(answered.info),
  "message/ses_1/msg_2.json": json(asked.info)
}

const parts = {
  "part/msg_2/prt_1.json": json(text("fix it", { messageID: "msg_2" })),
  "part/msg_1/prt_2.json": json({ ...bash("prt_2", "make", 1), messageID: "msg_1" }),
  "part/msg_1/prt_3.json": json(text("done", { messageID: "msg_1" })),
  "part/msg_1/notes.txt": "no part"
}

const texts = (file: string) =>
  Effect.map(OpenCodeStorage.read(file), (found) => {
    const [events] = Decoding.fold(OpenCodeTranscript, Option.toArray(found))
    return events.flatMap((one): ReadonlyArray<string> => {
      if (one.type === "tool_call") return [`${one.tool} ${one.exitCode}`]
      return "text" in one ? [one.text] : []
    })
  })

describe("the old storage", () => {
  it.scoped("is read from a session's file, its messages in the order in which they were written", () =>
    Effect.gen(function* () {
      const root = yield* folder({ ...session, ...parts })
      assert.deepStrictEqual(yield* texts(`${root}/session/p/ses_1.json`), ["fix it", "bash 1", "done"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is read where all parts lie in one folder", () =>
    Effect.gen(function* () {
      const beside = Object.entries(parts).map(([name, part]) => [name.replace(/msg_\d\//, ""), part])
      const root = yield* folder({ ...session, ...Object.fromEntries(beside) })
      assert.deepStrictEqual(yield* texts(`${root}/session/p/ses_1.json`), ["fix it", "bash 1", "done"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped.each(["session/p/broken.json", "session/p/ses_2.json", "message/ses_1/msg_1.json"])(
    "is not that of a file like %s",
    (name) =>
      Effect.gen(function* () {
        const root = yield* folder({ ...session, ...parts })
        assert.isTrue(Option.isNone(yield* OpenCodeStorage.read(`${root}/${name}`)))
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is left only for files of its own, whatever a session calls itself", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        "session/p/ses_1.json": json(info({ id: "../elsewhere" })),
        "elsewhere/msg_1.json": json(answered.info)
      })
      assert.isTrue(Option.isNone(yield* OpenCodeStorage.read(`${root}/session/p/ses_1.json`)))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
