import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";

const vault = {
  type: "string",
  title: "Vault",
  description: "The name of the vault.",
  pattern: "^[a-z][a-z0-9-]{2,30}$",
};
const names = {
  type: "array",
  title: "Secrets",
  description: "Names of the secrets to replace.",
  items: { type: "string", pattern: "^[A-Z][A-Z0-9_]{1,63}$" },
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Secrets to replace",
  type: "object",
  required: ["vault", "secrets", "reason"],
  additionalProperties: false,
  properties: {
    vault,
    secrets: names,
    reason: { enum: ["scheduled", "leak", "offboarding"], title: "Reason" },
    dryRun: {
      type: "boolean",
      title: "Only say what would happen",
      default: true,
    },
    ticket: {
      type: "string",
      title: "Ticket",
      description: "The ticket that asks for it, needed after a leak.",
      pattern: "^[A-Z]{2,8}-\\d{1,6}$",
    },
    notify: {
      type: "array",
      title: "Whom to tell",
      items: {
        oneOf: [
          {
            title: "By e-mail",
            type: "object",
            required: ["via", "address"],
            additionalProperties: false,
            properties: { via: { const: "email" }, address: { type: "string", format: "email" } },
          },
          {
            title: "In a channel",
            type: "object",
            required: ["via", "channel"],
            additionalProperties: false,
            properties: {
              via: { const: "channel" },
              channel: { type: "string", pattern: "^#[a-z0-9-]{1,40}$" },
            },
          },
        ],
      },
      maxItems: 10,
    },
  },
  if: { properties: { reason: { const: "leak" } }, required: ["reason"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, on an object nobody awaits
  then: { required: ["ticket"] },
};

const inputSchema1 = {
  $schema: schemaDialect,
  title: "Secrets to replace",
  type: "object",
  required: ["vault", "secrets"],
  additionalProperties: false,
  properties: { vault, secrets: names },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["rotated", "dryRun"],
  properties: {
    rotated: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "newVersion"],
        properties: { name: { type: "string" }, newVersion: { type: "integer", minimum: 1 } },
      },
    },
    dryRun: { type: "boolean" },
  },
};

const runtime = {
  type: "local",
  command: "vault-rotate",
  args: ["--config", "vault.toml"],
} as const;

/** Needs more permissions than the demo project gives, to show a policy block. */
export const vaultRotate: Skill = {
  slug: "vault-rotate",
  displayName: "Rotate vault secrets",
  description:
    "Replaces secrets in a vault and tells the people concerned. It needs high permissions, which this project does not give: for trying out a policy block.",
  tags: ["practice", "secrets", "rotation"],
  category: "ops",
  publisher: "lantern-security",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-10-21T13:10:00Z",
  price: { billingModel: "per_call", unitAmountCents: 10 },
  numbers: { installCount: 96, invocationCount: 1_188, successRate: 0.971, avgLatencyMs: 840 },
  feedback: [
    {
      rating: 5,
      text: "The dry run reads like a change request.",
      author: "SRE, Cape Town",
      createdAt: "2026-11-02T06:40:00Z",
    },
  ],
  releases: [
    {
      version: "1.2.0",
      publishedAt: "2026-10-19T08:00:00Z",
      changes:
        "New: reason, which must be given, ticket, notify and dryRun. Writes a local log file.",
      runtime,
      permissions: {
        network: true,
        browser: false,
        filesystem: "write",
        secrets: ["VAULT_TOKEN", "NOTIFY_TOKEN"],
      },
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "A dry run",
          input: { vault: "shop-prod", secrets: ["DB_PASSWORD"], reason: "scheduled" },
          output: { rotated: [{ name: "DB_PASSWORD", newVersion: 8 }], dryRun: true },
        },
        {
          name: "After a leak",
          input: {
            vault: "shop-prod",
            secrets: ["DB_PASSWORD", "MAIL_TOKEN"],
            reason: "leak",
            ticket: "SEC-412",
            dryRun: false,
            notify: [
              { via: "email", address: "security@shop.example" },
              { via: "channel", channel: "#incidents" },
            ],
          },
          output: {
            rotated: [
              { name: "DB_PASSWORD", newVersion: 9 },
              { name: "MAIL_TOKEN", newVersion: 3 },
            ],
            dryRun: false,
          },
        },
      ],
    },
    {
      version: "1.0.0",
      publishedAt: "2026-06-30T08:00:00Z",
      changes: "First version.",
      runtime,
      permissions: { ...noPermissions, network: true, secrets: ["VAULT_TOKEN"] },
      inputSchema: inputSchema1,
      outputSchema,
      examples: [
        {
          name: "One secret",
          input: { vault: "shop-prod", secrets: ["DB_PASSWORD"] },
          output: { rotated: [{ name: "DB_PASSWORD", newVersion: 7 }], dryRun: false },
        },
      ],
    },
  ],
};
