/**
 * How a check, a commit, a push or a pull request is ordered in languages other than English: the plainest forms, which a
 * clause has to be as a whole. What is said in another way is a model's to read.
 */
import { type Language, type Row, row } from "../../ground/text/Rows.ts"

/** `gate`: what a clause orders; null where its first group names what is run or, where `how` is "fix", failing. */
export interface Order extends Row {
  readonly gate: string | null
  readonly how: "fix" | "run"
}

/** What is said of the orders of one language. */
export interface Speech {
  readonly language: Language
  /** What stands between two clauses, in a group. */
  readonly joints: RegExp
  /** Of those, what goes on with an order behind a free clause. */
  readonly conjunction: RegExp
  readonly polite: RegExp
  /** What changes nothing of an order, wherever it stands in a clause. */
  readonly fillers: RegExp
  readonly orders: ReadonlyArray<Order>
  /** Words that stand before the name of a check. */
  readonly determiners: ReadonlySet<string>
  /** How clauses begin that order something else. */
  readonly changes: ReadonlySet<string>
  readonly reports: ReadonlySet<string>
  /** A sentence with one of these is no order for now, or tells of others. */
  readonly conditional: RegExp
  /** A sentence that has one of these from its first order on may deny it. */
  readonly denying: RegExp
  /** An order has the form in which somebody else's steps are told, too. */
  readonly tells: boolean
}

type Said = readonly [words: string, pattern: RegExp, yes: string, no: string]

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const ordersIn =
  (language: Language) =>
  (gate: string | null, ...[needles, pattern, yes, no]: Said): Order => ({
    gate,
    how: "run",
    ...row(needles, pattern, yes, no, language)
  })

const fixesIn =
  (language: Language) =>
  (...[needles, pattern, yes, no]: Said): Order => ({
    gate: null,
    how: "fix",
    ...row(needles, pattern, yes, no, language)
  })

const germanRow = ordersIn("de")
const germanFixRow = fixesIn("de")

const german: Speech = {
  language: "de",
  joints: /(, | und |; | & )/i,
  conjunction: /^ (?:und|&) $/i,
  polite: /(?:^| )bitte(?: |$)/i,
  fillers:
    /(?:^| )(?:bitte|mal|doch|kurz|jetzt|dann|danach|anschließend|(?:noch )?einmal|nochmals?|erneut|auch|zuerst|zum schluss|am ende|lokal|danke|ok(?:ay)?|ja)(?=[ ,]|$)/gi,
  orders: [
    germanRow(
      null,
      "führ|fuehr",
      /^f(?:ü|ue)hre?(?:n sie)? (.{2,80}) aus$/i,
      "führe die Tests aus",
      "führt die Tests aus"
    ),
    germanRow(
      null,
      "lass",
      /^lass(?:e|en sie)? (.{2,80}) (?:durch)?laufen$/i,
      "lass die Tests laufen",
      "lässt die Tests laufen"
    ),
    germanRow(null, "starte", /^starte(?:n sie)? (.{2,80})$/i, "starte die Tests", "startet die Tests"),
    germanFixRow(
      "reparier|beheb|fixe|korrigier",
      /^(?:reparier|beheb|fixe|korrigier)e?(?:n sie)? (.{2,80})$/i,
      "repariere die Tests",
      "repariert die Tests"
    ),
    germanRow(
      "build",
      "bau|kompilier",
      /^(?:bau|kompilier)e?(?:n sie)? (?:das|die|den) (?:ganze |gesamte )?(?:projekt|app|anwendung|code|paket)(?: neu)?$/i,
      "baue das Projekt",
      "baue das Projekt um"
    ),
    germanRow(
      "commit",
      "commit",
      /^(?:committ?e(?:n sie)?(?: (?:die|alle|deine|meine) (?:änderungen|dateien)| sie| es| das| alles)?|(?:mach|erstell)e? einen commit)$/i,
      "committe die Änderungen",
      "der Commit ist alt"
    ),
    germanRow(
      "push",
      "pushe",
      /^pushe(?:n sie)?(?: (?:die|alle|deine) (?:änderungen|commits)| sie| es| das| alles| den (?:branch|commit|code))?(?: (?:nach|zu|auf) (?:origin|github|main|master))?$/i,
      "pushe sie",
      "er pushe zu oft"
    ),
    germanRow(
      "pr",
      "pr|pull|merge",
      /^(?:(?:er)?öffne|erstelle?|mache?) (?:einen |ein )?(?:neuen )?(?:pr|pull[- ]request|merge[- ]request)(?: auf)?$/i,
      "öffne einen PR",
      "der PR ist offen"
    )
  ],
  determiners: words("die der den das alle unsere deine sämtliche fehlschlagenden roten kaputten fehlerhaften"),
  changes: words(
    "korrigiere korrigier behebe beheb repariere fixe ändere änder passe füge füg ergänze ergänz entferne entfern lösche lösch ersetze ersetz benenne " +
      "schreibe schreib implementiere erstelle erstell erzeuge mache mach verschiebe extrahiere refaktoriere aktualisiere optimiere verbessere räume teile " +
      "nutze verwende setze stelle stell sorge löse baue bringe bring dokumentiere übersetze sortiere runde vereinfache speichere lade öffne schließe committe pushe"
  ),
  reports: words(
    "zeige zeig sage sag nenne melde berichte gib erkläre beschreibe liste prüfe überprüfe untersuche schaue schau"
  ),
  conditional:
    /(?:^| )(?:wenn|falls|sobald|sofern|solange|außer|ob|wann|warum|wieso|weshalb|vielleicht|eventuell|evtl|ggf|notfalls|bedarf|jedes|jeden?|immer|stets|gerade|später|laut)(?=[ .,!]|$)/i,
  denying:
    /(?:^| )(?:nicht|nichts|nie|niemals|kein\w{0,2}|ohne|statt|anstatt|ich|wir|man|er|sagte?|meinte?|schrieb|vermeide|wie|als)(?=[ .,!]|$)/i,
  tells: false
}

