import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { findSecrets, redact, redactJson } from "../../src/base/redaction/Redaction.ts"
import { alnum, contexts, dashes, hex, join, pem, tokens } from "../support/secrets.ts"

const harmless: ReadonlyArray<string> = [
  `commit ${hex(40)}`,
  `index ${hex(7)}..${hex(7)} 100644`,
  "id: 3f2b8c1e-9a4d-4e6f-8b7a-1c2d3e4f5a6b",
  `![logo](data:image/png;base64,${alnum(400)})`,
  `"integrity": "sha512-${alnum(86)}=="`,
  "interface Login { password: string; token: Token; secret?: Buffer }",
  "function login(password: string, token: string): Promise<void> {}",
  "const password = process.env.DB_PASSWORD",
  "const token = await getToken(config)",
  "token = os.environ['GITHUB_TOKEN']",
  "secret := cfg.Auth.ClientSecret",
  "if (password === undefined) throw new Error('no password')",
  "password=$DB_PASSWORD",
  'API_KEY="${API_KEY}"',
  "GITHUB_TOKEN=<your-token>",
  "TOKEN=your-token-here",
  "API_KEY=xxxxxxxxxxxxxxxx",
  "API_KEY=changeme",
  'export GH_TOKEN="github_pat_xxxx"',
  "password: ********",
  "token: ${{ secrets.GITHUB_TOKEN }}",
  "Authorization: Bearer $TOKEN",
  "Authorization: Bearer <token>",
  "Authorization: Bearer YOUR_API_KEY",
  "curl -u user:password https://acme.dev",
  "curl -u $USER:$PASS https://acme.dev",
  "https://user:pass@acme.dev",
  "https://user:${PASSWORD}@acme.dev",
  "postgres://postgres:postgres@localhost:5432/test",
  "http://localhost:8080/a@b",
  "see git@github.com:acme/shop.git and https://github.com/acme/shop",
  "max_tokens: 4096, token_count=1500, tokens: 12",
  'nextPageToken: "CAUQAA1b2c3d4e5f"',
  "the token expired; pass the --token flag; use --password to set it",
  'secret: "my-app-secret"',
  "token: test-token-123",
  "passwordHash(password, salt)",
  `grep -n "${join("PRIVATE ", "KEY")}" .`,
  `if (text.startsWith("${join(dashes, "BEGIN PRIVATE ", "KEY", dashes)}")) return`,
  `${join("AK", "IA")}IOSFODNN7EXAMPLE`,
  join("gh", "p_", "x".repeat(36)),
  "Password is required. Password: must have 8 characters",
  "mysql -p -u root shop",
  "mysql -u root --port 3306 -P 3307",
  "Cookie: a small text file",
  "api_key_file: /etc/shop/key",
  "author: Jane Doe",
  "key: value1234",
  `sha256:${hex(64)}`,
  "task-board-v2-prod-01 ask-42-questions-and-more-things",
  'fmt.Println("password="+expected1Token2)',
  "version: 12.4.18-beta.3",
  "connect(db_password=new_password, access_token=stored_token)",
  "SECRET_NAME=shop-database, TOKEN_FILE=/run/secrets/token",
  "PASSWORD_MIN_LENGTH=12",
  'run("mysql", "-u", "root", "-port2")',
  "mongo -p 27017",
  "mysql -p3306 -h db",
  "openssl enc -K key.bin -in a",
  "aws secretsmanager create-secret --secret-string file://x.json",
  "net user guide chapter7a",
  'pass: "src/a1.ts"',
  "echo production | vercel env add NODE_ENV",
  'expect.send "hello2you\\r"',
  "modulation 16-APSK: 32-APSK",
  "opt -debug-pass=Executions x.ll",
  'the methods "md5", "password", "scram-sha-256" of pg_hba.conf'
]

const redactedOf = (kind: string): string => `[redacted:${kind}]`

