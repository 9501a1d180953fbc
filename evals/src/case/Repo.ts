/** The working copy of a case, as the judge sees one. */
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { Repo } from "./Case.ts"

export const repoSignals = (repo: Repo): RepoSignals.RepoSignals => {
  const signals = RepoSignals.fromFiles(repo.files ?? {})
  return {
    ...signals,
    branch: repo.branch ?? signals.branch,
    defaultBranch: repo.defaultBranch ?? signals.defaultBranch
  }
}
