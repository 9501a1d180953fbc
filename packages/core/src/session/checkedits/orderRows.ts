/** By which words a user allows something to be done to a check. */
import { type Row, row } from "../../ground/text/Rows.ts"

/** What is done to a check that is to be there no more, or not to run. */
export const leaves: ReadonlyArray<Row> = [
  row(
    "skip|delet|remov|drop|disabl|quarantin|xfail|exclud|deselect|ignor|deactivat",
    /\b(?:skip|delet|remov|drop|disabl|quarantin|xfail|exclud|deselect|ignor|deactivat)\w{0,6}\b/i,
    "skip the flaky tests for now",
    "run the tests"
  ),
  row(
    "mute|prune|pruning|muting|rid of|comment",
    /\b(?:mut(?:e|ing)|prun(?:e|ing)|get rid of|comment (?:\w+ ){0,3}out)\b/i,
    "mute the flaky tests",
    "a comment on the tests"
  ),
  row(
    "behind |only run|opt-in|nightly",
    /\bbehind (?:a|an|the) |\bonly run\b|\bopt-in\b|\bnightly\b/i,
    "put the slow tests behind a flag",
    "run the slow tests"
  ),
  row(
    "clean|pending",
    /\bclean (?:\w+ )?up\b|\bmark (?:\w+ ){1,6}pending\b/i,
    "clean up the old tests",
    "a clean test"
  ),
  row(
    "überspring|lösch|entfern|deaktivier|ignorier|auslass|ausschließ|ausklammer|stilllegen",
    /überspring|lösch|entfern|deaktivier|ignorier|auslass|ausschließ|ausklammer|stilllegen/i,
    "überspringe den Test",
    "der Test ist rot",
    "de"
  ),
  row(
    "omit|ignor|salta|elimina|quita|borra|desactiva|exclu",
    /\b(?:omit[aei]\w{0,2}|ignor[ae]\w{0,2}|salta\w{0,2}|elimina\w{0,2}|quita\w{0,2}|borra\w{0,2}|desactiva\w{0,2}|exclu(?:ye|ir)\w{0,2})\b/i,
    "omite el test",
    "el test falla",
    "es"
  ),
  row(
    "ignore|saute|supprime|retire|enlève|enlever|désactive|exclu",
    /\b(?:ignore[rz]?|saute[rz]?|supprime[rz]?|retire[rz]?|désactive[rz]?|exclu[tsre]{0,3})\b|enlève|enlever/i,
    "supprime le test",
    "le test échoue",
    "fr"
  ),
  row(
    "salta|pul|remov|apag|retir|desativ|deslig|exclu",
    /\b(?:salta|pul[ae]r?|remov[ae]\w{0,2}|apag(?:a|ue)r?|retir[ae]r?|desativ[ae]r?|deslig(?:a|ue)r?|exclu(?:i|a|ir))\b/i,
    "remove o teste",
    "o teste falha",
    "pt"
  ),
  row(
    "跳过|删除|删掉|去掉|移除|禁用|忽略|排除",
    /跳过|删除|删掉|去掉|移除|禁用|忽略|排除/,
    "跳过这个测试",
    "运行测试",
    "zh"
  ),
  row(
    "スキップ|削除|消し|外し|無効|無視|除外|除い",
    /スキップ|削除|消し|外し|無効|無視|除外|除い/,
    "テストをスキップして",
    "テストを実行して",
    "ja"
  )
]

/** What is done to a check that is to say something else. */
export const changes: ReadonlyArray<Row> = [
  row(
    "updat|adjust|adapt|chang|rewrit|rewrote|refactor|correct|edit|modif|migrat|port|convert|renam",
    /\b(?:updat|adjust|adapt|chang|rewrit|refactor|correct|edit|modif|migrat|port|convert|renam)\w{0,5}\b/i,
    "update the tests",
    "run the tests"
  ),
  row(
    "regenerat|replac|accept|record|align|bump|revis|loosen|relax|weaken|soften|simplif|merg|mov|split",
    /\b(?:regenerat|replac|accept|re-?record|align|bump|revis|loosen|relax|weaken|soften|simplif|merg|mov|split)\w{0,5}\b/i,
    "regenerate the snapshots",
    "the tests are recorded"
  ),
  row(
    "anpass|aktualisier|änder|umschreib|locker|erneuer|pass",
    /anpass|aktualisier|änder|umschreib|locker|erneuer|passe? .{1,40} an\b/i,
    "die Tests aktualisieren",
    "die Tests laufen lassen",
    "de"
  ),
  row(
    "actualiza|ajusta|cambia|adapta|modifica",
    /\b(?:actualiza|ajusta|cambia|adapta|modifica)\w{0,2}\b/i,
    "actualiza los tests",
    "ejecuta los tests",
    "es"
  ),
  row(
    " à jour|adapte|ajuste|change|modifie",
    /met(?:s|tre|tez) à jour|\b(?:adapte|ajuste|change|modifie)[rz]?\b/i,
    "mets à jour les tests",
    "lance les tests",
    "fr"
  ),
  row(
    "atualiz|ajust|alter|adapt|mud",
    /\b(?:atualiz|ajust|alter|adapt|mud)[ae]\w{0,2}\b/i,
    "atualiza os testes",
    "corre os testes",
    "pt"
  ),
  row("更新|修改|调整|改成|放宽", /更新|修改|调整|改成|放宽/, "更新快照", "运行测试", "zh"),
  row("更新|変更|直し|合わせ|緩め", /更新|変更|合わせ|緩め/, "スナップショットを更新して", "テストを実行して", "ja")
]

