import type { Metafile, Plugin } from "esbuild"

export interface Bundle {
  readonly metafile: Metafile
  /** The bundle's text, if no `outfile` was given. */
  readonly text: string | undefined
}

/** Either `entry`, an absolute path, or `stdin` is given. */
export const bundle: (options: {
  readonly entry?: string
  readonly stdin?: { readonly contents: string; readonly resolveDir: string }
  readonly outfile?: string
  readonly format?: "esm" | "cjs"
  readonly minify?: boolean
  readonly external?: ReadonlyArray<string>
  readonly plugins?: ReadonlyArray<Plugin>
}) => Promise<Bundle>