const spanishRow = ordersIn("es")
const spanishFixRow = fixesIn("es")

const spanish: Speech = {
  language: "es",
  joints: /(, | y | e | luego |; )/i,
  conjunction: /^ (?:y|e|luego) $/i,
  polite: /(?:^| )por favor(?: |$)/i,
  fillers:
    /(?:^| )(?:por favor|ahora|luego|después|entonces|también|primero|al final|otra vez|de nuevo|localmente|gracias|ok|sí|que fallan|dime qué falla|dime cuáles fallan)(?=[ ,]|$)/gi,
  orders: [
    spanishRow(
      null,
      "ejecut|corre|corra|corré|lanz|lance",
      /^(?:ejecut[aáe]|corr[eéa]|lanz[aá]|lance) (.{2,80})$/i,
      "ejecuta los tests",
      "ejecuto los tests"
    ),
    spanishFixRow(
      "arregla|corrige|repara|soluciona",
      /^(?:arregla|corrige|repara|soluciona) (.{2,80})$/i,
      "arregla los tests",
      "arreglar los tests"
    ),
    spanishRow(
      "build",
      "proyecto|aplicación|código|paquete",
      /^(?:compila|construye) (?:el|la|todo el) (?:proyecto|aplicación|código|paquete)$/i,
      "compila el proyecto",
      "el proyecto compila"
    ),
    spanishRow(
      "commit",
      "commit",
      /^(?:ha(?:z|ga) (?:un )?commit|commitea)(?: (?:de )?(?:los|todos los|tus) cambios)?$/i,
      "haz commit de los cambios",
      "el commit de ayer"
    ),
    spanishRow(
      "push",
      "push",
      /^(?:ha(?:z|ga) (?:un )?push|pushea)(?: (?:de )?(?:los|todos los) (?:cambios|commits))?(?: a (?:origin|github|main|master))?$/i,
      "haz push",
      "el push de ayer"
    ),
    spanishRow(
      "pr",
      "pr|pull|merge",
      /^(?:abre|crea|haz) una? (?:nuev[ao] )?(?:pr|pull request|merge request)$/i,
      "abre un PR",
      "el PR abierto"
    )
  ],
  determiners: words("el la los las todos todas tus nuestros"),
  changes: words(
    "corrige corrígelo corrígela arregla arréglalo arréglala repara soluciona cambia cámbialo añade agrega elimina borra quita reemplaza sustituye renombra escribe implementa " +
      "crea mueve extrae refactoriza actualiza optimiza mejora limpia divide usa utiliza pon haz documenta traduce ordena redondea simplifica guarda carga abre cierra termina"
  ),
  reports: words("dime muestra muéstrame enséñame informa avísame resume explica lista revisa comprueba verifica mira"),
  conditional:
    /(?:^| )(?:si|cuando|mientras|aunque|salvo|excepto|menos|cada|siempre|normalmente|automáticamente|quizás?|tal vez|ayer|caso|para|porque|cómo|qué|que|quien|donde|hasta)(?=[ .,!]|$)/i,
  denying: /(?:^| )(?:no|nunca|jamás|sin|ni|tampoco|evita|deja|yo|él|ella|ellos|nosotros|se|me|solo|sólo)(?=[ .,!]|$)/i,
  tells: true
}

