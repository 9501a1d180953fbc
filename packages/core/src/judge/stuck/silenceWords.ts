/** How the reason of a verdict begins that a silence alone has led to. */
export const noWord = "no word of the agent for"
