import { assert, describe, it } from "@effect/vitest"
import { redact } from "../../src/ground/redaction/Redaction.ts"
import { kinds, randomOf } from "../support/secretKinds.ts"

/** Whether a half of the value is left. */
const survives = (text: string, value: string): boolean => {
  const half = Math.ceil(value.length / 2)
  return text.includes(value.slice(0, half)) || text.includes(value.slice(-half))
}

describe("a secret of any value", () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const value = kind.value(randomOf(seed * 7919))
      const text = redact(`It failed: ${kind.text(value)}`)
      assert.isFalse(survives(text, value), `${value} in ${text}`)
      assert.strictEqual(redact(text), text)
    }
  })
})

const plain: ReadonlyArray<string> = [
  "<password>string</password>",
  "<password>${db.password}</password>",
  '<label>Password</label><input name="password" value="">',
  'const token: string = "your-token-here"',
  "const apiKey: string = process.env.API_KEY",
  "function login(password: string, token = defaultToken): void {}",
  "define('DB_PASSWORD', 'changeme');",
  "ALTER USER a WITH PASSWORD 'example'",
  'identified by "jamesh" in the changelog',
  '["password", "username", "remember_me"]',
  '"tokens", "symbol2label"',
  'private_key: "_RSAPrivateKey", data: bytes',
  "type T = SyntaxKind.QuestionToken | LogicalOperatorOrHigher | AssignmentOperator",
  ":param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey",
  "exports.AdminApiKey=exports.AddUploadPartRequest=exports.ActiveStatus=void 0",
  "exports.ProjectServiceAccountApiKey=ProjectServiceAccountApiKey;",
  "e.token===67174411?(d|=1,e=f(e,2)):0",
  "readonly STENCIL_BACK_PASS_DEPTH_PASS: 0x8803",
  "--- PASS: TestLogin2FA (0.03s)",
  "first pass: 12 files, second pass: 3 files",
  "the password is required and the token is expired",
  "The token is base64-encoded, the secret is auto-generated",
  "curl -b cookies.txt https://x",
  "curl -u ada:test-user https://x",
  "https://abc:xyz@example.com",
  "postgres://shop:test-password@localhost/shop",
  "password | role\n-------+-----\nread | write",
  "name,token\nfirst,second\n",
  "expect(token).toEqual('session-token')",
  "basic authentication-scheme",
  "?code=ERR_INVALID_ARGUMENT&line=3",
  "new Password('options')",
  "at Object.<anonymous> (file.js:1034:shop:admin:function)",
  "12:30:45:123:4567"
]

describe("what only stands where a secret would", () => {
  it.each(plain)("is left: %j", (text) => assert.strictEqual(redact(text), text))
})