const frenchRow = ordersIn("fr")
const frenchFixRow = fixesIn("fr")

const french: Speech = {
  language: "fr",
  joints: /(, | et | puis |; )/i,
  conjunction: /^ (?:et|puis) $/i,
  polite: /(?:^| )(?:s'il (?:te|vous) pla[îi]t|stp|svp|merci de)(?: |$)/i,
  fillers:
    /(?:^| )(?:s'il (?:te|vous) pla[îi]t|stp|svp|maintenant|ensuite|après|alors|aussi|d'abord|enfin|à la fin|à nouveau|localement|merci|ok|oui|qui échouent|dis-moi ce qui échoue)(?=[ ,]|$)/gi,
  orders: [
    frenchRow(
      null,
      "lance|exécute|execute|démarre",
      /^(?:(?:re)?lance|exécute|execute|démarre)z? (.{2,80})$/i,
      "lance les tests",
      "lancer les tests"
    ),
    frenchRow(
      null,
      "passer|tourner",
      /^fai(?:s|tes) (?:passer|tourner) (.{2,80})$/i,
      "fais tourner les tests",
      "il fait tourner les tests"
    ),
    frenchFixRow("répare|corrige", /^(?:répare|corrige)z? (.{2,80})$/i, "répare les tests", "réparer les tests"),
    frenchRow(
      "build",
      "projet|application|code|paquet",
      /^(?:compilez?|construis(?:ez)?) (?:le |l'|tout le )(?:projet|application|code|paquet)$/i,
      "compile le projet",
      "le projet compile"
    ),
    frenchRow(
      "commit",
      "commit",
      /^(?:fai(?:s|tes) un commit|committ?ez?)(?: (?:les|tous les|des|tes) (?:changements|modifications))?$/i,
      "fais un commit",
      "le dernier commit"
    ),
    frenchRow(
      "push",
      "pousse",
      /^poussez?(?: (?:les|tes) (?:changements|modifications|commits)| tout| le (?:code|commit)| la branche)?(?: (?:sur|vers) (?:origin|github|main|master))?$/i,
      "pousse les changements",
      "la poussée de la branche"
    ),
    frenchRow("push", "push", /^fai(?:s|tes) un push$/i, "fais un push", "le push d'hier"),
    frenchRow(
      "pr",
      "pr|pull|merge",
      /^(?:ouvre|crée|cree|fais)z? une (?:nouvelle )?(?:pr|pull request|merge request)$/i,
      "ouvre une PR",
      "la PR est ouverte"
    )
  ],
  determiners: words("le la les tous toutes tes nos"),
  changes: words(
    "corrige corrigez répare réparez change changez ajoute ajoutez supprime supprimez enlève remplace remplacez renomme renommez écris écrivez implémente implémentez crée créez " +
      "déplace déplacez extrais refactorise refactorisez modifie modifiez mets mettez optimise améliore nettoie divise utilise utilisez documente traduis trie arrondis simplifie " +
      "enregistre charge ouvre ferme termine"
  ),
  reports: words("dis dites montre montrez explique liste résume vérifie vérifiez regarde indique"),
  conditional:
    /(?:^| )(?:si|s'ils?|quand|lorsqu\w{0,2}|dès|tant|pendant|chaque|toujours|normalement|automatiquement|peut-être|hier|sauf|comment|pourquoi|besoin|pour|qu'\w{1,20}|que|qui|dont|où)(?=[ .,!]|$)/i,
  denying:
    /(?:^| )(?:n'\w{1,20}|ne|pas|plus|jamais|sans|aucune?|rien|évite|arrête|j'\w{1,20}|je|il|elle|on|nous|ils|elles|seulement|ça)(?=[ .,!]|$)/i,
  tells: true
}

const portugueseRow = ordersIn("pt")

const portuguese: Speech = {
  language: "pt",
  joints: /(, | e |; )/i,
  conjunction: /^ e $/i,
  polite: /(?:^| )por favor(?: |$)/i,
  fillers: /(?:^| )(?:por favor|agora|depois|então|também|primeiro|no final|de novo|obrigado|ok|sim)(?=[ ,]|$)/gi,
  orders: [
    portugueseRow(
      null,
      "execut|rod|corre|corra",
      /^(?:execut[ae]|rod[ae]|corr[ae]) (.{2,80})$/i,
      "rode os testes",
      "rodar os testes"
    ),
    portugueseRow(
      "pr",
      "pr|pull",
      /^(?:abr[ae]|crie) uma? (?:novo |nova )?(?:pr|pull request)$/i,
      "abra um PR",
      "o PR aberto"
    )
  ],
  determiners: words("o a os as todos todas"),
  changes: words(
    "corrija conserte mude altere adicione remova apague substitua renomeie escreva implemente crie mova refatore atualize melhore use arredonde simplifique termine"
  ),
  reports: words("diga mostre explique liste resuma verifique confira"),
  conditional:
    /(?:^| )(?:se|quando|enquanto|caso|cada|sempre|normalmente|automaticamente|talvez|ontem|para|porque|como|que|quem|onde|até)(?=[ .,!]|$)/i,
  denying: /(?:^| )(?:não|nunca|jamais|sem|nem|evite|eu|ele|ela|eles|nós|só|apenas)(?=[ .,!]|$)/i,
  tells: true
}

const chineseRow = ordersIn("zh")
const chineseFixRow = fixesIn("zh")

const chinese: Speech = {
  language: "zh",
  joints: /([，,、；;]|(?<![合一])并且?|然后|接着|最后|再(?!次))/,
  conjunction: /^(?:并且?|然后|接着|最后|再)$/,
  polite: /请|麻烦|帮我/,
  fillers: /^(?:请你?|麻烦你?|帮我|帮忙|现在|先|也|还|好的?|\s){1,5}|一下|一遍|谢谢|[吧啦]$|\s+$/g,
  orders: [
    chineseRow(null, "运行|执行|跑", /^(?:重新|再次)?(?:运行|执行|跑)下? ?(.{2,60})$/, "运行所有测试", "测试运行失败"),
    chineseFixRow("修|解决", /^(?:修复|修好|修正|解决) ?(.{2,60})$/, "修复失败的测试", "测试修复了"),
    chineseRow(
      "build",
      "构建|编译",
      /^(?:重新)?(?:构建|编译)(?:整个|这个)?(?:项目|工程|代码|应用)$/,
      "构建项目",
      "构建项目的脚本"
    ),
    chineseRow(
      "commit",
      "提交",
      /^提交(?:(?:所有|全部|这些|你的)?(?:的)?(?:更改|改动|修改|变更|代码))?$/,
      "提交更改",
      "提交表单"
    ),
    chineseRow(
      "push",
      "推送",
      /^推送(?:(?:所有|全部|这些)?(?:更改|改动|修改|代码|分支|提交))?(?: ?到 ?(?:远程(?:仓库)?|origin|github|main|master))?$/i,
      "推送代码到 origin",
      "推送通知坏了"
    ),
    chineseRow("pr", "pr", /^(?:提交?|创建|开|发起?)(?:一个|个)? ?pr$/i, "提一个 PR", "这个 PR 很大")
  ],
  determiners: words("的"),
  changes: words(
    "修复 修改 修正 修好 解决 更新 添加 增加 新增 实现 删除 移除 去掉 重构 重命名 改成 改为 改 把 将 优化 写 编写 创建 调整 替换 升级 清理 完成 合并 拆分 补充 移动 翻译"
  ),
  reports: words("告诉我 汇报 报告 看看 确认 确保 检查 总结 列出 解释 说明 给我"),
  conditional:
    /如果|若|假如|要是|的话|除非|万一|一旦|每次|每当|每天|当|的时候|时[，,]|总是|通常|自动|可能|也许|吗|呢|是否|如何|怎么|为什么|什么|脚本|工作流|流水线|钩子|命令|按钮|机器人|hook|workflow|\bci\b|\bjob\b/i,
  denying:
    /不要|不用|不需|不必|不能|不许|不准|禁止|避免|无需|无须|别|勿|没有?必要|未|了|过|着|我[们会]?已|我们|他|她|说/,
  tells: true
}

export const speeches: ReadonlyArray<Speech> = [german, spanish, french, portuguese, chinese]
