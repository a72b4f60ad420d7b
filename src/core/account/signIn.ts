import {
  isProjectKeyText,
  isUserTokenText,
  type UserToken,
  withoutBearer,
} from "../registry/credential";
import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { type Language, type LocalizableText, l10nText } from "../text/language";
import { notificationText } from "../text/plainText";
import { endsSession, isNotOffered } from "./sessions";

/**
 * A user token that is valid in an Authorization header, or the problem with the pasted text. The problem does not
 * quote the text, which may be secret.
 */
type UserTokenReading =
  | { readonly ok: true; readonly token: UserToken }
  | { readonly ok: false; readonly problem: LocalizableText };

/**
 * The maximum length, as for a Project Key. No registry issues longer codes or tokens, and a pasted file is rejected at
 * once.
 */
const maxLength = 4096;

/**
 * Parses a pasted user token for a registry's origin. Ignores surrounding spaces and a leading "Bearer ". A token
 * starts with `shub_user_` and has at most 4,096 visible ASCII characters.
 */
export function readUserToken(pasted: string, origin: string): UserTokenReading {
  const text = withoutBearer(pasted);
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

/** A registry's methods of signing in. */
export interface OfferedSignIn {
  /** False if the registry has no route for signing in. */
  readonly isOffered: boolean;
  readonly providers: readonly SignInProvider[];
  /** Whether the registry can send mail; undefined if it does not state that. */
  readonly mailWorks?: boolean;
}

/** One of a registry's methods of signing in. */
export interface SignInProvider {
  /** email, google, github, token or the registry's own word. */
  readonly provider: string;
  /** active, configuration_required, connected, deferred or another word of the registry. */
  readonly status: string;
}

/**
 * A method of signing in from the editor. Signing in through another company needs a browser cookie and is not
 * supported.
 */
export type SignInMethod = "emailCode" | "token" | "password";

/**
 * Lists the methods that this editor supports, the best first and the password last. A registry without a route for
 * signing in accepts only tokens that it issued elsewhere.
 */
export function signInMethods({ isOffered, providers, mailWorks }: OfferedSignIn): SignInMethod[] {
  if (!isOffered) return ["token"];
  const isActive = (name: string) =>
    providers.some(({ provider, status }) => provider === name && status === "active");
  const hasEmail = isActive("email");
  return [
    ...(hasEmail && mailWorks !== false ? (["emailCode"] as const) : []),
    "token",
    // The password's route works for accounts with an email address. Registries do not list it.
    ...(hasEmail ? (["password"] as const) : []),
  ];
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
 * Starts the entry of a code that was just sent. `expiresAt` is the registry's time; ten minutes if it is missing or
 * implausible.
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

/** Returns the permitted actions of a code's entry at a time. */
export function codeEntryState(
  { expiresAt, triesLeft, sentAt }: CodeEntry,
  now: number,
): { readonly canTry: boolean; readonly canResend: boolean } {
  return { canTry: triesLeft > 0 && now < expiresAt, canResend: now >= sentAt + resendAfterMs };
}

/**
 * Counts a rejected try. Failures that cannot mean a wrong code, such as an outage or a timeout, do not count. After a
 * used or blocked code (403, 404) no try remains.
 */
export function wrongCode(entry: CodeEntry, failure: RegistryFailure): CodeEntry {
  const isOver =
    failure.kind === "notFound" || (failure.kind === "errorAnswer" && failure.status === 403);
  if (isOver) return { ...entry, triesLeft: 0 };
  return isRejected(failure) ? { ...entry, triesLeft: entry.triesLeft - 1 } : entry;
}

/** Returns whether the registry rejected the entered text itself. The gateway's 400 may also be an outage. */
function isRejected(
  failure: RegistryFailure,
): failure is Extract<RegistryFailure, { kind: "errorAnswer" }> {
  return failure.kind === "errorAnswer" && failure.status < 500 && failure.status !== 429;
}

/**
 * Returns the message below the input box after a rejected entry; empty after a cancellation. Escapes it, since the
 * editor would turn `[words](command:…)` into a link.
 */
export function entryFailureText(
  failure: RegistryFailure,
  entered: "email" | "code" | "password",
  language: Language,
): string {
  if (failure.kind === "cancelled") return "";
  const text =
    isRejected(failure) && failure.message !== undefined
      ? `${rejectedText(entered, language)} ${failure.message.trim()}`
      : registryFailureText(failure, language);
  return notificationText(text, 300);
}

function rejectedText(entered: "email" | "code" | "password", { t }: Language): string {
  switch (entered) {
    case "email":
      return t("The registry did not accept this email address:");
    case "code":
      return t("The registry did not accept this code:");
    case "password":
      return t("The registry did not accept this sign-in:");
  }
}

/** Returns the message below the input box after a rejected user token. */
export function tokenFailureText(failure: RegistryFailure, language: Language): string {
  if (failure.kind === "cancelled") return "";
  const { t } = language;
  // The route of the own account has no other reason to be missing, whatever words its 404 has.
  if (failure.kind === "notFound" || isNotOffered(failure)) {
    return t(
      "This registry has no accounts to sign in to. Skills can be invoked with a Project Key.",
    );
  }
  return endsSession(failure)
    ? t("The registry does not know this user token: it was revoked or has expired.")
    : notificationText(registryFailureText(failure, language), 300);
}

/** Returns whether a text can be an email address, ignoring surrounding blanks. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]{1,64}@[^\s@]{1,250}$/.test(text.trim());
}

/** Describes the state of a code's entry: how long the code is valid, and how many tries remain. */
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
 * Finds a code of six digits in typed or pasted text, such as a whole mail: `123456`, `123 456` or `123-456`. Undefined
 * without a code, or with several different ones.
 */
export function findCode(text: string): string | undefined {
  const found = text
    .slice(0, 20_000)
    .matchAll(/(?<![\d#&.,/])(?<!\d[ -])(\d{6}(?![.,-]\d)|\d{3}[ -]\d{3}(?![ .,-]\d))(?![\d/:])/g);
  const codes = new Set([...found].map(([, code = ""]) => code.replaceAll(/[ -]/g, "")));
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}
