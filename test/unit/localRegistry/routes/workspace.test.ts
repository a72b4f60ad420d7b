import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import {
  demo,
  install,
  itAnswers,
  keyRoute,
  login,
  noId,
  policies,
  projects,
  type Row,
  role,
  signIn,
  text,
  verify,
  withWorkspace,
} from "../withWorkspace";

const missing = "Missing authorization bearer token.";

const revoked = "Invalid or revoked user token.";

const reason = "A reason is required before this project operation.";

const bad = (error: string): JsonObject => ({ code: "bad_request", error });

/** Requests that change nothing that another row uses. */
const rows: readonly Row[] = [
  ["nobody", "GET /v1/auth/me", undefined, 401, missing],
  ["key", "GET /v1/auth/me", undefined, 401, revoked],
  ["key", `GET ${projects}`, undefined, 401, revoked],
  ["key", `POST ${demo}/runtime/test`, {}, 401, revoked],
  ["nobody", `GET ${install}`, undefined, 401, missing],
  ["finance", `GET ${projects}`, undefined, 403, role],
  ["finance", keyRoute, { name: "x" }, 403, role],
  ["finance", `PUT ${policies}/text-stats`, {}, 403, role],
  ["finance", "GET /v1/auth/me", undefined, 200, { subject: { roles: ["user", "finance"] } }],

  [
    "nobody",
    signIn,
    { email: "a@b.example" },
    403,
    "Public email access is disabled for this deployment.",
  ],
  ["nobody", signIn, { mode: "x" }, 400, "Email access mode must be login or signup."],
  ["nobody", signIn, { mode: "login", email: "nobody" }, 400, "A valid email is required."],
  [
    "nobody",
    signIn,
    { mode: "login", email: "stranger@b.example" },
    201,
    { challenge: { mode: "login", deliveryPreviewCode: null, email: "stranger@b.example" } },
  ],
  [
    "nobody",
    verify,
    { challengeId: "x", code: "123456" },
    400,
    "Email verification challenge id is invalid.",
  ],
  [
    "nobody",
    verify,
    { challengeId: noId, code: "12345" },
    400,
    "Email verification code must be 6 digits.",
  ],
  [
    "nobody",
    verify,
    { challengeId: noId, code: "123456" },
    404,
    "Email verification challenge was not found.",
  ],
  ["nobody", login, {}, 400, "Email or username is required."],
  [
    "nobody",
    login,
    { identifier: "owner", password: "short" },
    400,
    "Password must be 8-128 characters.",
  ],
  [
    "nobody",
    login,
    { identifier: "a b", password: "longenough" },
    400,
    "Username must be 3-32 characters using letters, numbers, underscores, or hyphens.",
  ],
  [
    "nobody",
    login,
    { identifier: "owner", password: "longenough" },
    400,
    "Email/username or password is incorrect.",
  ],
  [
    "nobody",
    login,
    { identifier: "stranger", password: "longenough" },
    400,
    "Email/username or password is incorrect.",
  ],

  ["owner", "POST /v1/account/sessions/x/revoke", {}, 404, "Account session was not found."],
  [
    "owner",
    `GET ${projects}?limit=abc`,
    undefined,
    400,
    bad('invalid input syntax for type bigint: "NaN"'),
  ],
  ["owner", `GET ${projects}/nothing-here`, undefined, 404, "Project not found."],
  ["owner", `POST ${projects}`, { name: "x" }, 400, "Project name must be at least 2 characters."],
  [
    "owner",
    `POST ${projects}`,
    { name: "x".repeat(91) },
    400,
    "Project name must be 90 characters or fewer.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "日本語" },
    400,
    "Project slug must include at least 2 letters or numbers.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "ok", slug: "s".repeat(81) },
    400,
    "Project slug must be 80 characters or fewer.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "Local Demo" },
    400,
    "A project with this slug already exists in this organization.",
  ],
  [
    "owner",
    `POST ${projects}`,
    { name: "  A   new\tone " },
    201,
    { project: { slug: "a-new-one", name: "A new one" } },
  ],

  ["owner", "GET /v1/projects/nothing-here/api-keys", undefined, 200, { apiKeys: [] }],
  [
    "owner",
    "GET /v1/projects/nothing-here/installed-skills",
    undefined,
    200,
    { installedSkills: [] },
  ],
  ["owner", "GET /v1/projects/nothing-here/policies", undefined, 200, { policies: [] }],
  ["owner", "GET /v1/projects/nothing-here/update-inbox", undefined, 200, { updates: [] }],

  ["developer", `${keyRoute}/${noId}/revoke`, {}, 400, reason],
  ["developer", `${keyRoute}/${noId}/revoke`, { reason: "short" }, 400, reason],
  ["developer", `${keyRoute}/${noId}/revoke`, { reason: "long enough" }, 400, "API key not found."],
  [
    "developer",
    `${keyRoute}/zzz/revoke`,
    { reason: "long enough" },
    400,
    bad('invalid input syntax for type uuid: "zzz"'),
  ],
  ["developer", keyRoute, { name: null }, 400, { code: "bad_request" }],

  ["owner", `POST ${install}`, {}, 400, "Missing skillSlug."],
  ["owner", `POST ${install}`, { skillSlug: "nothing-here" }, 400, "Skill or version not found."],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: text, version: "9.9.9" },
    400,
    "Skill or version not found.",
  ],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: "draft-writer" },
    400,
    "Only verified skills can be installed into developer projects.",
  ],
  [
    "owner",
    `POST ${install}`,
    { skillSlug: "flaky-fetch" },
    400,
    "Only verified skills can be installed into developer projects.",
  ],
  ["owner", `PUT ${install}/${text}/status`, {}, 400, "Missing install status."],
  [
    "owner",
    `PUT ${install}/${text}/status`,
    { status: "x" },
    400,
    "Install status must be installed, suspended, or removed.",
  ],
  ["owner", `PUT ${install}/${text}/status`, { status: "removed" }, 400, reason],
  [
    "owner",
    `PUT ${install}/nothing-here/status`,
    { status: "installed" },
    400,
    "Installed skill not found for this project.",
  ],

  ["owner", `PUT ${policies}/nothing-here`, {}, 400, "Skill or version not found."],
  ["owner", `PUT ${policies}/${text}`, { rateLimitPerMinute: 0 }, 400, { code: "bad_request" }],
  ["owner", `PUT ${policies}/${text}`, { monthlyBudgetCents: -1 }, 400, { code: "bad_request" }],
  ["owner", `PUT ${policies}/${text}`, { filesystemAccess: "all" }, 400, { code: "bad_request" }],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: 1.5 },
    400,
    bad('invalid input syntax for type integer: "1.5"'),
  ],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: "5", allowNetwork: "no", other: 1 },
    200,
    { policy: { rateLimitPerMinute: 5, allowNetwork: false } },
  ],
  [
    "owner",
    `PUT ${policies}/${text}`,
    { rateLimitPerMinute: null },
    200,
    { policy: { rateLimitPerMinute: 60 } },
  ],
  [
    "developer",
    `PUT ${policies}/status-notice`,
    { approvalRequired: false },
    400,
    "Owner or admin role is required to approve high-risk project policy.",
  ],

  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    {},
    400,
    "Update action status must be acknowledged, scheduled, adopted, or ignored.",
  ],
  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    { status: "ignored" },
    400,
    "Update event not found for this project.",
  ],
  [
    "owner",
    `PUT ${demo}/update-inbox/${noId}/action`,
    { status: "scheduled", scheduledFor: "soon" },
    400,
    "scheduledFor must be a valid date.",
  ],

  ["owner", "POST /v1/projects/nothing-here/runtime/test", {}, 404, { code: "project_not_found" }],
  ["owner", `POST ${demo}/runtime/test`, {}, 400, { code: "missing_skill_slug" }],

  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 6 },
    400,
    "Rating must be an integer between 1 and 5.",
  ],
  ["finance", "POST /v1/skills/text-stats/feedback", { rating: 5 }, 400, "title is required."],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t" },
    400,
    "body is required.",
  ],
  [
    "finance",
    "POST /v1/skills/x/feedback",
    { rating: 5, title: "t", body: "b" },
    400,
    "Skill not found.",
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t", body: "b", projectSlug: "x" },
    400,
    "Project not found for this organization.",
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/feedback",
    { rating: 5, title: "t", body: "b" },
    201,
    { feedback: { status: "pending" } },
  ],
  [
    "finance",
    "POST /v1/skills/text-stats/abuse-reports",
    { title: "t", description: "d", category: "x" },
    201,
    { abuseReport: { category: "other" } },
  ],

  ["nobody", "GET /v1/status", undefined, 200, { status: { overall: "degraded" } }],
];

/** Operations that the gateway does not have: another registry may lack any. */
const absent = [
  `POST ${keyRoute.slice(5)}/${noId}/rotate`,
  `DELETE ${policies}/text-stats`,
  `PUT ${projects}/local-demo`,
  "POST /v1/auth/logout",
  "GET /v1/admin/audit-logs",
];

describe("the workspace's routes", () => {
  const { ask } = withWorkspace();
  itAnswers(rows, ask);
  for (const request of absent) {
    it(`have no ${request}`, async () => {
      const answer = await ask("owner", request, request.startsWith("P") ? {} : undefined);
      assert.deepEqual([answer.status, answer.text], [404, "404 Not Found"]);
    });
  }
});
