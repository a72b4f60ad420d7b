import { type LocalizableText, l10nText } from "../text/language";

/** The environment variable that holds a Project Key: on the command line, in CI and in copied invocations. */
export const projectKeyVariable = "SKILL_REGISTRY_PROJECT_KEY";

/** The environment variable that a user token is taken from. */
export const userTokenVariable = "SKILL_REGISTRY_USER_TOKEN";

/** Authenticates a project or a person at a registry. `text` never appears in a message or log. */
export interface Credential {
  readonly kind: "projectKey" | "userToken";
  /** Scheme, host and port it was given for. */
  readonly origin: string;
  readonly text: string;
}

/** A person's sign-in at one registry: `origin` is the only place it may go. */
export interface UserToken extends Credential {
  readonly kind: "userToken";
}

/** Why a credential must not be sent. */
export type CredentialProblem = "otherOrigin" | "otherRoute" | "otherKind";

/** Where a request is about to go: the registry's origin, and the route below its base address. */
export interface CredentialTarget {
  readonly origin: string;
  /** Starts with a slash; a query does not count. */
  readonly route: string;
}

/**
 * Returns why a credential must not be sent with a request; undefined where it may. A Project Key goes to the
 * runtime route and `/mcp` alone, a user token to the routes of people and projects alone, and each to the
 * origin it was given for.
 */
export function credentialProblem(
  { kind, origin, text }: Credential,
  target: CredentialTarget,
): CredentialProblem | undefined {
  if (origin !== target.origin) return "otherOrigin";
  const [path = ""] = target.route.split("?", 1);
  const isKeyRoute = path === "/v1/runtime/invoke" || path === "/mcp";
  if (kind === "projectKey") {
    if (!isKeyRoute) return "otherRoute";
    return isUserTokenText(text) ? "otherKind" : undefined;
  }
  if (!userRoute.test(path)) return "otherRoute";
  return isProjectKeyText(text) ? "otherKind" : undefined;
}

/** Recognizes a user token by its prefix. */
export function isUserTokenText(text: string): boolean {
  return /^shub_user_/i.test(text);
}

/** Recognizes a Project Key by its prefix; keys of other registries may have an unknown one. */
export function isProjectKeyText(text: string): boolean {
  return /^(?:skh_|sk_proj_)/i.test(text);
}

const userRoute =
  /^\/v1\/(?:account(?:\/.+)?|checkout\/sessions|developer\/projects(?:\/[^/]+)?|organization\/team\/members\/[^/]+\/tokens|projects\/[^/]+\/.+|publisher\/skills(?:\/[^/]+\/versions(?:\/[^/]+\/submit)?)?|skills\/[^/]+\/(?:feedback|abuse-reports))$/;

/** A key fit for the Authorization header, or what is wrong with it. Neither text holds the key. */
export type ProjectKeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: LocalizableText };

/** Servers refuse header lines beyond 8 KB; keys in use have less than a hundred characters. */
const maxKeyLength = 4096;

/** Drops the spaces around a pasted secret, and a leading "Bearer ". */
export function withoutBearer(pasted: string): string {
  return pasted.trim().replace(/^bearer(?: +|$)/i, "");
}

/**
 * Reads a pasted Project Key: spaces around it and a leading "Bearer " are dropped; visible ASCII
 * of at most 4,096 characters is a key whatever its prefix, except a user token's.
 */
export function readProjectKey(pasted: string): ProjectKeyReading {
  const key = withoutBearer(pasted);
  if (key === "") return problem(l10nText("Enter a Project Key."));
  if (key.length > maxKeyLength) return problem(l10nText("This is too long for a Project Key."));
  if (/\s/.test(key)) {
    return problem(l10nText("A Project Key contains no spaces or line breaks. Copy it again."));
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return problem(
      l10nText("A Project Key contains only letters, digits and punctuation. Copy it again."),
    );
  }
  if (isUserTokenText(key)) {
    return problem(
      l10nText("This is a user token. Paste a Project Key instead (often skh_… or sk_proj_…)."),
    );
  }
  return { ok: true, key };
}

function problem(words: LocalizableText): ProjectKeyReading {
  return { ok: false, problem: words };
}
