/** What a report says was written or is nowhere else: tests, documentation, other uses. */
import { type DeedRow, deedRow } from "./deedRows.ts"

const elsewhere = /\b(?:here|in (?:this|the) (?:file|module|function|class|method)|private|locally)\b/i

/** What was there before. */
const already = /\b(?:already|existing|previously|before|still|should|could|would)\b/i

export const madeRows: ReadonlyArray<DeedRow> = [
  deedRow(
    "search",
    elsewhere,
    "no other|no further|no remaining|no more|no additional",
    /\bno (?:other|further|remaining|more|additional) (?:uses?|usages?|callers?|references?|call ?sites?|occurrences?|consumers?|imports?|instances?)\b/i,
    "There are no other callers",
    "no other reason"
  ),
  deedRow(
    "search",
    elsewhere,
    "no other|no further|no remaining",
    /\bno (?:other|further|remaining) (?:code|files?|places?|modules?) (?:that )?(?:uses?|references?|imports?|calls?|depends?)\b/i,
    "no other code uses it",
    "no other code"
  ),
  deedRow(
    "search",
    elsewhere,
    "nothing else|anywhere|elsewhere",
    /\bnothing else (?:uses|references|calls|imports|depends)\b|(?:n't|\bnot) (?:used|referenced|called|imported) (?:anywhere|elsewhere)\b/i,
    "nothing else uses it",
    "nothing else to do"
  ),
  deedRow(
    "search",
    elsewhere,
    "only|sole",
    /\b(?:the|its) (?:only|sole) (?:caller|call ?site|consumer|usage)\b/i,
    "it is the only caller",
    "the only reason"
  ),
  deedRow(
    "search",
    null,
    "searched|grepped|scanned|checked",
    /\b(?:searched|grepped|scanned|checked) (?:through )?(?:the )?(?:whole|entire|full|rest of the) (?:codebase|code base|repo(?:sitory)?|project|source)\b/i,
    "I searched the whole codebase",
    "the whole project"
  ),
  deedRow(
    "tests_added",
    null,
    "test|spec",
    /(?:^|\b(?:i|we|i've|also|and) )(?:added|wrote|created)(?: (?!(?:to|over|in|for|of|from|on|by|that|fixed|the)\b)[\w-]{1,20}){0,5} (?:tests|test cases?|specs|\w{1,12} test)\b(?! (?:suite|data|helper))/i,
    "I added six unit tests",
    "added a helper of the tests"
  ),
  deedRow(
    "docs",
    null,
    "updated|extended|adjusted",
    /\b(?:documentation|docs|guide|readme|changelog|\w\.(?:md|rst|adoc))`? (?:(?:is|are|was|were|has been|have been) )?(?:now |also ){0,2}(?:updated|extended|adjusted)\b/i,
    "The documentation has been updated",
    "the documentation is old"
  ),
  deedRow(
    "docs",
    null,
    "readme|changelog|documentation|docs",
    /(?:^|\b(?:i|we|i've|also|and) )(?:updated|documented|added|extended|revised)\b(?:(?! (?:why|instead|that|so|of))[^.;()]){0,50}\b(?:readme|changelog|documentation|docs)\b(?! (?:string|comment|link))/i,
    "I updated the README",
    "the README is old"
  ),
  deedRow(
    "search",
    elsewhere,
    "nothing|nobody|no ",
    /\b(?:nothing|nobody|no one|no (?:other )?code)\b[^.;,]{0,40}\b(?:uses?|calls?|references?|imports?|depends on|needs) (?:it|them|this|that|`)/i,
    "nothing in the project uses it any more",
    "nothing is used"
  ),
  deedRow(
    "search",
    elsewhere,
    "only|sole",
    /\b(?:is|was|are|were) the (?:only|sole) (?:caller|user|use|usage|call ?site|consumer|place|reference|import)s?\b/i,
    "`buf_append` was the only caller in the tree",
    "the only reason"
  ),
  deedRow(
    "search",
    elsewhere,
    "left|remain|anywhere|gone&reference|usage|use|call|mention|occurrence|import",
    /\b(?:no|zero|0) (?:more |other )?(?:references?|usages?|uses|callers?|calls|mentions?|occurrences?|imports?)\b[^.;,]{0,40}\b(?:left|remain(?:s|ing)?|anywhere)\b/i,
    "no references to it are left",
    "no reference"
  ),
  deedRow(
    "search",
    null,
    "sonst|nirgend|otr|nulle part|没有其他|没有任何|他に",
    /\bsonst (?:nirgend\w{1,4}|niemand)\b|\bnirgend(?:s|wo) mehr\b|\bning\p{L}{1,4} otr[oa] (?:lugar|uso|sitio)|\bnulle part ailleurs\b|没有(?:其他|任何)(?:地方|代码|调用|引用)|他に(?:使|呼)/iu,
    "wird sonst nirgends verwendet",
    "sonst ist alles gut"
  ),
  deedRow(
    "tests_added",
    already,
    "more|new|additional|extra|further|regression|dedicated&test|spec",
    /\b(?:has|have|got|gets|with|contains?|includes?|adds|comes with) (?:[\w-]{1,8} ){0,2}(?:more|new|additional|extra|further|dedicated|regression) (?:[\w-]{1,14} ){0,2}(?:tests?|specs?|test cases?)\b/i,
    "`RetryPolicyTest` has two more tests for this",
    "it has more to do"
  ),
  deedRow(
    "tests_added",
    already,
    "test|spec|case",
    /\b(?:tests?|specs|test cases?)\b[^.;,]{0,40} (?:(?:has|have|is|are|was|were) (?:now |also |been ){0,2}(?:added|written|created|in place)|added)\b/i,
    "a regression test has been added",
    "the tests are old"
  ),
  deedRow(
    "tests_added",
    already,
    "test|spec",
    /\b(?:an?|new|regression|two|three) (?:[\w-]{1,12} ){0,2}(?:tests?|specs)\b[^.;,]{0,40} (?:covers?|guards?|pins?|locks?) (?:it|this|that|both|all|against|in|the (?:new|fix|case|edge))\b/i,
    "a regression test guards against it",
    "the tests cover this"
  ),
  deedRow(
    "tests_added",
    already,
    "cover|pinned|guarded|locked|backed&test|spec",
    /\b(?:covered|pinned|guarded|locked in|backed) (?:down )?by (?:[\w-]{1,10} ){0,2}(?:new|added|additional|regression|dedicated|extra) (?:[\w-]{1,14} ){0,2}(?:tests?|specs?)\b/i,
    "It is covered by two new unit tests",
    "covered by tests"
  ),
  deedRow(
    "tests_added",
    null,
    "add|wrote|includ|extend&test|spec",
    /^(?:also )?(?:adds|added|wrote|includes|extends|extended) (?:(?!(?:to|over|in|of|from|by|that)\b)[\w-]{1,20} ){0,5}(?:tests?|specs|test cases?)\b(?! (?:suite|data|helper|script|command|step|job))/i,
    "Adds regression tests for the empty string",
    "Adds a helper of tests"
  ),
  deedRow(
    "tests_added",
    null,
    "new&test|spec",
    /\b(?:\d{1,3}|one|two|three|four|five|six) of (?:the|these|those)(?: [\w-]{1,12})? (?:tests|specs) (?:is|are) new\b|\b(?:\d{1,3}|two|three|four|five|six|a few) new (?:[\w-]{1,12} )?tests\b/i,
    "Two of the unit tests are new",
    "two of the tests are old"
  ),
  deedRow(
    "tests_added",
    null,
    "ergänzt|hinzugefügt|geschrieben|añad|agreg|ajout|adicion|acrescent",
    /(?:tests?|testfall|testfälle)\b[^.;,]{0,40}(?:ergänzt|hinzugefügt|geschrieben)|(?:añadid|agregad|adicion|ajouté|acrescent)\p{L}{0,4}[^.;,]{0,40}(?:tests?|pruebas?|casos?|testes?)\b/iu,
    "Tests für leere Listen ergänzt",
    "die Tests laufen"
  ),
  deedRow(
    "tests_added",
    null,
    "补充|添加|新增|增加|追加",
    /(?:补充|添加|新增|增加)了?[^。；，]{0,20}测试|テスト(?:ケース)?を?追加しました/,
    "新增了 3 个测试",
    "测试很慢"
  ),
  deedRow(
    "docs",
    already,
    "documented",
    /(?:^|\b(?:is|are|i|and|also|now|both|it|option|flag|setting|change|behaviou?r) )documented (?:it |this |them |the \w{1,20} )?(?:in|under|there|with)\b/i,
    "Documented in three places",
    "an undocumented flag"
  ),
  deedRow(
    "docs",
    already,
    "readme|changelog|documentation|docs|.md|.rst|.adoc|guide&now|new",
    /(?:\b(?:readme|changelog|documentation|docs|guide)\b|\.(?:md|rst|adoc)\b)\W{0,3}[^.;,]{0,30}\b(?:(?:mention|describe|list|explain|cover|document|show|name|include)s?|has)\b[^.;,]{0,20}\b(?:now|new)\b/i,
    "`README.md` lists the new format",
    "the README lists all"
  ),
  deedRow(
    "docs",
    already,
    "readme|changelog|documentation|docs|.md|.rst|.adoc|guide&now|also",
    /(?:\b(?:readme|changelog|documentation|docs|guide)\b|\.(?:md|rst|adoc)\b)\W{0,3}(?:now|also) (?:(?:mention|describe|list|explain|cover|document|show|note|name|include|reflect)s?|has)\b/i,
    "The README now has a section on it",
    "the README has one"
  ),
  deedRow(
    "docs",
    already,
    "entry|section|note|paragraph|row|line|table|example",
    /\b(?:an?|the) (?:\w{1,14} )?(?:entry|section|note|paragraph|row|line|table|example)\b[^.;,]{0,24}\b(?:in|to) (?:the )?\W{0,2}(?:readme|changelog|docs?\b|documentation|[\w/-]{1,40}\.(?:md|rst|adoc))/i,
    "with a section in `docs/options.md`",
    "a section of code"
  ),
  deedRow(
    "docs",
    already,
    "entry|section|note|paragraph|row|line|example",
    /\b(?:readme|changelog|docs|documentation|guide|\w\.md)`? (?:has|have|got) an? (?:new )?(?:entry|section|note|paragraph|row|line|example)\b/i,
    "The changelog has an entry for it",
    "the changelog has two"
  ),
  deedRow(
    "docs",
    null,
    "readme|changelog|doku|docu|.md",
    /(?:readme|changelog|doku\p{L}{0,10}|documenta\p{L}{0,6}|\.md)\W{0,4}[^.;]{0,40}(?:aktualisiert|ergänzt|erweitert|angepasst|nachgezogen|actualizad|atualizad|mise? à jour|neue|nuev[oa]|nouve)/iu,
    "README und CHANGELOG sind aktualisiert",
    "die README ist lang"
  ),
  deedRow(
    "docs",
    null,
    "更新|追記",
    /(?:文档|README|说明)[^。；]{0,10}更新|(?:ドキュメント|README)[^。]{0,10}(?:更新|追記)し/i,
    "README 已更新",
    "README 很长"
  ),
  deedRow(
    "docs",
    null,
    "aktualisiert|ergänzt|actualic|actualizado|atualiz|mis à jour|documenté&readme|changelog|doku|docu|.md",
    /(?:aktualisiert|ergänzt|actualicé|actualizado|atualizei|atualizado|mis à jour|documenté)[^.;]{0,40}(?:readme|changelog|doku|documenta|\.md)/i,
    "He actualizado el README",
    "el README actual"
  )
]