export const tests: ReadonlyArray<Row> = [
  row(
    "test|spec|suite|case|assert|expect",
    /\b(?:tests?|specs?|suites?|cases?|assert\w{0,8}|expect(?:ed|ations?))\b/i,
    "skip the tests",
    "skip the build"
  ),
  row(
    "snapshot|golden|fixture|テスト|测试|スナップ|快照|test|prueba|instantáne|instantané|erwart",
    /\b(?:snapshots?|goldens?|fixtures?|testes?|pruebas?|instantáneas?|instantanés?)\b|テスト|测试|スナップ|快照|\bTests?\b|erwart/i,
    "update the snapshots",
    "update the docs"
  )
]

/** A test that was named before. */
export const that = row(
  "it|them|they|those|these|this|one",
  /\b(?:it|them|they|those|these|this|that one|this one)\b/i,
  "just skip it",
  "just skip"
)

export const wrong: ReadonlyArray<Row> = [
  row(
    "wrong|outdated|stale|obsolete|incorrect|out of date|too strict|bogus",
    /\b(?:wrong|outdated|stale|obsolete|incorrect|out of date|too strict|bogus)\b/i,
    "the test is wrong",
    "the test is right"
  )
]

export const mocking = row(
  "mock|stub|fake|spy",
  /\b(?:mock|stub|fake|spy)\w{0,4}\b/i,
  "mock the gateway",
  "call the gateway"
)

