/** A block that nothing in it can close: nobody who wrote in it knew the nonce. */
export const fenced = (text: string, nonce: string): string => `<${nonce}>\n${text.replaceAll(nonce, "")}\n</${nonce}>`
