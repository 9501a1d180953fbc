import type { RepoSignals } from "../RepoSignals.ts"
import * as Scripts from "./scripts.ts"

export const empty: RepoSignals = {
  scripts: Scripts.empty,
  testCommand: null,
  buildCommand: null,
  lintCommand: null,
  typecheckCommand: null,
  testFolders: [],
  covers: [],
  instructedGates: [],
  defaultBranch: null,
  branch: null
}

export const fromFiles = (files: Readonly<Record<string, string>>): RepoSignals =>
  Object.keys(files).length === 0 ? empty : empty
