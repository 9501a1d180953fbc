/** The options of `reflexion score` and its arguments as they were given. */
import * as SessionCommand from "../session/SessionCommand.ts"

export const options = { ...SessionCommand.whole("score"), model: SessionCommand.model }

/**
 * The command's arguments as they were given; null where an option was not.
 *
 * @category models
 */
export type Given = SessionCommand.Given<keyof typeof options>
