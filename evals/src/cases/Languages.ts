import { agent, type Case, edit, run, user } from "../case/Case.ts"

/** Other languages than English: evidence decides as ever, and what cannot be read is left undecided. */
export const languages: ReadonlyArray<Case> = [
  {
    id: "german/done",
    why: "Asked, done, tested: the evidence is complete, whatever the language.",
    events: [
      user("Bitte behebe den Fehler in der Rechnungsnummer und führe die Tests mit npm test aus."),
      edit("src/rechnung.ts"),
      run("npm test", 0, "Tests:       8 passed, 8 total\n"),
      agent("Der Fehler ist behoben, und alle 8 Tests laufen durch.")
    ],
    expect: { status: ["complete", "abstained"], push: false, gates: { tests: "passed" } }
  },
  {
    id: "german/question",
    why: "A question of choice in German.",
    events: [
      user("Füge der Produktliste einen Cache hinzu."),
      agent("Soll der Cache im Speicher des Prozesses liegen, oder möchtest du lieber Redis verwenden?")
    ],
    expect: { status: ["waiting_for_user", "abstained"], push: false }
  },
  {
    id: "german/red-tests",
    why: "`npm test` is named in the request and the last run failed.",
    events: [
      user("Behebe den Fehler in der Rechnungsnummer, npm test muss grün sein."),
      edit("src/rechnung.ts"),
      run("npm test", 1, "  ● zählt weiter\n\nTests:       1 failed, 7 passed, 8 total\n"),
      agent("Ich habe die Zählung angepasst.")
    ],
    expect: { status: ["incomplete", "abstained"], gates: { tests: "failed" } }
  },
  {
    id: "german/ordered-not-run",
    why: "The command is named, in German, and was not run; what the agent says can be read.",
    events: [
      user("Korrigiere die Rundung in der Summe und führe `npm test` aus."),
      edit("src/summe.ts"),
      agent("The sum is rounded to two places now.")
    ],
    expect: { status: "incomplete", push: true, gates: { tests: "missing" } }
  },
  {
    id: "german/not-to-be-run",
    why: "The user does not want the tests to be run.",
    events: [
      user("Korrigiere die Rundung in der Summe, aber führe `npm test` nicht aus."),
      edit("src/summe.ts"),
      agent("Die Rundung ist korrigiert.")
    ],
    expect: { status: ["complete", "abstained"], push: false }
  },
  {
    id: "chinese/ordered-not-run",
    why: "The command is named, in Chinese, and was not run; whether the agent asks or waits is not read from Chinese.",
    events: [user("修复舍入问题，然后运行 `npm test`。"), edit("src/total.ts"), agent("舍入问题已修复。")],
    expect: { status: "abstained", push: false, gates: { tests: "missing" } }
  },
  {
    id: "chinese/only-run",
    why: "The tests were to be run and nothing else: that they fail is the answer.",
    events: [
      user("运行测试"),
      run("npm test", 1, "Tests:       1 failed, 7 passed, 8 total\n"),
      agent("8 个测试中有 1 个失败：total.test.ts。")
    ],
    expect: { status: ["complete", "abstained", "needs_human", "waiting_for_user"], push: false }
  },
  {
    id: "spanish/done",
    why: "A finished answer in Spanish is never pushed.",
    events: [
      user("Cambia el color del botón principal a azul."),
      edit("src/button.css"),
      agent("Listo: el botón principal ahora es azul.")
    ],
    expect: { status: ["complete", "abstained"], push: false }
  },
  {
    id: "spanish/question",
    why: "A question in Spanish is never pushed.",
    events: [
      user("Borra los datos antiguos."),
      run("ls datos", 0, "2019\n2020\n2024\n"),
      agent("¿Seguro que quieres borrar 2019 y 2020? No se puede deshacer.")
    ],
    expect: { status: ["waiting_for_user", "abstained"], push: false }
  },
  {
    id: "japanese/done",
    why: "A finished answer in Japanese is never pushed.",
    events: [
      user("READMEのタイトルの誤字を直してください。"),
      edit("README.md"),
      agent("READMEのタイトルの誤字を修正しました。")
    ],
    expect: { status: ["complete", "abstained"], push: false }
  },
  {
    id: "japanese/question",
    why: "A question in Japanese, with its own question mark.",
    events: [
      user("古いAPIを削除してください。"),
      run("ls src/api", 0, "v1\nv2\n"),
      agent("v1にはまだ利用者がいます。本当に削除してもよろしいですか？")
    ],
    expect: { status: ["waiting_for_user", "abstained"], push: false }
  },
  {
    id: "french/stale",
    why: "The named command ran before the last edit; whether it was required is read from French, so undecided is right as well.",
    events: [
      user("Corrige le calcul de la TVA et lance pytest à la fin."),
      edit("tva.py"),
      run("pytest", 0, "============================== 4 passed in 0.10s ==============================\n"),
      edit("tva.py"),
      agent("Le calcul de la TVA est corrigé.")
    ],
    expect: { status: ["incomplete", "abstained", "complete"], gates: { tests: "stale" } }
  },
  {
    id: "chinese/answer",
    why: "A question answered in Chinese is never pushed.",
    events: [user("这个函数是做什么的？src/sum.ts"), agent("`sum` 返回数组中所有数字的总和。")],
    expect: { status: ["complete", "abstained"], push: false }
  }
]
