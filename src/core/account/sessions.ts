import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import type { RegistryFailure } from "../registry/registryFailure";
import { momentText } from "../text/dates";
import type { Language } from "../text/language";

/** The signed-in user, with organization and role. */
export interface Account {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string;
  readonly organization: string;
  /**
   * owner, admin, developer, publisher, reviewer, finance or another word of the registry; empty if it returns none.
   */
  readonly role: string;
  /** The registry's name for the token. It is not secret. */
  readonly tokenId: string;
  /** Milliseconds since 1970; missing for a token that does not expire. */
  readonly expiresAt?: number;
}

/** A stored sign-in: an account and its token. */
export interface UserSession extends Account {
  readonly origin: string;
  readonly token: string;
  /**
   * Whether signing in created the token, so that signing out may revoke it. A pasted token may be in use elsewhere.
   */
  readonly isOurs: boolean;
}

/** Identifies an account among all registries: one person in one organization of one registry. */
export function accountKey({
  origin,
  userId,
  organizationId,
}: Pick<UserSession, "origin" | "userId" | "organizationId">): string {
  return `${origin} ${userId}:${organizationId}`;
}

/** Identifies a session: by its account, and the registry's name for the token. */
export function sessionId(session: UserSession): string {
  return `${accountKey(session)} ${session.tokenId}`;
}

/** Parses stored sessions. Leaves out invalid entries. */
export function readSessions(text: string): readonly UserSession[] {
  const data = parsedJson(text);
  return Array.isArray(data) ? (data.filter(isSession) as unknown as readonly UserSession[]) : [];
}

function isSession(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const texts = ["origin", "token", "userId", "email", "organizationId", "organization", "role"];
  return (
    [...texts, "tokenId"].every((name) => typeof value[name] === "string") &&
    typeof value["isOurs"] === "boolean" &&
    ["undefined", "number"].includes(typeof value["expiresAt"])
  );
}

/** Returns the organization of an account, as `accountKey` names it. */
export function organizationOf(key: string): string {
  return key.slice(key.lastIndexOf(":") + 1);
}

/** Returns whether two accounts are in the same organization. `key` is from `accountKey`. */
export function isSameOrganization(
  key: string,
  { origin, organizationId }: Pick<UserSession, "origin" | "organizationId">,
): boolean {
  return key.startsWith(`${origin} `) && organizationOf(key) === organizationId;
}

/** Names an account on screen: `email (organization)`. */
export function accountLabel({ email, organization }: Account): string {
  return organization === "" ? email : `${email} (${organization})`;
}

/** Keeps the sessions that have not expired. */
export function liveSessions(
  sessions: readonly UserSession[],
  now: number,
): readonly UserSession[] {
  return sessions.filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt > now);
}

/** Adds a session, replacing the previous one of the same account. */
export function withSession(
  sessions: readonly UserSession[],
  session: UserSession,
): readonly UserSession[] {
  const name = accountKey(session);
  return [...sessions.filter((item) => accountKey(item) !== name), session];
}

/** Returns the session to use at a registry: that of the account in use, else the most recent one. */
export function sessionAt(
  sessions: readonly UserSession[],
  origin: string,
  inUse: string | undefined,
): UserSession | undefined {
  const here = sessions.filter((session) => session.origin === origin);
  return here.find((session) => accountKey(session) === inUse) ?? here.at(-1);
}

/**
 * Returns whether a response ends a session. Only 401 does: the public gateway also returns 400 when its database is
 * down, and 403 for a missing role.
 */
export function endsSession(failure: RegistryFailure): boolean {
  return failure.kind === "errorAnswer" && failure.status === 401;
}

/** Returns whether a failure means that the registry has no such route: a 404 without a message, 405 or 501. */
export function isNotOffered(failure: RegistryFailure): boolean {
  if (failure.kind === "notFound") return failure.message === undefined;
  return failure.kind === "errorAnswer" && (failure.status === 405 || failure.status === 501);
}

