import { randomUUID } from "node:crypto";
import { findSkill, type Skill } from "../catalog/catalog";
import {
  type Answer,
  bearerToken,
  okAnswer,
  Refusal,
  type Route,
  type RouteRequest,
} from "../handleRequest";
import type { Accounts, Session, User } from "../project/accounts";
import type { Workspace } from "../project/workspace";

/** A route for signed-in users. */
export type UserAnswer = (request: RouteRequest, session: Session) => Answer | Promise<Answer>;

/** Guards a route: it accepts only a user token, never a Project Key. */
export function signedIn({ accounts }: Workspace, answer: UserAnswer): Route["answer"] {
  return (request) => answer(request, accounts.sessionOf(bearerToken(request.authorization)));
}

/** Returns the routes for signing in and for the signed-in account. */
export function accountRoutes(workspace: Workspace): readonly Route[] {
  const { accounts } = workspace;
  const user = (answer: UserAnswer) => signedIn(workspace, answer);
  return [
    { method: "GET", path: "/v1/auth/providers", answer: () => okAnswer({ providers }) },
    {
      method: "POST",
      path: "/v1/auth/email/request-code",
      answer: (request) => requestCode(accounts, request),
    },
    {
      method: "POST",
      path: "/v1/auth/email/verify-code",
      answer: ({ body: { members } }) => {
        const owner = accounts.verifyCode(
          String(members["challengeId"] ?? ""),
          String(members["code"] ?? ""),
        );
        return okAnswer({ login: login(accounts, owner, "Email verification session") });
      },
    },
    {
      method: "POST",
      path: "/v1/auth/password/login",
      answer: (request) => passwordLogin(accounts, request),
    },
    {
      method: "GET",
      path: "/v1/auth/me",
      answer: user((_, session) => okAnswer({ subject: subject(accounts, session) })),
    },
    {
      method: "GET",
      path: "/v1/account",
      answer: user((_, session) => okAnswer({ account: account(workspace, session) })),
    },
    {
      method: "GET",
      path: "/v1/account/sessions",
      answer: user((_, session) => {
        const own = accounts.sessions.filter((item) => item.user === session.user);
        return okAnswer({ sessions: own.map((item) => listed(accounts, item, session)) });
      }),
    },
    {
      method: "POST",
      path: "/v1/account/sessions/{id}/revoke",
      answer: user(({ params }, session) => revokeSession(accounts, params["id"], session)),
    },
    {
      method: "POST",
      path: "/v1/organization/team/members/{id}/tokens",
      answer: user((request, session) => createToken(accounts, request, session)),
    },
  ];
}

const providers = [
  ["email", "email", "active", "Email code"],
  ["google", "oauth", "configuration_required", "Google"],
  ["github", "oauth", "configuration_required", "GitHub"],
  ["token", "token", "active", "User token"],
].map(([provider, type, status, label]) => ({
  provider,
  type,
  status,
  label,
  description: `Sign in by ${label}.`,
  startUrl: null,
}));

// The gateway's default mode creates a new workspace, which this registry does not allow.
function requestCode(accounts: Accounts, { body: { members } }: RouteRequest): Answer {
  const { mode = "signup", email } = members;
  if (mode !== "login" && mode !== "signup") {
    throw new Refusal(400, "Email access mode must be login or signup.");
  }
  if (mode !== "login") {
    throw new Refusal(403, "Public email access is disabled for this deployment.");
  }
  if (typeof email !== "string" || !/^[^\s@]{1,64}@[^\s@]{1,250}$/.test(email)) {
    throw new Refusal(400, "A valid email is required.");
  }
  return { status: 201, body: { challenge: accounts.requestCode(email.trim().toLowerCase()) } };
}

function passwordLogin(accounts: Accounts, { body: { members } }: RouteRequest): Answer {
  const identifier = String(members["identifier"] ?? "").trim();
  const password = String(members["password"] ?? "");
  if (identifier === "") throw new Refusal(400, "Email or username is required.");
  if (!identifier.includes("@") && !/^[\w-]{3,32}$/.test(identifier)) {
    const allowed = "3-32 characters using letters, numbers, underscores, or hyphens";
    throw new Refusal(400, `Username must be ${allowed}.`);
  }
  if (password.length < 8 || password.length > 128) {
    throw new Refusal(400, "Password must be 8-128 characters.");
  }
  const user = accounts.users.find((item) => [item.email, item.username].includes(identifier));
  if (user === undefined || password !== accounts.password) {
    throw new Refusal(400, "Email/username or password is incorrect.");
  }
  return okAnswer({ login: login(accounts, user, "Password login session") });
}

function login(accounts: Accounts, user: User, name: string) {
  const { token, session } = accounts.startSession(user, name);
  const { id, tokenLast4, expiresAt, createdAt } = session;
  return {
    accessToken: { id, name, tokenPrefix, tokenLast4, expiresAt, createdAt, token },
    organization: accounts.organization,
    returnTo: null,
    user: { id: user.id, email: user.email, displayName: user.displayName, platformRole: "user" },
  };
}

/** Creates a token that never expires. Like the gateway, ignores a requested expiry or scope. */
function createToken(
  accounts: Accounts,
  { params, body: { members } }: RouteRequest,
  { user }: Session,
): Answer {
  if (user.role !== "owner") {
    throw new Refusal(403, "Requires one of these roles: super_admin, admin, owner.");
  }
  const owner = accounts.users.find(({ id }) => id === params["id"]);
  if (owner === undefined) throw new Refusal(404, "Organization team member was not found.");
  const name = String(members["tokenName"] ?? "SkillHub team access").slice(0, 120);
  const { token, session } = accounts.startSession(owner, name, Number.POSITIVE_INFINITY);
  const { id, tokenLast4, createdAt } = session;
  const accessToken = { id, name, tokenPrefix, tokenLast4, createdAt, token };
  const { email, displayName, role } = owner;
  return {
    status: 201,
    body: { accessToken, member: { userId: owner.id, email, displayName, role } },
  };
}

