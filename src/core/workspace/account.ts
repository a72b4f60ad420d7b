import { isProjectKeyText, isUserTokenText, type UserToken } from "../registry/credential";
import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { httpsUrl } from "../registry/registryOrigin";
import { momentText } from "../text/dates";
import { type Language, type LocalizableText, l10nText } from "../text/language";
import { notificationText } from "../text/plainText";

/** The signed-in user, with organization and role. */
export interface Account {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string;
  readonly organization: string;
  /**
   * owner, admin, developer, publisher, reviewer, finance or the registry's own word; empty where it returns
   * none.
   */
  readonly role: string;
  /** The registry's name for the token, which is no secret. */
  readonly tokenId: string;
  /** Milliseconds since 1970; missing for a token that does not expire. */
  readonly expiresAt?: number;
}

/** A stored sign-in: an account and its token. */
export interface UserSession extends Account {
  readonly origin: string;
  readonly token: string;
  /** Whether signing in created the token, so that signing out may revoke it; a pasted one may be used elsewhere. */
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
  return [...sessions.filter((one) => accountKey(one) !== name), session];
}

/** Returns the session to use at a registry: the chosen account's, else the most recent one. */
export function sessionAt(
  sessions: readonly UserSession[],
  origin: string,
  chosen: string | undefined,
): UserSession | undefined {
  const here = sessions.filter((session) => session.origin === origin);
  return here.find((session) => accountKey(session) === chosen) ?? here.at(-1);
}

/**
 * Returns whether a response ends a session. Only 401 does: the public gateway also returns 400 when its
 * database is down, and 403 for a missing role.
 */
export function endsSession(failure: RegistryFailure): boolean {
  return failure.kind === "errorAnswer" && failure.status === 401;
}

/** Returns whether a registry has no such route at all: a 404 without a message, 405 or 501. */
export function isNotOffered(failure: RegistryFailure): boolean {
  if (failure.kind === "notFound") return failure.message === undefined;
  return failure.kind === "errorAnswer" && (failure.status === 405 || failure.status === 501);
}

/** Returns whether the role lacks the permission: 403. */
export function isWrongRole(failure: RegistryFailure): boolean {
  return failure.kind === "errorAnswer" && failure.status === 403;
}

/**
 * Returns whether a change may have been made without a confirming response: the request was sent, and the
 * response does not decide.
 */
export function isUndecided(failure: RegistryFailure): boolean {
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

/** Warns that a sign-in ends within two days; empty where there is more time. */
export function expiryWarning({ expiresAt }: Account, now: number, language: Language): string {
  if (expiresAt === undefined || expiresAt - now > twoDaysMs) return "";
  return language.t("Your sign-in ends {time}. Sign in again to stay signed in.", {
    time: momentText(expiresAt, language),
  });
}

/**
 * Finds when the next notice about a sign-in's end is due: two days before it, then at its end, in
 * milliseconds since 1970. Undefined where none is left.
 */
export function nextExpiryMoment({ expiresAt }: Account, now: number): number | undefined {
  if (expiresAt === undefined) return undefined;
  return [expiresAt - twoDaysMs, expiresAt].find((moment) => moment > now);
}

/** Describes after a sign-out how long the registry still accepts the token. */
export function signedOutText({ isOurs, expiresAt }: UserSession, language: Language): string {
  const { t } = language;
  if (!isOurs) {
    return t("Signed out of this editor. The token you pasted stays valid at the registry.");
  }
  return expiresAt === undefined
    ? t("Signed out. The registry keeps the session until you sign in here again.")
    : t(
        "Signed out. The registry keeps the session until {time}, or until you sign in here again.",
        { time: momentText(expiresAt, language) },
      );
}

/** A session that was removed here and is to be revoked at the next sign-in of the same person. */
export interface ForgottenSession {
  readonly origin: string;
  readonly userId: string;
  readonly tokenId: string;
  /** Milliseconds since 1970; missing where it does not expire. */
  readonly expiresAt?: number;
}

const maxForgotten = 100;

/** Adds a signed-out session, unless the token is not ours to revoke. */
export function withForgotten(
  forgotten: readonly ForgottenSession[],
  { origin, userId, tokenId, expiresAt, isOurs }: UserSession,
  now: number,
): readonly ForgottenSession[] {
  const kept = forgotten.filter(({ expiresAt: end = Number.POSITIVE_INFINITY }) => end > now);
  if (!isOurs || tokenId === "") return kept;
  const entry = { origin, userId, tokenId, ...(expiresAt !== undefined && { expiresAt }) };
  return [...kept, entry].slice(-maxForgotten);
}

/** Lists what a new session should revoke: other sessions of the same person at the same registry. */
export function toRevoke(
  forgotten: readonly ForgottenSession[],
  { origin, userId, tokenId }: UserSession,
): readonly ForgottenSession[] {
  return forgotten.filter(
    (one) => one.origin === origin && one.userId === userId && one.tokenId !== tokenId,
  );
}

/** A token valid for the Authorization header, or the problem with it. Neither text holds the token. */
type UserTokenReading =
  | { readonly ok: true; readonly token: UserToken }
  | { readonly ok: false; readonly problem: LocalizableText };

const maxLength = 4096;

/**
 * Reads a pasted user token for a registry's origin: spaces around it and a leading "Bearer " are
 * dropped. It begins with `shub_user_` and is visible ASCII of at most 4,096 characters.
 */
export function readUserToken(pasted: string, origin: string): UserTokenReading {
  const text = pasted.trim().replace(/^bearer(?: +|$)/i, "");
  if (text === "") return problem(l10nText("Paste a user token."));
  if (isProjectKeyText(text)) {
    return problem(l10nText("This is a Project Key. Paste a user token instead (shub_user_…)."));
  }
  if (!isUserTokenText(text)) return problem(l10nText("A user token starts with shub_user_."));
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text)) {
    return problem(l10nText("This is not a complete user token. Copy it again."));
  }
  return { ok: true, token: { kind: "userToken", origin, text } };
}