/** An order to take something away, which takes its tests along. */
export const removing: ReadonlyArray<Row> = [
  row(
    "remov|delet|drop|deprecat|retir|rip|rid|strip|sunset|replac",
    /^(?:(?:please|also|now|first|just|let's|we|should|must|can|could|you|to|i|want) ){0,4}(?:remov|delet|drop|deprecat|retir|rip|get rid|strip|sunset|replac)\w{0,5} /i,
    "remove the export",
    "the export was removed"
  )
]

export const notOrdered = row(
  "bug|error|fail|warning",
  /\b(?:bugs?|errors?|failures?|failing|warnings?)\b/i,
  "remove the bug",
  "remove the export"
)

/** What is taken apart runs elsewhere. */
export const splits = row(
  "split|separat|divid|distribut|shard",
  /\b(?:split|separat|divid|distribut|shard)\w{0,4}\b/i,
  "split the tests",
  "run the tests"
)

/** Tests that are put in order stand elsewhere afterwards, or in fewer places. */
export const gathers: ReadonlyArray<Row> = [
  row(
    "in one |into one |in a single |into a single |shared example|dedup|duplicat|consolidat|table-driven|parametri",
    /\b(?:in(?:to)? (?:one|a single) (?:place|file|test|table)|shared examples?|dedup\w{0,10}|duplicat\w{0,6}|consolidat\w{0,4}|table-driven|parametri[sz]\w{0,4})\b/i,
    "put it in one place",
    "put it in the cart"
  ),
  row("tidy|clean", /\b(?:tidy|clean)(?:ing)?\b.{0,20}\b(?:tests?|specs?)\b/i, "tidy the test file", "tidy the code")
]

/** What is kept of an output goes along with what was ordered. */
export const included = row(
  "included|including|as well|too",
  /\b(?:included|including|as well|too)\b/i,
  "golden file included",
  "the golden file differs"
)

/** A file or a configuration that is to be another. */
export const edits: ReadonlyArray<Row> = [
  row(
    "rewrit|set up|sort out|configur|point|tun|replac|switch|turn|migrat|updat|chang|adjust|edit|put|add|mov",
    /\b(?:rewrit|set up|sort out|configur|point|tun|replac|switch|turn|migrat|updat|chang|adjust|edit|put|add|mov)\w{0,5}\b/i,
    "rewrite the script",
    "the script fails"
  )
]

/** Failures that are to be borne. */
export const bears: ReadonlyArray<Row> = [
  row(
    "catch|swallow|ignor|log |skip|toler|robust|graceful|resilien|malformed|corrupt|invalid|best-effort|best effort|fall|carry on|even if|optional|default",
    /\b(?:(?:catch|swallow|ignor|skip|tolera|robust|graceful|resilien|corrupt)\w{0,4}|log (?:it|them|and|the)|malformed|invalid|best[- ]effort|fall(?:s|ing)? ?back|carry on|even if|optional|default)\b/i,
    "log it and carry on",
    "mend the importer"
  ),
  row(
    "never|not |shouldn't|doesn't",
    /\b(?:never|must not|must never|should not|shouldn't|doesn't|not) (?:\w+ ){0,2}(?:fail|crash|throw|break|stop|abort|raise)\w{0,3}\b/i,
    "it must never fail the job",
    "it must pass"
  ),
  row(
    "abfang|ignorier|überspring|fehlertolerant|captur|attrap|ignora|忽略|跳过|無視|スキップ",
    /abfang|ignorier|überspring|fehlertolerant|captur|attrap|ignora|忽略|跳过|無視|スキップ/i,
    "Fehler abfangen",
    "Fehler beheben",
    "de"
  )
]

/** A task that leaves what is done as it was. */
export const preserves: ReadonlyArray<Row> = [
  row(
    "refactor|extract|renam|tidy|clean|bump|upgrad|migrat|port|reorgani|restructur|inlin|dedup|simplif|optimi|speed|faster",
    /\b(?:(?:refactor|extract|renam|bump|upgrad|migrat|reorgani[sz]|restructur|inlin|dedup|simplif|optimi[sz])\w{0,10}|tidy|clean ?up|port|speed up|faster)\b/i,
    "refactor the header",
    "add a header"
  ),
  row(
    "same|unchanged|identical|not change|no ",
    /\b(?:stays?|remains?|keep\w{0,3}) (?:\w+ ){0,3}(?:the same|unchanged|identical)\b|\bmust not change\b|\bno (?:functional|behaviou?r\w{0,2}|visible) changes?\b/i,
    "the output must stay the same",
    "the output is new"
  ),
  row(
    "refaktor|umbau|umbenenn|aktualisier|hochzieh|umstell",
    /refaktor|umbau|umbenenn|aktualisier|hochzieh|umstell/i,
    "refaktoriere das Modul",
    "ergänze das Modul",
    "de"
  ),
  row(
    "refactoriz|actualiza|migra|renombra",
    /\b(?:refactoriz|actualiza|migra|renombra)\w{0,4}\b/i,
    "refactoriza el módulo",
    "amplía el módulo",
    "es"
  ),
  row(
    "refactor|mets à jour|migre|renomme|extrai",
    /\brefactor\w{0,6}|mets à jour|\b(?:migre|renomme|extrai)\w{0,3}\b/i,
    "migre le module",
    "ajoute le module",
    "fr"
  ),
  row("重构|升级|迁移|重命名", /重构|升级|迁移|重命名/, "重构这个模块", "添加模块", "zh"),
  row(
    "リファクタ|移行|アップグレード|上げて",
    /リファクタ|移行|アップグレード|上げて/,
    "リファクタして",
    "追加して",
    "ja"
  )
]

/** What is right was different until now. */
export const newRules: ReadonlyArray<Row> = [
  row(
    "from now on|as of|no longer|any more|anymore|new requirement|has changed|have changed|until now|decided|raised to|lowered to|changed to|instead of",
    /\b(?:from now on|as of (?:now|today|v?\d|january|july|next)|no longer (?:need|want|cap|charge|support)|any ?more|new requirement|ha(?:s|ve) changed|until now|decided|(?:raised|lowered|changed) to)\b/i,
    "from now on it is ten cents",
    "it is ten cents"
  ),
  row(
    "ab |künftig|neue",
    /\bab (?:sofort|jetzt|januar|juli)\b|künftig|\bneue[rn]? (?:Regel|Satz)/i,
    "ab sofort sind es zehn Cent",
    "es sind zehn Cent",
    "de"
  ),
  row(
    "désormais|dorénavant|à partir d",
    /désormais|dorénavant|à partir d/i,
    "désormais dix centimes",
    "dix centimes",
    "fr"
  ),
  row(
    "a partir de|de ahora|ahora en adelante|de agora|doravante",
    /\ba partir de|\bde ahora\b|ahora en adelante|de agora em|doravante/i,
    "a partir de hoy son diez",
    "son diez",
    "es"
  ),
  row("从现在|今后|改为", /从现在|今后|改为/, "从现在起是十分", "是十分", "zh"),
  row("今後|これから|今日から|月から", /今後|これから|今日から|月から/, "今後は10円です", "10円です", "ja")
]
