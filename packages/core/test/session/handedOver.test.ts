import { assert, describe, it } from "@effect/vitest"
import { asksOf } from "../../src/session/task/requestedGates.ts"

const gatesOf = (text: string): string =>
  asksOf(text)
    .asks.map(({ gate }) => gate)
    .toSorted()
    .join(" ")

describe("a list under an order", () => {
  it.each([
    ["Fix the bug:\n1. Run the tests\n2. Commit", "commit tests"],
    ["Fix the bug:\n\n1. Run the tests\n2. Commit", "commit tests"],
    ["Please fix the sum:\n- run the tests\n- create a commit", "commit tests"],
    ["Behebe den Fehler:\n1. Lass die Tests laufen\n2. Committe die Änderungen", "commit tests"],
    ["Corrige el fallo:\n1. Ejecuta los tests\n2. Haz commit", "commit tests"],
    ["Corrige le bug :\n1. Lance les tests\n2. Fais un commit", "commit tests"],
    ["修复这个错误：\n1. 运行测试\n2. 提交代码", "commit tests"],
    [
      "Based on the above changes:\n1. Create a new branch if on main\n2. Create a single commit with an appropriate message\n3. Push the branch to origin\n4. Create a pull request using `gh pr create`",
      "commit pr push"
    ],
    ["Based on the above changes, create a single git commit.", "commit"],
    ["Add this to the README:\n\n```\nnpm start\n```\n\nThen run the tests.", "tests"],
    ["Add this to the README:\n\nIt is fast.\n\nThen run the tests.", "tests"],
    ["Add a login button:\n\n- use the tokens\n- run the tests", "tests"],
    ["Mach Folgendes. Lass die Tests laufen.", "tests"]
  ])("%j orders %s", (text, gates) => {
    assert.strictEqual(gatesOf(text), gates)
  })
})

describe("a text that is handed over", () => {
  it.each([
    "Schreibe in die README:\n\nLass die Tests laufen.",
    "Schreibe in die README:\nLass die Tests laufen.",
    "Agrega esto al README:\n\nEjecuta las pruebas.",
    "Ajoute ceci au README :\n\nLance les tests.",
    "Adicione isto ao README:\n\nRode os testes.",
    "把下面这句加到 README：\n\n运行测试。",
    "Das hier hat mir der Kollege geschrieben:\n\nLass die Tests laufen.",
    "Mein Chef schreibt mir Folgendes.\nLass die Tests laufen.\nWas meint er damit?",
    "Lass die Tests laufen.\n\nWas bedeutet das?",
    "Was steht da?\n\nLass die Tests laufen.",
    "What does it say?\n\nRun the tests.",
    "My boss wrote me this.\n\nRun the tests and push.",
    "¿Qué quiere decir eso?\n\nEjecuta los tests.",
    "Qu'est-ce que ça veut dire ?\n\nLance les tests.",
    "这是什么意思？\n\n运行测试。",
    "Write this into the README:\n\nRun the tests.",
    "Write this into the README:\n\n- Run the tests\n- Push",
    "Add these steps to CONTRIBUTING.md:\n\n1. Run the tests\n2. Commit",
    "Put the text below the title:\n\nRun the tests.",
    "My colleague sent me this:\n\nRun the tests.",
    "Fix the steps of the job:\n1. Run the tests\n2. Push",
    "Korrigiere diesen Satz:\n\nLass die Tests laufen.",
    "Corrige esto:\n1. Ejecuta los tests\n2. Haz commit",
    "Corrige cette phrase :\n\nLance les tests.",
    "Fix the grammar:\n- Run the tests\n- Push",
    "Fix the review comments:\n1. Run the tests\n2. Commit",
    "Fix the error:\n\nRun the tests to see it.",
    "Fix the workflow:\n- run the tests",
    "Create a commit graph.",
    "Create a commit message for it."
  ])("%j orders nothing", (text) => {
    assert.strictEqual(gatesOf(text), "")
  })
})
