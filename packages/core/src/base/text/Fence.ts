/** Puts a text into a block that it cannot close, because its author did not know the nonce. */
export const fenced = (text: string, nonce: string): string => `<${nonce}>\n${text.replaceAll(nonce, "")}\n</${nonce}>`
