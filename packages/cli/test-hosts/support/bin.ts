import { fileURLToPath } from "node:url"

/** The built command line. */
export const bin = fileURLToPath(new URL("../../dist/bin.js", import.meta.url))