describe("Redaction.redact", () => {
  for (const [kind, secret] of tokens) {
    it(`knows a ${kind} by its shape (${secret.length})`, () => {
      assert.strictEqual(redact(`before ${secret} after`), `before ${redactedOf(kind)} after`)
      assert.strictEqual(redact(`"${secret}"`), `"${redactedOf(kind)}"`)
      assert.strictEqual(redact(secret), redactedOf(kind))
    })
  }

  for (const [before, secret, after] of contexts) {
    it(`knows a secret by its place: ${JSON.stringify(before)}`, () => {
      const text = redact(`${before}${secret}${after}`)
      assert.match(text.slice(before.length), /^\[redacted:[a-z-]{3,20}\]/)
      assert.strictEqual(text.slice(0, before.length), before)
      assert.isTrue(text.endsWith(after), text)
      assert.notInclude(text, secret)
    })
  }

  for (const text of harmless) {
    it(`leaves ${JSON.stringify(text.slice(0, 60))}`, () => assert.strictEqual(redact(text), text))
  }

  it("redacts a key block that was cut off, in a file or in JSON", () => {
    const block = pem("RSA ")
    const cut = block.slice(0, 150)
    assert.strictEqual(redact(`key:\n${cut}`), `key:\n${redactedOf("private-key")}`)
    const escaped = JSON.stringify({ note: block })
    assert.strictEqual(redact(escaped), `{"note":"${redactedOf("private-key")}"}`)
    assert.strictEqual(redact(`${block}\n${block}`), `${redactedOf("private-key")}\n${redactedOf("private-key")}`)
  })

  it("leaves nothing of a token that is longer than expected", () => {
    assert.strictEqual(redact(join("gh", "p_", alnum(3000))), redactedOf("github-token"))
    assert.strictEqual(
      redact(join("ey", "J", alnum(30), ".ey", "J", alnum(20_000), ".", alnum(9000))).includes(alnum(30)),
      false
    )
  })

  const piece = FastCheck.oneof(
    FastCheck.constantFrom(...tokens.map(([, secret]) => secret)),
    FastCheck.constantFrom(
      ...contexts.flatMap(([before, secret, after]) => [before, secret, after, before + secret + after])
    ),
    FastCheck.constantFrom(...harmless),
    FastCheck.constantFrom(" ", "\n", "'", '"', "=", ":", "\\", "[", "]", "@", "//", "password", "token="),
    FastCheck.string({ maxLength: 12 })
  )

  it("is idempotent, and finds nothing in what it redacted", () => {
    const text = FastCheck.array(piece, { maxLength: 8 }).map((parts) => parts.join(""))
    FastCheck.assert(
      FastCheck.property(text, (input) => {
        const once = redact(input)
        assert.strictEqual(redact(once), once)
        assert.deepStrictEqual(findSecrets(once), [])
      }),
      { numRuns: process.env["REFLEXION_TESTS"] === "night" ? 500 : 60 }
    )
  })

  it("lets no token through, whatever stands around it", () => {
    const around = FastCheck.array(piece, { maxLength: 3 }).map((parts) => parts.join(""))
    FastCheck.assert(
      FastCheck.property(around, FastCheck.constantFrom(...tokens), around, (before, [, secret], after) => {
        assert.notInclude(redact(`${before} ${secret} ${after}`), ` ${secret} `)
      })
    )
  })

  it.each([`password: "A-A${"_A".repeat(30)}!"`, `pass = a${"_a-b".repeat(40)}!`, `token: "${"a_B.".repeat(60)}!"`])(
    "comes to an end on %s",
    (text) => {
      assert.isString(redact(text))
    }
  )

  it("replaces whole a text that costs too much to search", () => {
    const text = "password=a ".repeat(150_000)
    assert.strictEqual(redact(text), "[redacted:too-costly-to-search]")
    assert.deepStrictEqual(redactJson({ output: text, exitCode: 1 }), {
      output: "[redacted:too-costly-to-search]",
      exitCode: 1
    })
  })
})

describe("Redaction.redactJson", () => {
  it("redacts whole what stands under a secret's name, and keeps the keys", () => {
    const input = {
      user: "jane",
      dbPassword: "plain words",
      headers: { "X-Api-Key": "abc", Authorization: ["Basic eHg="], Accept: "json" },
      credentials: { login: "jane", nested: [{ value: "v" }] },
      password: 12345,
      token_count: 12,
      nextPageToken: "page-2",
      note: `use ${tokens[2]?.[1] ?? ""} now`,
      secret: null,
      apiKey: "",
      token: "$TOKEN"
    }
    assert.deepStrictEqual(redactJson(input), {
      user: "jane",
      dbPassword: "[redacted:password]",
      headers: { "X-Api-Key": "[redacted:key]", Authorization: ["[redacted:authorization]"], Accept: "json" },
      credentials: { login: "[redacted:credentials]", nested: [{ value: "[redacted:credentials]" }] },
      password: "[redacted:password]",
      token_count: 12,
      nextPageToken: "page-2",
      note: "use [redacted:github-token] now",
      secret: null,
      apiKey: "",
      token: "$TOKEN"
    })
  })

  it("knows names of keys and passwords by their parts", () => {
    const names = ["client-key-data", "ansible_become_pass", "smtpPass", "wifi.psk", "MNEMONIC", "passwort"]
    const kept = ["pass", "bypass", "key", "data", "keyCount", "tokens_left"]
    for (const name of names) assert.match(JSON.stringify(redactJson({ [name]: "ab" })), /redacted/, name)
    for (const name of kept) assert.deepStrictEqual(redactJson({ [name]: "ab" }), { [name]: "ab" })
  })

  it("bounds cycles and depth, leaves what is not JSON, and lets no key reach the prototype", () => {
    const cycle: Record<string, unknown> = { name: "a" }
    cycle["self"] = cycle
    assert.deepStrictEqual(redactJson(cycle), { name: "a", self: "[redacted:cycle]" })
    let [deep, doubled]: [unknown, unknown] = ["end", { a: 1 }]
    for (let level = 0; level < 5000; level++) deep = [deep]
    assert.include(JSON.stringify(redactJson(deep)), "[redacted:depth]")
    for (let level = 0; level < 90; level++) doubled = [doubled, doubled]
    assert.isArray(redactJson(doubled))
    const date = new Date(0)
    assert.deepStrictEqual([redactJson(date), redactJson(undefined)], [date, undefined])
    const result = redactJson(JSON.parse('{"__proto__": {"polluted": true}, "b": 1}'))
    assert.isUndefined(Reflect.get({}, "polluted"))
    assert.deepStrictEqual(Object.keys(Object(result)), ["__proto__", "b"])
  })

  it("keeps the shape of any JSON and is idempotent", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue(), (value) => {
        const once = redactJson(value)
        assert.deepStrictEqual(redactJson(once), once)
        assert.strictEqual(Array.isArray(once), Array.isArray(value))
      })
    )
  })
})
