/** That nothing else uses something, held against the searches of the turn. */
import { deed, type Edit, type Search } from "../evidence/Evidence.ts"
import { clip } from "../../ground/text/Text.ts"
import type { Claim, Held, Standing } from "./model.ts"
import { isNamed, mayHave, type Seen } from "./seen.ts"

const as = (claim: Claim, standing: Standing, fact = "", call: string | null = null): Held => ({
  claim,
  standing,
  fact,
  calls: call === null ? [] : [call],
  failing: false
})

/** Nothing at all is left, not even what was found. */
const ofAll =
  /\b(?:nothing|nobody|no (?:\w{1,10} )?(?:us(?:es?|ages?)|references?|call(?:er)?s|mentions?|occurrences?|imports?|code)|none|all|every|any ?more|no longer|anywhere|nirgends|nulle part)\b|没有/i

const inWhole =
  /\b(?:whole|entire|full|complete|(?:all|rest) of the|(?:in|across|throughout|over) (?:the|this)) (?:code ?base|repo|repository|project|tree|monorepo|workspace)\b|\banywhere\b|\bim ganzen projekt\b/i

/** These name what is gone, or are made of what is searched. */
const aside =
  /change(?:log|s)|history|news|\.(?:md|mdx|rst|adoc|txt|lock|log|snap|map|min\.js|svg|csv)$|(?:^|\/)(?:node_modules|dist|build|target|vendor|coverage|migrations?|docs?|\.git)\//i

const isEdited = (path: string, edits: ReadonlyArray<Edit>, after: number): boolean =>
  edits.some(
    (edit) =>
      edit.order > after &&
      (edit.path === "*" || edit.path === path || edit.path.endsWith(`/${path}`) || path.endsWith(`/${edit.path}`))
  )

/** The files of a search that were not touched since, and that the claim does not tell of. */
const left = ({ hits, order }: Search, claim: Claim, { evidence }: Seen): ReadonlyArray<string> =>
  hits.filter((path) => !aside.test(path) && !isEdited(path, evidence.edits, order) && !isNamed(path, claim.text))

/** The search was for what the claim or the order names. */
const isOf = ({ name }: Search, claim: Claim, { task }: Seen): boolean =>
  name.length > 3 && (claim.text.includes(name) || task.message.slice(0, 4000).includes(name))

const quoted = ({ command }: Search): string => `\`${clip(command, 80)}\``

export const heldSearch = (claim: Claim, seen: Seen): Held => {
  const found = deed(seen.evidence, "search")
  if (found === undefined)
    return mayHave(seen, 0) ? as(claim, "not_checkable") : as(claim, "unfounded", "no search is on record")
  const own = seen.evidence.searches.filter((search) => isOf(search, claim, seen))
  const wide = own.findLast(({ narrow }) => !narrow)
  if (wide !== undefined && ofAll.test(claim.text) && !mayHave(seen, wide.order + 1)) {
    const files = left(wide, claim, seen)
    if (files.length > 0)
      return as(
        claim,
        "contradicted",
        `${quoted(wide)} showed it in ${clip(files[0] ?? "", 120)}, which was not changed since`,
        wide.callId
      )
  }
  const last = own.at(-1) ?? seen.evidence.searches.at(-1)
  if (last !== undefined && inWhole.test(claim.text) && seen.evidence.searches.every(({ inFolder }) => inFolder))
    return mayHave(seen, 0)
      ? as(claim, "not_checkable")
      : as(claim, "contradicted", `the search was only of a part: ${quoted(last)}`, last.callId)
  return as(claim, "borne_out", "", found.callId)
}
