/** Puts a text into a block. The text cannot close the block, because the text's author did not know the nonce. */
export const fenced = (text: string, nonce: string): string => `<${nonce}>\n${text.replaceAll(nonce, "")}\n</${nonce}>`
