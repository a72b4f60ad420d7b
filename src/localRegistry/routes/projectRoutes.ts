import { randomUUID } from "node:crypto";
import { dayMs } from "../../core/text/dates";
import { findSkill } from "../catalog/catalog";
import {
  type Answer,
  okAnswer,
  Refusal,
  type Route,
  type RouteRequest,
  refused,
} from "../handleRequest";
import { defaultPolicy, type Project } from "../project/project";
import {
  inboxRows,
  installRow,
  installUsage,
  keyRow,
  policyRow,
  projectSummary,
  recentInvocations,
  subscriptionRow,
} from "../project/projectResponses";
import type { Workspace } from "../project/workspace";
import { signedIn, type UserAnswer } from "./accountRoutes";
import { missingSlug, type Runtime } from "./runtimeRoutes";

/** Guards a route of projects: it requires a user token of an owner or developer. */
export function projectMember(workspace: Workspace, answer: UserAnswer): Route["answer"] {
  return signedIn(workspace, (request, session) => {
    if (session.user.role === "finance") {
      const needed = "super_admin, admin, owner, developer";
      throw new Refusal(403, `Requires one of these roles: ${needed}.`);
    }
    return answer(request, session);
  });
}

/** Creates a refusal with the text of the gateway's database, which the gateway passes on. */
export function databaseRefusal(text: string): Refusal {
  return new Refusal(400, text, "bad_request");
}

/** Returns the reason for a change. Throws if it is shorter than six characters. */
export function reasonOf({ body: { members } }: RouteRequest): string {
  const reason = String(members["reason"] ?? "").trim();
  if (reason.length >= 6) return reason;
  throw new Refusal(400, "A reason is required before this project operation.");
}

/** Returns the routes for projects, their keys and test runs. */
export function projectRoutes(runtime: Runtime): readonly Route[] {
  const { workspace } = runtime;
  const { projects } = workspace;
  const member = (answer: UserAnswer) => projectMember(workspace, answer);
  const keys = "/v1/projects/{project}/api-keys";
  return [
    {
      method: "GET",
      path: "/v1/developer/projects",
      answer: member((request) => listProjects(workspace, request)),
    },
    {
      method: "POST",
      path: "/v1/developer/projects",
      answer: member((request) => createProject(workspace, request)),
    },
    {
      method: "GET",
      path: "/v1/developer/projects/{project}",
      answer: member(({ params }) => {
        const project = projects.get(params["project"] ?? "");
        if (project === undefined) throw new Refusal(404, "Project not found.");
        return okAnswer({ project: projectDetail(workspace, project) });
      }),
    },
    {
      method: "GET",
      path: keys,
      // All lists of an unknown project are empty; only its detail is a 404.
      answer: member(({ params: { project = "" } }) => {
        const rows = (projects.get(project)?.keys ?? []).map((key) => keyRow(project, key));
        return okAnswer({ apiKeys: rows });
      }),
    },
    { method: "POST", path: keys, answer: member((request) => createKey(workspace, request)) },
    {
      method: "POST",
      path: `${keys}/{id}/revoke`,
      answer: member((request) => revokeKey(workspace, request)),
    },
    {
      method: "POST",
      path: "/v1/projects/{project}/runtime/test",
      answer: member(({ params, body, signal }) => {
        const project = projects.get(params["project"] ?? "");
        if (project === undefined) return refused(404, "Project not found.", "project_not_found");
        if (missingSlug(body)) return refused(400, "Missing skillSlug.", "missing_skill_slug");
        return runtime.run(project, body, "console_test", signal);
      }),
    },
  ];
}

function listProjects(workspace: Workspace, { query }: RouteRequest): Answer {
  const limit = Number(query.get("limit") ?? 50);
  if (Number.isNaN(limit)) throw databaseRefusal('invalid input syntax for type bigint: "NaN"');
  const newest = [...workspace.projects.values()].reverse().slice(0, Math.min(limit, 100));
  return okAnswer({ projects: newest.map((project) => projectSummary(workspace, project)) });
}

