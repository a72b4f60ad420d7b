import { type LocalizableText, l10nText } from "../text/language";

/** One published form of a credential. */
export interface SecretForm {
  /** Completes the sentence "This looks like …": `an AWS access key`. */
  readonly kind: LocalizableText;
  /** Texts of which each match contains at least one. A text without any is not searched. */
  readonly signs: readonly string[];
  /**
   * A global pattern. It takes linear time: no repetition can start again inside of a failed match. The text of
   * its capturing group, if any, stands before the match and counts as part of it.
   */
  readonly pattern: RegExp;
  /** Whether a match has other characters than those of a token, so that the whole text is searched. */
  readonly isText: boolean;
}

function textForm(kind: LocalizableText, signs: string, pattern: RegExp): SecretForm {
  return { kind, signs: signs.split(" "), pattern, isText: true };
}

function form(kind: LocalizableText, signs: string, pattern: RegExp): SecretForm {
  return { kind, signs: signs.split(" "), pattern, isText: false };
}

function tokenOf(vendor: string, signs: string, pattern: RegExp): SecretForm {
  return form(l10nText("a token of {vendor}", { vendor }), signs, pattern);
}

/**
 * The forms of credentials that are found. Sources: RFC 3986 (addresses), RFC 6750 (`Bearer`), RFC 7519 (JWT), and for
 * prefixes the issuers' documents as https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml and
 * https://docs.github.com/en/code-security/secret-scanning list them.
 */
