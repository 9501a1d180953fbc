import type { Metafile } from "esbuild"

export interface BundleOptions {
  /** An absolute path. */
  readonly entry: string
  readonly outfile?: string
  readonly format?: "esm" | "cjs"
  readonly minify?: boolean
}

export interface Bundle {
  readonly metafile: Metafile
  /** The bundle itself, where no `outfile` was given. */
  readonly text: string | undefined
}

export const root: string

export const bundle: (options: BundleOptions) => Promise<Bundle>

export const licences: (metafile: Metafile) => string