function createProject(workspace: Workspace, { body: { members } }: RouteRequest): Answer {
  const name = String(members["name"] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const rule = (text: string) => new Refusal(400, `Project ${text}`);
  if (name.length < 2) throw rule("name must be at least 2 characters.");
  if (name.length > 90) throw rule("name must be 90 characters or fewer.");
  const slug = String(members["slug"] ?? name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (slug.length < 2) throw rule("slug must include at least 2 letters or numbers.");
  if (slug.length > 80) throw rule("slug must be 80 characters or fewer.");
  if (workspace.projects.has(slug)) {
    throw new Refusal(400, "A project with this slug already exists in this organization.");
  }
  const project = workspace.addProject(slug, name);
  return { status: 201, body: { project: projectSummary(workspace, project) } };
}

function projectDetail(workspace: Workspace, project: Project) {
  const installedSkills = [...project.installs.values()].map((install) => {
    const { manifest: _, ...row } = installRow(project.slug, install);
    // If the policy is missing, return defaults, as the gateway does. Only an invocation reveals that it is missing.
    const policy =
      project.policies.get(install.skill.slug) ??
      defaultPolicy(install.manifest, install.installedAt);
    return {
      ...row,
      description: install.manifest.description,
      verificationStatus: install.skill.verificationStatus,
      updatedAt: install.updatedAt,
      policy: policyRow(project.slug, install.skill.slug, policy),
      pricing: { ...install.skill.price, currency: "USD", status: "active" },
      ...installUsage(workspace, project, install.skill.slug),
    };
  });
  return {
    project: projectSummary(workspace, project),
    installedSkills,
    apiKeys: project.keys.slice(0, 20).map((key) => keyRow(project.slug, key)),
    updateInbox: inboxRows(project),
    recentInvocations: recentInvocations(workspace, project),
    subscriptions: [...project.subscriptions].flatMap(([slug, subscription]) => {
      const skill = findSkill(slug);
      return skill === undefined ? [] : [subscriptionRow(skill, subscription)];
    }),
    invoices: [],
    savedSkills: [],
  };
}

function createKey(workspace: Workspace, { params, body: { members } }: RouteRequest): Answer {
  const { name = "Project API key" } = members;
  if (name === null) {
    const rule = 'null value in column "name" of relation "api_keys" violates not-null constraint';
    throw databaseRefusal(rule);
  }
  const project = workspace.openProject(params["project"] ?? "");
  const { key, kept } = project.addKey(String(name), workspace.now());
  const { lastUsedAt: _, revokedAt: __, ...row } = keyRow(project.slug, kept);
  return { status: 201, body: { apiKey: { ...row, apiKey: key } } };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function revokeKey(workspace: Workspace, request: RouteRequest): Answer {
  const { project = "", id = "" } = request.params;
  reasonOf(request);
  if (!uuid.test(id)) throw databaseRefusal(`invalid input syntax for type uuid: "${id}"`);
  const key = workspace.projects.get(project)?.keys.find((item) => item.id === id);
  if (key === undefined) throw new Refusal(400, "API key not found.");
  key.revokedAt = new Date(workspace.now()).toISOString();
  const { name, keyLast4, revokedAt } = key;
  const { id: organizationId } = workspace.accounts.organization;
  return okAnswer({
    apiKey: { id, projectSlug: project, organizationId, name, keyLast4, revokedAt },
  });
}

/** Returns the routes for payment: a checkout, and a subscription that needs no payment. */
export function paymentRoutes(workspace: Workspace): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/payment/providers",
      answer: () => okAnswer({ providers }),
    },
    {
      method: "POST",
      path: "/v1/checkout/sessions",
      answer: projectMember(workspace, (request) => checkout(workspace, request)),
    },
    {
      method: "POST",
      path: "/v1/projects/{project}/subscriptions",
      answer: projectMember(workspace, (request) => subscribe(workspace, request)),
    },
    {
      method: "PUT",
      path: "/v1/projects/{project}/subscriptions/{id}/status",
      answer: projectMember(workspace, refuseStatus),
    },
  ];
}

const providers = ["stripe", "paypal"].map((provider) => ({
  provider,
  status: "disabled",
  configured: false,
  environment: "test",
}));

/** Rejects every purchase, like an installation without payments. */
function checkout(workspace: Workspace, { body: { members } }: RouteRequest): Answer {
  const { projectSlug, skillSlug, provider = "stripe" } = members;
  if (provider !== "stripe" && provider !== "paypal") {
    throw new Refusal(400, "Checkout provider must be stripe or paypal.");
  }
  const skill = findSkill(String(skillSlug));
  const isSold = skill !== undefined && skill.price.billingModel !== "free";
  if (!isSold || !workspace.projects.has(String(projectSlug))) {
    throw new Refusal(404, "Active skill price or project not found.");
  }
  const name = provider === "stripe" ? "Stripe" : "PayPal";
  const rule = `${name} commerce is not active. Configure ${name} in admin platform settings.`;
  throw new Refusal(400, rule);
}

/** Rejects pausing, resuming and canceling a subscription: the gateway's query always fails. */
function refuseStatus(): Answer {
  throw new Refusal(400, "FOR UPDATE cannot be applied to the nullable side of an outer join");
}

const [defaultTrialDays, longestTrialDays, paidDays] = [14, 90, 30];

/** Starts or renews a subscription. Like the gateway, grants an active one to anybody who requests it. */
function subscribe(workspace: Workspace, { params, body: { members } }: RouteRequest): Answer {
  const { skillSlug, status = "trialing", trialDays } = members;
  if (typeof skillSlug !== "string" || skillSlug === "") {
    throw new Refusal(400, "skillSlug is required.");
  }
  if (status !== "trialing" && status !== "active") {
    throw new Refusal(400, "Subscription status must be trialing or active.");
  }
  const project = workspace.projects.get(params["project"] ?? "");
  const skill = findSkill(skillSlug);
  if (project === undefined || skill === undefined) {
    throw new Refusal(400, "Project, skill, or active price not found.");
  }
  if (skill.price.billingModel !== "subscription") {
    const rule = "Only subscription-priced skills can create project subscriptions.";
    throw new Refusal(400, rule);
  }
  const now = workspace.now();
  const trial = typeof trialDays === "number" && trialDays >= 1 ? trialDays : defaultTrialDays;
  const days = status === "active" ? paidDays : Math.min(trial, longestTrialDays);
  const at = new Date(now).toISOString();
  const before = project.subscriptions.get(skillSlug);
  const subscription = {
    id: before?.id ?? randomUUID(),
    status,
    currentPeriodStart: at,
    currentPeriodEnd: new Date(now + days * dayMs).toISOString(),
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  } as const;
  project.subscriptions.set(skillSlug, subscription);
  const { id: organizationId } = workspace.accounts.organization;
  const row = subscriptionRow(skill, subscription);
  return {
    status: 201,
    body: { subscription: { ...row, projectSlug: project.slug, organizationId } },
  };
}