export const secretForms: readonly SecretForm[] = [
  textForm(
    l10nText("a private key"),
    "-----BEGIN",
    /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  ),
  // The pattern begins with `://`, which few texts have, so most of a text is skipped.
  textForm(
    l10nText("a password in an address"),
    "://",
    /:\/\/(?<=\b([A-Za-z][A-Za-z0-9+.-]{1,19}):\/\/)[\w.~%+-]{0,64}:[^\s"'`<>\\/@:{}()[\]$*|,]{4,256}@(?=[A-Za-z0-9[])/g,
  ),
  textForm(
    l10nText("a user name and password"),
    "uthorization",
    /(?<=\b[Aa]uthorization["']?\s{0,2}[:=]\s{0,2}["']?[Bb]asic )[A-Za-z0-9+/]{10,}={0,2}/g,
  ),
  textForm(
    l10nText("a token of {vendor}", { vendor: "Azure" }),
    "?sig= &sig= ;sig=",
    /(?<=[?&;]sig=)(?:[A-Za-z0-9/+]|%2[BF]){43}(?:=|%3D)/gi,
  ),
  form(
    l10nText("a JSON Web Token"),
    "eyJ",
    /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/g,
  ),
  form(l10nText("a user token of a registry"), "shub_user_", /\bshub_user_[A-Za-z0-9_-]{8,}/g),
  form(
    l10nText("a Project Key"),
    "skh_ sk_proj_",
    /\b(?:skh_[0-9a-f]{32,}|sk_proj_[A-Za-z0-9_-]{12,})/g,
  ),
  form(l10nText("an AWS access key"), "AKIA ASIA", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g),
  form(
    l10nText("a GitHub token"),
    "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
    /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/g,
  ),
  form(
    l10nText("a GitLab token"),
    "glpat- gldt- glrt- glptt- glcbt- glsoat-",
    /\bgl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_-]{20,}/g,
  ),
  form(
    l10nText("a Slack token"),
    "xox xapp- hooks.slack.com",
    /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,}|hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24})/g,
  ),
  form(
    l10nText("a Stripe key"),
    "sk_ rk_ whsec_",
    /\b(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,})/g,
  ),
  form(l10nText("an API key"), "sk-", /\bsk-(?:ant-|proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,}/g),
  form(l10nText("a Google API key"), "AIza", /\bAIza[A-Za-z0-9_-]{35}/g),
  form(l10nText("an npm token"), "npm_", /\bnpm_[A-Za-z0-9]{36}/g),
  tokenOf("Adafruit", "aio_", /\baio_[A-Za-z0-9]{28}\b/g),
  tokenOf("age", "AGE-SECRET-KEY-", /\bAGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}\b/g),
  tokenOf("Airtable", "pat", /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g),
  tokenOf("Alibaba Cloud", "LTAI", /\bLTAI[A-Za-z0-9]{20}\b/g),
  tokenOf("Atlassian", "ATATT3 ATCTT3", /\bAT[AC]TT3[A-Za-z0-9_=-]{60,}/g),
  tokenOf("Azure", "AccountKey=", /\bAccountKey=[A-Za-z0-9+/]{86}==/g),
  tokenOf(
    "Cloudflare",
    "cfk_ cfut_ cfat_ v1.0-",
    /\b(?:cf(?:k|ut|at)_[A-Za-z0-9]{48}|v1\.0-[0-9a-f]{24}-[0-9a-f]{146})\b/g,
  ),
  tokenOf("crates.io", "cio", /\bcio[A-Za-z0-9]{32}\b/g),
  tokenOf("Databricks", "dapi", /\bdapi[a-f0-9]{32}\b/g),
  tokenOf("DigitalOcean", "_v1_", /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  tokenOf(
    "Discord",
    "/api/webhooks/",
    /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,}/g,
  ),
  tokenOf("Docker", "dckr_", /\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}/g),
  tokenOf(
    "Doppler",
    "dp.",
    /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}/g,
  ),
  tokenOf("Dropbox", "sl.", /(?<![\w.-])sl\.(?:u\.)?[A-Za-z0-9_-]{130,}/g),
  // Base64 of zeros, which starts with EAAAA, is no token.
  tokenOf("Facebook", "EAA", /(?<![\w+/=-])EAA(?!A)[A-Za-z0-9]{100,}(?![\w+/=-])/g),
  tokenOf("Figma", "figd_", /\bfigd_[A-Za-z0-9_-]{40,}/g),
  tokenOf(
    "Fly.io",
    "fo1_ fm1 fm2_",
    /\b(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3})/g,
  ),
  tokenOf("Google", "ya29. GOCSPX-", /\b(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28})/g),
  tokenOf(
    "Grafana",
    "glsa_ glc_",
    /\b(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,})/g,
  ),
  tokenOf("Groq", "gsk_", /\bgsk_[A-Za-z0-9]{48,}/g),
  tokenOf(
    "HashiCorp",
    "hvs. hvb. hvr. .atlasv1.",
    /\b(?:hv[sbr]\.[A-Za-z0-9_-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,})/g,
  ),
  tokenOf("Heroku", "HRKU-", /\bHRKU-[A-Za-z0-9_-]{36,}/g),
  tokenOf("Hugging Face", "hf_ api_org_", /\b(?:hf|api_org)_[A-Za-z0-9]{34,}/g),
  tokenOf("Linear", "lin_", /\blin_(?:api|oauth)_[A-Za-z0-9]{40,}/g),
  tokenOf("Mailchimp", "-us", /(?<![\w-])[0-9a-f]{32}-us\d{1,2}\b/g),
  tokenOf("Mailgun", "key-", /(?<![\w-])(?:pub)?key-[0-9a-f]{32}\b/g),
  tokenOf("Netlify", "nfp_", /\bnfp_[A-Za-z0-9]{36,}/g),
  tokenOf("New Relic", "NRAK-", /\bNRAK-[A-Z0-9]{27}\b/g),
  tokenOf("Notion", "ntn_", /\bntn_[A-Za-z0-9]{40,}/g),
  tokenOf("Perplexity", "pplx-", /\bpplx-[A-Za-z0-9]{48}/g),
  tokenOf("PlanetScale", "pscale_", /\bpscale_(?:tkn|oauth|pw)_[\w=.-]{32,}/g),
  tokenOf("Postman", "PMAK-", /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g),
  tokenOf("Pulumi", "pul-", /\bpul-[a-f0-9]{40}\b/g),
  tokenOf("PyPI", "pypi-AgE", /\bpypi-AgE[A-Za-z0-9_-]{50,}/g),
  tokenOf("Replicate", "r8_", /\br8_[A-Za-z0-9]{37}\b/g),
  tokenOf("RubyGems", "rubygems_", /\brubygems_[a-f0-9]{48}\b/g),
  tokenOf("SendGrid", "SG.", /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g),
  tokenOf("Sentry", "sntry", /\bsntry[su]_[A-Za-z0-9+/=_-]{40,}/g),
  tokenOf("Shopify", "shp", /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b/g),
  tokenOf("Square", "sq0", /\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}/g),
  tokenOf("Supabase", "sbp_", /\bsbp_[a-f0-9]{40}\b/g),
  tokenOf("Tailscale", "tskey-", /\btskey-(?:auth|api|client)-[A-Za-z0-9-]{20,}/g),
  tokenOf("Telegram", ":AA", /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g),
  tokenOf("Twilio", "SK", /\bSK[a-f0-9]{32}\b/g),
  tokenOf(
    "Vercel",
    "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_",
    /\b(?:vc[piark]_[A-Za-z0-9]{24,}|vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{24,})/g,
  ),
  tokenOf("xAI", "xai-", /\bxai-[A-Za-z0-9]{70,}/g),
  // The last rows: a form of its own says more about the same range.
  form(
    l10nText("a key in an address"),
    "api_key= apikey= access_token=",
    /(?<=[?&;](?:api_?key|access_token)=)(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{16,}/g,
  ),
  form(
    l10nText("an access token"),
    "earer",
    /(?<=\b[Bb]earer )(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{20,}/g,
  ),
];