function problem(text: LocalizableText): UserTokenReading {
  return { ok: false, problem: text };
}

/** A registry's ways to sign in. */
export interface OfferedSignIn {
  /** False where the registry has no such route. */
  readonly isOffered: boolean;
  readonly providers: readonly SignInProvider[];
  /** Whether the registry can send mail; undefined where it does not say. */
  readonly mailWorks?: boolean;
}

/** One of a registry's ways to sign in. */
export interface SignInProvider {
  /** email, google, github, token or the registry's own word. */
  readonly provider: string;
  /** active, configuration_required, connected, deferred or the registry's own word. */
  readonly status: string;
}

/**
 * A way to sign in from the editor. Signing in through another company sets a cookie in a browser and is not
 * supported.
 */
export type SignInWay = "emailCode" | "token" | "password";

/**
 * Lists the ways this editor supports, the best first and the password last. A registry without the route
 * only accepts a token that somebody was given.
 */
export function signInWays({ isOffered, providers, mailWorks }: OfferedSignIn): SignInWay[] {
  if (!isOffered) return ["token"];
  const isActive = (name: string) =>
    providers.some(({ provider, status }) => provider === name && status === "active");
  const hasEmail = isActive("email");
  return [
    ...(hasEmail && mailWorks !== false ? (["emailCode"] as const) : []),
    "token",
    // The password's route works for accounts with an email address, and is not listed.
    ...(hasEmail ? (["password"] as const) : []),
  ];
}

/**
 * Returns the page for creating an account, which is the registry's own. Undefined where the registry has no
 * accounts, or no address that a browser may open.
 */
export function signUpPage({ isOffered }: OfferedSignIn, origin: string): string | undefined {
  return isOffered ? httpsUrl(origin) : undefined;
}

/** The state of entering a code that was sent by mail. Times in milliseconds since 1970. */
export interface CodeEntry {
  readonly email: string;
  readonly challengeId: string;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly triesLeft: number;
}

/** The gateway does not limit wrong codes, so we do. */
const maxTries = 5;
const codeLastsMs = 600_000;
const resendAfterMs = 60_000;

/**
 * Starts the entry of a code sent just now; `expiresAt` is the registry's time, ten minutes where it returns
 * none or an implausible one.
 */
export function startCodeEntry(
  email: string,
  challenge: { readonly challengeId: string; readonly expiresAt?: number },
  now: number,
): CodeEntry {
  const { challengeId, expiresAt = now + codeLastsMs } = challenge;
  // Bound the expiry: the registry's clock may differ.
  const isSensible = expiresAt > now && expiresAt <= now + codeLastsMs;
  return {
    email,
    challengeId,
    sentAt: now,
    expiresAt: isSensible ? expiresAt : now + codeLastsMs,
    triesLeft: maxTries,
  };
}

/** What is possible with an entry at a time. */
export function codeEntryState(
  { expiresAt, triesLeft, sentAt }: CodeEntry,
  now: number,
): { readonly canTry: boolean; readonly canResend: boolean } {
  return { canTry: triesLeft > 0 && now < expiresAt, canResend: now >= sentAt + resendAfterMs };
}

/**
 * Counts a try that the registry rejected. Failures that cannot be a wrong code (an outage, a timeout) do not
 * count; a code that was used or blocked (403, 404) leaves no try.
 */
export function wrongCode(entry: CodeEntry, failure: RegistryFailure): CodeEntry {
  const isOver =
    failure.kind === "notFound" || (failure.kind === "errorAnswer" && failure.status === 403);
  if (isOver) return { ...entry, triesLeft: 0 };
  const isWrong = failure.kind === "errorAnswer" && failure.status < 500;
  return isWrong ? { ...entry, triesLeft: entry.triesLeft - 1 } : entry;
}

/**
 * Describes below the box why a code was not accepted. Escaped, since the editor turns `[words](command:…)`
 * there into a link.
 */
export function codeFailureText(failure: RegistryFailure, language: Language): string {
  return failure.kind === "cancelled"
    ? ""
    : notificationText(registryFailureText(failure, language), 300);
}

/** Describes the state of a code's entry: how long it is valid, and how many tries are left. */
export function codeEntryPrompt(entry: CodeEntry, now: number, { t }: Language): string {
  const { email, expiresAt, triesLeft } = entry;
  if (triesLeft <= 0) return t("Too many wrong codes. Send a new one with the button above.");
  if (now >= expiresAt) return t("The code has expired. Send a new one with the button above.");
  const seconds = Math.ceil((expiresAt - now) / 1000);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return t("Enter the code sent to {email}, or paste the whole mail. {time} left, {tries} tries.", {
    email,
    time,
    tries: triesLeft,
  });
}

/**
 * Finds the code of six digits in typed or pasted text, for instance a whole mail: `123456`, `123 456` or
 * `123-456`. Undefined where there is none, or where several differ.
 */
export function findCode(text: string): string | undefined {
  const found = text
    .slice(0, 20_000)
    .matchAll(/(?<![\d#&.,/])(?<!\d[ -])(\d{6}(?![.,-]\d)|\d{3}[ -]\d{3}(?![ .,-]\d))(?![\d/:])/g);
  const codes = new Set([...found].map(([, code = ""]) => code.replaceAll(/[ -]/g, "")));
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}
