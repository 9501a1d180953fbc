/** How an action ends that is about what was reported: by it a lesson knows which of them are. */
export const orCorrect = "or correct what you wrote."

export const isOfReport = (action: string): boolean => action.endsWith(orCorrect)
