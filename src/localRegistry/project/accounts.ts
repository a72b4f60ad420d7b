import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { Refusal } from "../handleRequest";
import { digestOf } from "./project";

/** Roles to try out. A finance user cannot see projects. */
const roles = ["owner", "developer", "finance"] as const;

/** A user with an account. The email address starts with the role; `createdAt` is an ISO time. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly displayName: string;
  readonly role: (typeof roles)[number];
  readonly createdAt: string;
}

/** A stored user token. ISO times; `expiresAt` is null if the token never expires. */
export interface Session {
  readonly id: string;
  readonly name: string;
  readonly user: User;
  readonly digest: string;
  readonly tokenLast4: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** Delivers a code to an email address; missing if the registry cannot send email. */
export type DeliverCode = (email: string, code: string) => void;

const sessionMs = 14 * 24 * 3_600_000;
const challengeMs = 600_000;
/** The public gateway's limit. */
const maxFailedCodes = 6;

/** The users of the only organization, their sessions, and how they sign in. */
export class Accounts {
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string };
  readonly users: readonly User[];
  readonly sessions: Session[] = [];
  /** The password of every user, new at each start. */
  readonly password = randomBytes(9).toString("base64url");
  readonly #challenges = new Map<string, Challenge>();

  /** `now` is the time in milliseconds since 1970. */
  constructor(
    readonly now: () => number,
    readonly deliver: DeliverCode | undefined,
  ) {
    const createdAt = new Date(now()).toISOString();
    this.organization = { id: randomUUID(), name: "Local Workspace", slug: "local-workspace" };
    this.users = roles.map((role) => ({
      id: randomUUID(),
      email: `${role}@local.example`,
      username: role,
      displayName: `Local ${role}`,
      role,
      createdAt,
    }));
  }

  /** Starts a session and returns its token. Stores only the token's digest. */
  startSession(user: User, name: string, lastsMs = sessionMs) {
    const token = `shub_user_${randomBytes(32).toString("hex")}`;
    const now = this.now();
    const session: Session = {
      id: randomUUID(),
      name,
      user,
      digest: digestOf(token),
      tokenLast4: token.slice(-4),
      createdAt: new Date(now).toISOString(),
      expiresAt: Number.isFinite(lastsMs) ? new Date(now + lastsMs).toISOString() : null,
      lastUsedAt: null,
      revokedAt: null,
    };
    this.sessions.unshift(session);
    return { token, session };
  }

  /** Creates a token for each role, like those that an owner creates for a team. They never expire. */
  teamTokens(): Readonly<Record<User["role"], string>> {
    const tokens = this.users.map((user) => {
      return [user.role, this.startSession(user, "Team token", Number.POSITIVE_INFINITY).token];
    });
    return Object.fromEntries(tokens) as Record<User["role"], string>;
  }

  /** Finds the session of a token. Throws 401 without one, and for an expired or revoked one. */
  sessionOf(token: string | undefined): Session {
    if (token === undefined) throw new Refusal(401, "Missing authorization bearer token.");
    const digest = digestOf(token);
    const session = this.sessions.find((item) => item.digest === digest);
    if (session === undefined || this.statusOf(session) !== "active") {
      throw new Refusal(401, "Invalid or revoked user token.");
    }
    session.lastUsedAt = new Date(this.now()).toISOString();
    return session;
  }

  statusOf({ revokedAt, expiresAt }: Session): "active" | "expired" | "revoked" {
    if (revokedAt !== null) return "revoked";
    return expiresAt !== null && Date.parse(expiresAt) <= this.now() ? "expired" : "active";
  }

  /** Sends a code to an address. The response for an address without an account is the same. */
  requestCode(email: string) {
    for (const [id, { expiresAt }] of this.#challenges) {
      // Keep an expired challenge for a while, so that it differs from one that never existed.
      if (expiresAt + sessionMs <= this.now()) this.#challenges.delete(id);
    }
    const challengeId = randomUUID();
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const expiresAt = this.now() + challengeMs;
    this.#challenges.set(challengeId, { email, code, expiresAt, isUsed: false, failed: 0 });
    this.deliver?.(email, code);
    return {
      challengeId,
      createdAt: new Date(this.now()).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      delivery: { channel: "email", status: "queued" },
      deliveryPreviewCode: null,
      email,
      mode: "login",
      organizationSlug: null,
      returnTo: null,
    };
  }

  /** Returns the user of a code. Throws if it is wrong, expired or already used. */
  verifyCode(challengeId: string, code: string): User {
    const given = code.replaceAll(/[\s-]/g, "");
    if (!/^[0-9a-f-]{36}$/.test(challengeId)) {
      throw new Refusal(400, "Email verification challenge id is invalid.");
    }
    if (!/^\d{6}$/.test(given)) throw new Refusal(400, "Email verification code must be 6 digits.");
    const challenge = this.#challenges.get(challengeId);
    if (challenge === undefined) {
      throw new Refusal(404, "Email verification challenge was not found.");
    }
    if (challenge.isUsed) throw new Refusal(403, "Email verification code has already been used.");
    if (challenge.expiresAt <= this.now()) {
      throw new Refusal(400, "Email verification code has expired.");
    }
    if (challenge.failed >= maxFailedCodes) {
      throw new Refusal(403, "Email verification code has too many failed attempts.");
    }
    if (challenge.code !== given) {
      challenge.failed += 1;
      throw new Refusal(400, "Email verification code is invalid.");
    }
    const user = this.users.find(({ email }) => email === challenge.email);
    if (user === undefined) {
      throw new Refusal(400, "No SkillHub workspace was found for this verified email.");
    }
    challenge.isUsed = true;
    return user;
  }
}

interface Challenge {
  readonly email: string;
  readonly code: string;
  readonly expiresAt: number;
  isUsed: boolean;
  failed: number;
}
