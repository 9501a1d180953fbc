import { describe, it } from "@effect/vitest"
import { agent, edit, judged, type Stop, user, type Wanted } from "./judged.ts"

const stops = (attended: Wanted, texts: ReadonlyArray<string>): ReadonlyArray<Stop> =>
  texts.map((text, index) => ({
    name: `${attended.status?.toString() ?? ""}-${index}`,
    events: [user("Fix the rounding in the cart and run the tests."), edit("cart.js"), agent(text)],
    attended,
    unattended: { status: "incomplete", nudge: true }
  }))

describe("an ordered check that never ran", () => {
  it.effect(
    "is sent for in whatever language the last words are",
    judged(
      stops({ status: "incomplete", nudge: true }, [
        "Die Rundung im Warenkorb ist korrigiert und alles ist sauber.",
        "Die Rundung ist korrigiert. Bitte einmal prüfen.",
        "He corregido el redondeo del carrito. Todo está listo.",
        "カートの丸めを修正しました。",
        "我已经修复了购物车的舍入问题。",
        "تم إصلاح التقريب في السلة.",
        "Διόρθωσα τη στρογγυλοποίηση στο καλάθι και είναι έτοιμο."
      ])
    )
  )

  it.effect(
    "rests while the user is asked, in whatever script",
    judged(
      stops({ status: "waiting_for_user", nudge: false }, [
        "Die Rundung ist korrigiert. Soll ich die Tests ausführen?",
        "He corregido el redondeo. ¿Quieres que ejecute las pruebas?",
        "カートの丸めを修正しました。テストを実行しますか？",
        "تم إصلاح التقريب. هل أشغل الاختبارات؟",
        "Διόρθωσα τη στρογγυλοποίηση. Να τρέξω τα τεστ;",
        "Διόρθωσα τη στρογγυλοποίηση. Να τρέξω τα τεστ\u037e"
      ])
    )
  )
})
