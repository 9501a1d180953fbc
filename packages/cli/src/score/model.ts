/** TODO room */
import * as SessionCommand from "../session/SessionCommand.ts"

export const options = { ...SessionCommand.whole("score"), model: SessionCommand.model }

/**
 * The command's arguments as they were given; null where an option was not.
 *
 * @since 0.1.0
 * @category models
 */
export type Given = SessionCommand.Given<keyof typeof options>