/** Returns whether a failure means that the user's role lacks the permission: 403. */
export function isWrongRole(failure: RegistryFailure): boolean {
  return failure.kind === "errorAnswer" && failure.status === 403;
}

/**
 * Returns whether a change may have been made without a confirming response: the request was sent, and its response is
 * inconclusive.
 */
export function mayHaveTakenEffect(failure: RegistryFailure): boolean {
  switch (failure.kind) {
    case "timeout":
    case "connectionLost":
    case "cancelled":
    case "unreadable":
    case "tooLarge":
      return true;
    case "errorAnswer":
      return failure.status >= 500;
    default:
      return false;
  }
}

const twoDaysMs = 2 * 24 * 3_600_000;

/** Warns that a sign-in ends within two days. Empty before that. */
export function expiryWarning({ expiresAt }: Account, now: number, language: Language): string {
  if (expiresAt === undefined || expiresAt - now > twoDaysMs) return "";
  return language.t("Your sign-in ends {time}. Sign in again to stay signed in.", {
    time: momentText(expiresAt, language),
  });
}

/**
 * Returns the time of the next notice about a sign-in's end: two days before it, then at its end, in milliseconds since
 * 1970. Undefined after both.
 */
export function nextExpiryMoment({ expiresAt }: Account, now: number): number | undefined {
  if (expiresAt === undefined) return undefined;
  return [expiresAt - twoDaysMs, expiresAt].find((moment) => moment > now);
}

/** Describes a sign-out: who signed out, and how long the registry still accepts the token. */
export function signedOutText(session: UserSession, language: Language): string {
  const { t } = language;
  const { isOurs, expiresAt } = session;
  const account = accountLabel(session);
  if (!isOurs) {
    return t("{account} is signed out here. The pasted token stays valid at the registry.", {
      account,
    });
  }
  return expiresAt === undefined
    ? t("{account} is signed out. The registry keeps the session until the next sign-in here.", {
        account,
      })
    : t(
        "{account} is signed out. The registry keeps the session until {time}, or the next sign-in here.",
        { account, time: momentText(expiresAt, language) },
      );
}

/** A session that was removed here. The next sign-in of the same person revokes it. */
export interface ForgottenSession {
  readonly origin: string;
  readonly userId: string;
  readonly tokenId: string;
  /** Milliseconds since 1970; missing if it does not expire. */
  readonly expiresAt?: number;
}

/** Parses stored sessions that are to be revoked. Leaves out invalid entries. */
export function readForgotten(data: unknown): readonly ForgottenSession[] {
  const all: readonly unknown[] = Array.isArray(data) ? data : [];
  return all.filter((item): item is ForgottenSession => {
    if (!isJsonObject(item)) return false;
    const { origin, userId, tokenId, expiresAt = 0 } = item;
    const areTexts = [origin, userId, tokenId].every((text) => typeof text === "string");
    return areTexts && typeof expiresAt === "number";
  });
}

/** The maximum number of sessions to revoke. A program that signs in and out forever must not fill the storage. */
const maxForgotten = 100;

/** Adds a signed-out session. Leaves out one with a pasted token, which may be in use elsewhere. */
export function withForgotten(
  forgotten: readonly ForgottenSession[],
  { origin, userId, tokenId, expiresAt, isOurs }: UserSession,
  now: number,
): readonly ForgottenSession[] {
  const unexpired = forgotten.filter(({ expiresAt: end = Number.POSITIVE_INFINITY }) => end > now);
  if (!isOurs || tokenId === "") return unexpired;
  const entry = { origin, userId, tokenId, ...(expiresAt !== undefined && { expiresAt }) };
  return [...unexpired, entry].slice(-maxForgotten);
}

/** Lists what a new session should revoke: other sessions of the same person at the same registry. */
export function sessionsToRevoke(
  forgotten: readonly ForgottenSession[],
  { origin, userId, tokenId }: UserSession,
): readonly ForgottenSession[] {
  return forgotten.filter(
    (session) =>
      session.origin === origin && session.userId === userId && session.tokenId !== tokenId,
  );
}
