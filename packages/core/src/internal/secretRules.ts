/**
 * Secrets that show themselves: by a vendor's prefix, a scheme, or the command that takes them.
 *
 * @since 0.1.0
 */

import { lazy } from "./lazy.ts"

export interface SecretRule {
  readonly kind: string
  /** One of these stands in every text with such a secret. */
  readonly needles: ReadonlyArray<string>
  /** Group 1, where there is one, is what stays before the secret; group 2 is then the secret. */
  readonly on: RegExp
  /** The characters that go on belonging to the secret past the bound of `on`. */
  readonly more?: RegExp
  /** A value that a person typed: it may be a placeholder by its words. */
  readonly typed?: true
}

const word = /[\w-]/

/** A token that starts with `needle` at the beginning of a word. */
const token = (kind: string, needle: string, body: string, more: RegExp = word): SecretRule => {
  const on = lazy(() => new RegExp(`(?<![A-Za-z0-9_])${needle.replace(/[.+]/g, "\\$&")}${body}`, "g"))
  return {
    kind,
    needles: [needle],
    get on() {
      return on()
    },
    more
  }
}

const many = (kind: string, needles: ReadonlyArray<string>, body: string): ReadonlyArray<SecretRule> =>
  needles.map((needle) => token(kind, needle, body))

