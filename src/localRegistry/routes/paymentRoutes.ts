import { randomUUID } from "node:crypto";
import { findSkill } from "../catalog/catalog";
import { subscriptionRow } from "../project/projectViews";
import type { Workspace } from "../project/workspace";
import { type Answer, Refusal, type Route, type RouteRequest } from "../server/route";
import { projectMember } from "./projectRoutes";

/** How a project comes to what costs: a checkout, and a subscription that asks for no payment. */
export function paymentRoutes(workspace: Workspace): readonly Route[] {
  return [
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

/** Sells nothing, as an installation without payments does. */
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

/** On the gateway a subscription can be neither paused nor resumed nor canceled: its query always fails. */
function refuseStatus(): Answer {
  throw new Refusal(400, "FOR UPDATE cannot be applied to the nullable side of an outer join");
}

const dayMs = 24 * 3_600_000;
const [defaultTrialDays, longestTrialDays, paidDays] = [14, 90, 30];

/** Starts or renews a subscription. As on the gateway, an active one is there for the asking. */
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
