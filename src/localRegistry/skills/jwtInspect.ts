import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { describeToken } from "../computations/describeToken";
import { InputReader } from "../runtime/inputReader";
import { failed, type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input, { now }) => {
  const reader = new InputReader(input);
  const token = reader.text("token", { min: 1, max: 16_384 });
  const at = Date.parse(reader.text("at", { fallback: new Date(now()).toISOString(), max: 40 }));
  const tolerance = reader.wholeNumber("clockToleranceSeconds", { fallback: 0, min: 0, max: 600 });
  if (Number.isNaN(at)) reader.reject("at", "is not a date and time");
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  const described = describeToken(token.trim(), at / 1000, tolerance);
  return described.ok ? succeeded(described.output) : failed(described.error);
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Token to look at",
  type: "object",
  required: ["token"],
  additionalProperties: false,
  properties: {
    token: {
      type: "string",
      title: "Token",
      description: "The JSON Web Token, without Bearer in front. Use one from a test system.",
      pattern: "^\\s*[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]*){2}((\\.[A-Za-z0-9_-]*){2})?\\s*$",
      maxLength: 16_384,
    },
    at: {
      type: "string",
      format: "date-time",
      title: "At",
      description: "The time to judge the token at, with its offset. Left out: now.",
    },
    clockToleranceSeconds: {
      type: "integer",
      title: "Clock tolerance",
      description: "Seconds by which clocks may differ.",
      minimum: 0,
      maximum: 600,
      default: 0,
    },
  },
};

const time = { type: ["string", "null"], format: "date-time" };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["verified", "header", "claims", "state", "problems"],
  properties: {
    verified: { const: false, description: "Always false: signatures are never checked here." },
    note: { type: "string" },
    header: { type: "object" },
    claims: { type: ["object", "null"], description: "Null if the token is encrypted." },
    encrypted: { type: "boolean" },
    signed: { type: "boolean", description: "Whether there is a signature, right or not." },
    state: { enum: ["active", "expired", "not yet valid", "never expires", "unknown"] },
    issuedAt: time,
    notBefore: time,
    expiresAt: time,
    problems: { type: "array", items: { type: "string" } },
  },
};

/** Shows what is in a JSON Web Token. */
export const jwtInspect: Skill = {
  slug: "jwt-inspect",
  displayName: "Inspect a JSON Web Token",
  description:
    "Decodes a JSON Web Token, shows its header, claims and times in words, and points at weaknesses such as a missing expiry. It never verifies the signature.",
  tags: ["jwt", "token", "debugging"],
  category: "security",
  publisher: "lantern-security",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-06-10T09:20:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 519, invocationCount: 22_416, successRate: 0.968, avgLatencyMs: 4 },
  feedback: [
    {
      rating: 5,
      text: "Runs on our own machine, so tokens stay with us.",
      author: "Platform team",
      createdAt: "2026-06-25T11:11:00Z",
    },
    {
      rating: 4,
      text: "Clear about not verifying anything.",
      author: "S. Haddad",
      createdAt: "2026-10-09T17:28:00Z",
    },
  ],
  releases: [
    {
      version: "1.1.0",
      publishedAt: "2026-06-08T08:00:00Z",
      changes: "New: clockToleranceSeconds. Encrypted tokens show their header.",
      runtime: { type: "local", command: "jwt-inspect", args: ["--stdin"] },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "An active token",
          input: {
            token:
              "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJkZW1vIiwic3ViIjoiYW5hIiwiaWF0IjoxNzkwMDAwMDAwLCJleHAiOjE3OTAwMDM2MDB9.c2lnbmF0dXJlLWZvci1zaG93",
            at: "2026-09-21T14:40:00Z",
          },
          output: {
            verified: false,
            note: "Decoded only: the signature was not checked, so nothing in the token is proven.",
            header: { alg: "HS256", typ: "JWT" },
            claims: {
              iss: "https://id.example",
              aud: "demo",
              sub: "ana",
              iat: 1790000000,
              exp: 1790003600,
            },
            encrypted: false,
            signed: true,
            state: "active",
            issuedAt: "2026-09-21T14:13:20.000Z",
            notBefore: null,
            expiresAt: "2026-09-21T15:13:20.000Z",
            problems: [],
          },
        },
        {
          name: "A token anyone could have written",
          input: { token: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.", at: "2026-09-21T14:40:00Z" },
          output: {
            verified: false,
            note: "Decoded only: the signature was not checked, so nothing in the token is proven.",
            header: { alg: "none" },
            claims: { sub: "ana" },
            encrypted: false,
            signed: false,
            state: "never expires",
            issuedAt: null,
            notBefore: null,
            expiresAt: null,
            problems: [
              "The algorithm is none: anyone could have written this token.",
              "There is no signature.",
              "There is no expiry (exp).",
              "The claim iss is missing.",
              "The claim aud is missing.",
            ],
          },
        },
      ],
      run,
    },
  ],
};