const vendors = (): ReadonlyArray<SecretRule> => [
  ...many("aws-key", ["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z2-7]{16}(?![A-Za-z0-9])"),
  ...many("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "[A-Za-z0-9]{30,255}"),
  token("github-token", "github_pat_", "[A-Za-z0-9_]{22,255}"),
  ...many(
    "gitlab-token",
    ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-"],
    "[\\w-]{20,300}"
  ),
  {
    kind: "slack-token",
    needles: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe", "xapp-"],
    on: /(?<![A-Za-z0-9_])(?:xoxe\.)?(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,300}/g,
    more: word
  },
  {
    kind: "webhook",
    needles: ["hooks.slack.com/", "/api/webhooks/", "webhook.office.com/"],
    on: /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]{1,60}\.webhook\.office\.com\/webhookb2)\/)([\w/@-]{20,300})/g,
    more: word
  },
  ...many("stripe-key", ["sk_live_", "rk_live_", "sk_test_", "rk_test_"], "[A-Za-z0-9]{16,250}"),
  token("stripe-key", "whsec_", "[A-Za-z0-9+/=]{24,200}"),
  token("anthropic-key", "sk-ant-", "[\\w-]{20,250}"),
  ...many("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-"], "[\\w-]{20,250}"),
  token("openrouter-key", "sk-or-", "[\\w-]{20,100}"),
  token("api-key", "sk-", "(?=[A-Za-z0-9]{0,60}\\d)(?=[A-Za-z0-9]{0,60}[A-Za-z])[A-Za-z0-9]{32,100}"),
  token("google-key", "AIza", "[\\w-]{35}"),
  token("google-token", "ya29.", "[\\w-]{20,1000}", /[\w.-]/),
  token("google-secret", "GOCSPX-", "[\\w-]{20,60}"),
  token("npm-token", "npm_", "[A-Za-z0-9]{36}"),
  token("pypi-token", "pypi-", "[\\w-]{50,1000}"),
  token("sendgrid-key", "SG.", "[\\w-]{16,32}\\.[\\w-]{30,64}"),
  token("twilio-key", "SK", "[0-9a-f]{32}(?![A-Za-z0-9])"),
  token("mailgun-key", "key-", "[0-9a-f]{32}(?![A-Za-z0-9])"),
  token("huggingface-token", "hf_", "[A-Za-z0-9]{30,100}"),
  ...many("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "[a-f0-9]{64}"),
  ...many("doppler-token", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."], "[\\w.-]{30,120}"),
  ...many("linear-key", ["lin_api_", "lin_oauth_"], "[A-Za-z0-9]{32,100}"),
  ...many("vercel-token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], "[A-Za-z0-9]{24,120}"),
  token("supabase-key", "sbp_", "[a-f0-9]{40}"),
  token("supabase-key", "sb_secret_", "[\\w-]{20,100}"),
  token("databricks-token", "dapi", "[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])"),
  ...many("atlassian-token", ["ATATT3", "ATCTT3"], "[\\w=-]{50,300}"),
  token("atlassian-token", "ATBB", "[A-Za-z0-9]{32}"),
  ...many("vault-token", ["hvs.", "hvb.", "hvr."], "[\\w-]{20,300}"),
  ...many("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "[a-fA-F0-9]{32}"),
  ...many("grafana-token", ["glsa_", "glc_"], "[\\w+/=]{30,300}"),
  ...many("planetscale-token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "[\\w.-]{30,80}"),
  ...many("sentry-token", ["sntrys_", "sntryu_"], "[\\w+/=-]{40,300}"),
  token("notion-token", "ntn_", "[A-Za-z0-9]{40,60}"),
  token("figma-token", "figd_", "[\\w-]{30,60}"),
  token("postman-key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
  token("rubygems-key", "rubygems_", "[a-f0-9]{48}"),
  token("docker-token", "dckr_pat_", "[\\w-]{20,60}"),
  token("groq-key", "gsk_", "[A-Za-z0-9]{40,80}"),
  token("xai-key", "xai-", "[A-Za-z0-9]{60,100}"),
  token("replicate-token", "r8_", "[A-Za-z0-9]{35,45}"),
  token("perplexity-key", "pplx-", "[a-zA-Z0-9]{40,60}"),
  token("netlify-token", "nfp_", "[A-Za-z0-9]{36,60}"),
  token("tailscale-key", "tskey-", "[\\w-]{20,100}"),
  token("pulumi-token", "pul-", "[a-f0-9]{40}"),
  token("newrelic-key", "NRAK-", "[A-Z0-9]{27}"),
  token("heroku-key", "HRKU-", "[\\w-]{30,80}"),
  token("age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,64}"),
  {
    kind: "terraform-token",
    needles: [".atlasv1."],
    on: /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,100}/g,
    more: word
  },
  { kind: "azure-secret", needles: ["Q~"], on: /(?<![\w.~-])[\w.~-]{3}[78]Q~[\w.~-]{31,34}(?![\w.~-])/g },
  { kind: "telegram-token", needles: [":AA"], on: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: "airtable-token", needles: ["pat"], on: /(?<!\w)pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g },
  {
    kind: "azure-key",
    needles: ["AccountKey=", "SharedAccessKey=", "accountkey="],
    on: /((?:AccountKey|SharedAccessKey|accountkey)=)([A-Za-z0-9+/]{20,120}={0,2})/g
  },
  {
    kind: "aws-secret",
    needles: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "ecretAccessKey"],
    on: /((?:aws_secret_access_key|secretAccessKey)[\\"'\s:=]{1,8})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/gi
  },
  { kind: "azure-sas", needles: ["sig="], on: /([?&]sig=)([A-Za-z0-9%/+_-]{30,150}(?:%3D|=){0,2})/g },
  {
    kind: "signed-url",
    needles: ["X-Amz-Signature=", "X-Goog-Signature=", "X-Amz-Security-Token="],
    on: /(X-(?:Amz-Signature|Goog-Signature|Amz-Security-Token)=)([\w%/+.-]{20,2000})/g,
    more: /[\w%/+.-]/
  },
  {
    kind: "jwt",
    needles: ["eyJ"],
    on: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{4,4000}(?:\.[\w-]{0,4000})?/g,
    more: /[\w.-]/
  }
]

const schemes = (): ReadonlyArray<SecretRule> => [
  {
    kind: "authorization",
    needles: ["uthorization", "UTHORIZATION"],
    on: /(\b(?:proxy-)?authorization\\{0,3}["']{0,1}\s{0,3}[:=]\s{0,3}\\{0,3}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|bot)\s{1,3})?)([A-Za-z0-9][\w.~+/=:-]{7,4000})/gi,
    more: /[\w.~+/=-]/,
    typed: true
  },
  {
    kind: "bearer",
    needles: ["earer ", "EARER "],
    on: /(\bbearer {1,3})((?=[\w.~+/=-]{0,60}\d)[A-Za-z0-9][\w.~+/=-]{15,4000})/gi,
    more: /[\w.~+/=-]/,
    typed: true
  },
  {
    kind: "cookie",
    needles: ["ookie: ", "OOKIE: "],
    on: /(\b(?:set-)?cookie: {1,3}[\w.-]{1,80}=)([^\s"'`\\;[][^\r\n"'`\\]{3,4000})/gi,
    more: /[^\r\n"'`\\]/,
    typed: true
  },
  {
    kind: "url-password",
    needles: ["://"],
    on: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>()[\]{}$]{0,100}:)([^\s@/'"`<>()[\]{}]{2,300})(?=@[\w[])/gi,
    typed: true
  },
  {
    kind: "url-token",
    needles: ["://"],
    on: /(\bhttps?:\/\/)((?=[\w-]{0,60}\d)[\w-]{20,300})(?=@[\w[])/gi
  },
  {
    kind: "password",
    needles: ["curl "],
    on: /(\bcurl [^\r\n|;&]{0,300}?(?:(?<= )-u ?|--user[= ])["']?[^\s:'"$<]{1,100}:)([^\s'"$<[]{3,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["mysql", "mariadb"],
    on: /(\b(?:mysql|mariadb)[\w-]{0,20} [^\r\n|;&]{0,300}?(?<= )-p["']?)([^\s'"$<[-][^\s'"]{2,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["sshpass ", "docker login ", "redis-cli ", "podman login "],
    on: /(\b(?:sshpass|(?:docker|podman) login [^\r\n|;&]{0,200}?(?=-p)|redis-cli [^\r\n|;&]{0,200}?(?=-a)) ?-[pa] ?["']?)([^\s'"$<[-][^\s'"]{2,200})/g,
    typed: true
  },
  {
    kind: "password",
    needles: ["machine "],
    on: /(\bmachine\s{1,9}\S{1,200}\s{1,9}(?:login\s{1,9}\S{1,200}\s{1,9})?password\s{1,9})([^\s$<[]{3,300})/g,
    typed: true
  }
]

export const secretRules: () => ReadonlyArray<SecretRule> = lazy(() => [...vendors(), ...schemes()])
