/** What the user is told who has said whether they are there: apart from the other notices, for no stop needs it. */
import type { Attended } from "../../session/config/ReflexionConfig.ts"

/**
 * The answer to the user's word whether they are there. `setting`: what the configuration says, which holds before it.
 *
 * @category rendering
 */
export const answer = (
  isHere: boolean,
  { command = "/reflection", setting }: { readonly command?: string; readonly setting: Attended }
): string => {
  if (setting !== "auto" && setting !== isHere)
    return `reflexion: your configuration says \`"attended": ${setting}\`, and that holds before what is said here.`
  return isHere
    ? `reflexion takes you to be there in this session: the agent may ask. \`${command} away\` says that nobody is.`
    : `reflexion takes nobody to be there in this session: the agent decides what it can instead of asking. \`${command} here\` takes that back.`
}
