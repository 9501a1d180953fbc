/** Whether words say that there is nothing to do, in the languages that models answer in most. */

/** A word of which each is one, by its beginning. */
const word = (stems: string): RegExp => new RegExp(`^(?:${stems})$`, "iu")

const no = word(
  "no|not|none|nothing|nil|null|nicht|nichts|keine?[nrs]?|aucune?s?|rien|ne|pas|sans|ning[uú]n[oa]?s?|nada|sin|nessun[oa]?|niente|non|nenhum[a]?|não|sem|geen|niets|niet|нет|не|ничего|никаки[ехй]|немає|ні|brak|żadn\\p{L}*|nic|nie|žádn\\p{L}*|ingen|inga|inget|ingenting|ikke|ei|yok|không|tidak|없음|없습니다|없다|불필요|아님"
)

/** What there is none of, and what is said around it. */
const filler = word(
  [
    "a|an|any|all|is|are|was|were|be|been|to|do|done|make|made|take|taken|at|the|this|that|there|it|for|now|time|moment|present|currently|yet|further|additional|other|new|specific|immediate|needed|necessary|required|recommended|suggested|warranted|proposed|applicable|changes?|actions?|recommendations?|updates?|modifications?|fix(?:es)?",
    "es|ist|sind|war|wird|werden|zu|tun|machen|der|die|das|an|zur|zeit|zurzeit|derzeit|aktuell|momentan|weiteren?|änderung(?:en)?|maßnahmen?|massnahmen?|aktion(?:en)?|empfehlung(?:en)?|anpassung(?:en)?|nötig|notwendig|erforderlich|empfohlen|vorgeschlagen",
    "est|n|d|de|il|y|faire|pour|le|la|l|instant|moment|changements?|mesures?|recommandations?|nécessaires?|requise?s?|recommandée?s?",
    "se|que|hacer|hay|por|el|momento|ahora|requieren?|necesitan?|cambios?|acci[oó]n(?:es)?|modificaci[oó]n(?:es)?|medidas?|recomendaci[oó]n(?:es)?|necesari[oa]s?|requerid[oa]s?",
    "è|sono|al|da|fare|modific(?:a|he)|cambiament[oi]|azion[ei]|intervent[oi]|necessari[oae]?|richiest[oaei]",
    "é|há|no|fazer|mudanças?|alteraç(?:ão|ões)|aç(?:ão|ões)|recomendaç(?:ão|ões)|necessári[oa]s?",
    "er|zijn|op|dit|wijziging(?:en)?|acties?|nodig|vereist",
    "изменени\\p{L}*|действи\\p{L}*|рекомендаци\\p{L}*|правк\\p{L}*|требу(?:ет|ют)ся|нужн[оаы]?|необходим[оаы]?|делать|пока|сейчас|змін\\p{L}*|потрібн\\p{L}*|zmian\\p{L}*|działa[nń]\\p{L}*|potrzebn\\p{L}*|jest|są|změn\\p{L}*|potřeb\\p{L}*|ändring\\p{L}*|åtgärd\\p{L}*|behövs|krävs|endring\\p{L}*|nødvendig\\p{L}*|değişiklik|gerekmiyor|gerek|변경(?:은|이|사항|사항이|사항은)?|조치(?:는|가)?|작업(?:은|이)?|수정(?:은|이)?|필요(?:가|는)?|필요하지|않음|않습니다"
  ].join("|")
)

/** Where no spaces stand between words; no text is made of these in two ways, or it would be tried in each of them. */
const han =
  /^(?:目前|现在|現在|暂|暫|暂时|任何|需|要|的|了|进行|進行|更改|修改|变更|變更|改动|改動|改变|操作|动作|動作|行动|行動|建议|建議|措施|変更|対応|修正|推奨|アクション|必要|特|は|が|も|の|に|です|ます|この|時点|では|無|无|没有|沒有|不|なし|無し|ない|ありません|ございません)+$/u

const hanNo = /無|无|没有|沒有|不|なし|ない|ありません|ございません/u

const isNo = (text: string): boolean => no.test(text) || (han.test(text) && hanNo.test(text))

/** Longer ones say more than that. */
const mostWords = 14

/** All of its words are of those that say so, one of them that there is none; or it has no words. */
export const saysNothing = (text: string): boolean => {
  if (/^[\s"'`*(<[]*n\s?\/?\s?a[\s"'`*)>\].!]*$/iu.test(text.slice(0, 40)) && text.length < 40) return true
  const words = text.slice(0, 400).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  if (words.length === 0) return true
  if (words.length > mostWords || text.length > 200) return false
  return words.some(isNo) && words.every((each) => no.test(each) || filler.test(each) || han.test(each))
}