const tokenPrefix = "shub_user";

function subject({ organization }: Accounts, { id, user }: Session) {
  return {
    type: "user",
    userId: user.id,
    email: user.email,
    displayName: user.displayName,
    platformRole: "user",
    organizationId: organization.id,
    roles: ["user", user.role],
    tokenId: id,
  };
}

function account({ accounts, projects }: Workspace, session: Session) {
  const { organization, users, sessions } = accounts;
  const { id: userId, email, displayName, createdAt, role } = session.user;
  const membership = {
    organizationId: organization.id,
    organizationName: organization.name,
    organizationSlug: organization.slug,
    role,
    memberSince: createdAt,
  };
  return {
    profile: { userId, email, displayName, platformRole: "user", createdAt },
    organization: { ...organization, createdAt },
    membership,
    memberships: [membership],
    session: facts(session),
    workspace: {
      projectCount: projects.size,
      skillCount: 0,
      teamMemberCount: users.length,
      activeTokenCount: sessions.filter((item) => accounts.statusOf(item) === "active").length,
      unreadNotifications: 0,
    },
    loginMethods: ["email", "password", "token"],
  };
}

function facts({ id, name, tokenLast4, expiresAt, lastUsedAt, revokedAt, createdAt }: Session) {
  const token = { tokenId: id, name, tokenPrefix, tokenLast4, scopes: [] };
  return { ...token, expiresAt, lastUsedAt, revokedAt, createdAt };
}

function listed(accounts: Accounts, session: Session, current: Session) {
  const { id, name, slug } = accounts.organization;
  return {
    ...facts(session),
    organizationId: id,
    organizationName: name,
    organizationSlug: slug,
    isCurrent: session === current,
    status: accounts.statusOf(session),
  };
}

function revokeSession(accounts: Accounts, id: string | undefined, current: Session): Answer {
  const session = accounts.sessions.find((item) => item.id === id && item.user === current.user);
  if (session === undefined) throw new Refusal(404, "Account session was not found.");
  if (session === current) {
    const hint = "Use sign out to end it.";
    throw new Refusal(403, `The current session cannot be revoked from this list. ${hint}`);
  }
  session.revokedAt ??= new Date(accounts.now()).toISOString();
  return okAnswer({ session: listed(accounts, session, current) });
}

/** Returns the routes for ratings and reports of a skill. They are accepted but never shown, as if in moderation. */
export function feedbackRoutes(workspace: Workspace): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v1/skills/{slug}/feedback",
      answer: signedIn(workspace, (request, session) => rate(workspace, request, session)),
    },
    {
      method: "POST",
      path: "/v1/skills/{slug}/abuse-reports",
      answer: signedIn(workspace, (request) => report(workspace, request)),
    },
  ];
}

function rate(workspace: Workspace, request: RouteRequest, { user }: Session): Answer {
  const { rating, useCase = null } = request.body.members;
  if (!Number.isInteger(rating) || Number(rating) < 1 || Number(rating) > 5) {
    throw new Refusal(400, "Rating must be an integer between 1 and 5.");
  }
  const title = textOf(request, "title", 140);
  const body = textOf(request, "body", 1800);
  const { slug: skillSlug } = skillOf(request);
  const projectSlug = projectOf(workspace, request);
  const { email } = user;
  const given = { id: randomUUID(), skillSlug, projectSlug, rating, title, body, useCase, email };
  const createdAt = new Date(workspace.now()).toISOString();
  return { status: 201, body: { feedback: { ...given, status: "pending", createdAt } } };
}

const categories = "malicious security privacy copyright spam quality billing other".split(" ");
const severities = ["low", "medium", "high", "critical"];

function report(workspace: Workspace, request: RouteRequest): Answer {
  const { category, severity, evidenceUrl = null } = request.body.members;
  const title = textOf(request, "title", 140);
  const description = textOf(request, "description", 4000);
  const { slug: skillSlug } = skillOf(request);
  const abuseReport = {
    id: randomUUID(),
    skillSlug,
    projectSlug: projectOf(workspace, request),
    title,
    description,
    category: categories.find((item) => item === category) ?? "other",
    severity: severities.find((item) => item === severity) ?? "medium",
    evidenceUrl,
    status: "open",
    createdAt: new Date(workspace.now()).toISOString(),
  };
  return { status: 201, body: { abuseReport } };
}

function skillOf({ params }: RouteRequest): Skill {
  const skill = findSkill(params["slug"]);
  if (skill === undefined) throw new Refusal(400, "Skill not found.");
  return skill;
}

function projectOf({ projects }: Workspace, { body: { members } }: RouteRequest): string | null {
  const { projectSlug = null } = members;
  if (projectSlug === null) return null;
  if (!projects.has(String(projectSlug))) {
    throw new Refusal(400, "Project not found for this organization.");
  }
  return String(projectSlug);
}

function textOf({ body: { members } }: RouteRequest, name: string, longest: number): string {
  const text = String(members[name] ?? "").trim();
  if (text === "") throw new Refusal(400, `${name} is required.`);
  return text.slice(0, longest);
}
