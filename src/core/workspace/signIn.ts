import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { httpsUrl } from "../registry/registryOrigin";
import type { Language } from "../text/language";
import { notificationText } from "../text/plainText";

/** What a registry says of its ways to sign in. */
export interface OfferedSignIn {
  /** False where the registry has no such route. */
  readonly isOffered: boolean;
  readonly providers: readonly SignInProvider[];
  /** Whether the registry says that it can send mail; undefined where it does not say. */
  readonly mailWorks?: boolean;
}

/** One of a registry's ways to sign in. */
export interface SignInProvider {
  /** email, google, github, token or the registry's own word. */
  readonly provider: string;
  /** active, configuration_required, connected, deferred or the registry's own word. */
  readonly status: string;
}

/** A way to sign in from the editor. Signing in at another company ends in a browser's cookie and is none. */
export type SignInWay = "emailCode" | "token" | "password";

/**
 * Lists the ways this editor can go, the best first and the password last. A registry without the route
 * has none but a token somebody was given.
 */
export function signInWays({ isOffered, providers, mailWorks }: OfferedSignIn): SignInWay[] {
  if (!isOffered) return ["token"];
  const isActive = (name: string) =>
    providers.some(({ provider, status }) => provider === name && status === "active");
  const hasEmail = isActive("email");
  return [
    ...(hasEmail && mailWorks !== false ? (["emailCode"] as const) : []),
    "token",
    // The password's route belongs to accounts with an address, and is listed nowhere.
    ...(hasEmail ? (["password"] as const) : []),
  ];
}

/**
 * Finds the page where an account can be made, which is the registry's own. Undefined where the registry has
 * no accounts, or no address that a browser may be sent to.
 */
export function signUpPage({ isOffered }: OfferedSignIn, origin: string): string | undefined {
  return isOffered ? httpsUrl(origin) : undefined;
}

/** How a code that was sent by mail is being entered. Times in milliseconds since 1970. */
export interface CodeEntry {
  readonly email: string;
  readonly challengeId: string;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly triesLeft: number;
}

/** The gateway counts no wrong code, so that the limit has to be ours. */
const maxTries = 5;
const codeLastsMs = 600_000;
const resendAfterMs = 60_000;

/** Starts the entry of a code sent just now; `expiresAt` is the registry's word, ten minutes where it gives none or one far off. */
export function startCodeEntry(
  email: string,
  challenge: { readonly challengeId: string; readonly expiresAt?: number },
  now: number,
): CodeEntry {
  const { challengeId, expiresAt = now + codeLastsMs } = challenge;
  // A clock that is wrong must neither end the entry at once nor keep it open for days.
  const isSensible = expiresAt > now && expiresAt <= now + codeLastsMs;
  return {
    email,
    challengeId,
    sentAt: now,
    expiresAt: isSensible ? expiresAt : now + codeLastsMs,
    triesLeft: maxTries,
  };
}

/** What can be done with an entry at a time. */
export function codeEntryState(
  { expiresAt, triesLeft, sentAt }: CodeEntry,
  now: number,
): { readonly canTry: boolean; readonly canResend: boolean } {
  return { canTry: triesLeft > 0 && now < expiresAt, canResend: now >= sentAt + resendAfterMs };
}

/**
 * Counts a try that the registry refused. What cannot have been a wrong code (an outage, a timeout)
 * counts as none; a code that was used or blocked (403, 404) leaves no try.
 */
export function wrongCode(entry: CodeEntry, failure: RegistryFailure): CodeEntry {
  const isOver =
    failure.kind === "notFound" || (failure.kind === "errorAnswer" && failure.status === 403);
  if (isOver) return { ...entry, triesLeft: 0 };
  const isWrong = failure.kind === "errorAnswer" && failure.status < 500;
  return isWrong ? { ...entry, triesLeft: entry.triesLeft - 1 } : entry;
}

/** Says below the box why a code was not taken. The editor turns `[words](command:…)` there into a link: escaped. */
export function codeFailureText(failure: RegistryFailure, language: Language): string {
  return failure.kind === "cancelled"
    ? ""
    : notificationText(registryFailureText(failure, language), 300);
}

/** Says how the entry of a code stands: for how long it counts, and how many tries are left. */
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
 * Finds the code of six digits in what was typed or pasted, a whole mail for instance: `123456`,
 * `123 456` or `123-456`. Undefined where there is none, or where several differ.
 */
export function findCode(text: string): string | undefined {
  const found = text
    .slice(0, 20_000)
    .matchAll(/(?<![\d#&.,/])(?<!\d[ -])(\d{6}(?![.,-]\d)|\d{3}[ -]\d{3}(?![ .,-]\d))(?![\d/:])/g);
  const codes = new Set([...found].map(([, code = ""]) => code.replaceAll(/[ -]/g, "")));
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}
