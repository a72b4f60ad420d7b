import { type LocalizableText, l10nText } from "../text/language";

/** The environment variable of a Project Key: on the command line, in CI and in copied invocations. */
export const projectKeyVariable = "SKILL_REGISTRY_PROJECT_KEY";

/** The environment variable of a user token. */
export const userTokenVariable = "SKILL_REGISTRY_USER_TOKEN";

/** Authenticates a project or a person at a registry. `text` never appears in a message or log. */
export interface Credential {
  readonly kind: "projectKey" | "userToken";
  /** The scheme, host and port that it was set for. */
  readonly origin: string;
  readonly text: string;
}

/** A person's sign-in at one registry. It may be sent only to `origin`. */
export interface UserToken extends Credential {
  readonly kind: "userToken";
}

/** Why a credential must not be sent. */
export type CredentialProblem = "otherOrigin" | "otherRoute" | "otherKind";

/** The target of a request: the registry's origin, and the route below its base address. */
interface CredentialTarget {
  readonly origin: string;
  /** Starts with a slash. Its query is ignored. */
  readonly route: string;
}

/**
 * Returns why a request must not carry a credential; undefined if it may. A Project Key may be sent only to the runtime
 * route and `/mcp`, a user token only to the routes of people and projects, and each only to its own origin.
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

/** Returns whether a text starts like a user token. */
export function isUserTokenText(text: string): boolean {
  return /^shub_user_/i.test(text);
}

/** Returns whether a text starts like a Project Key. Other registries may use other prefixes. */
export function isProjectKeyText(text: string): boolean {
  return /^(?:skh_|sk_proj_)/i.test(text);
}

const userRoute =
  /^\/v1\/(?:account(?:\/.+)?|checkout\/sessions|developer\/projects(?:\/[^/]+)?|organization\/team\/members\/[^/]+\/tokens|projects\/[^/]+\/.+|publisher\/skills(?:\/[^/]+\/versions(?:\/[^/]+\/submit)?)?|skills\/[^/]+\/(?:feedback|abuse-reports))$/;

/**
 * A Project Key that is valid in the Authorization header, or the problem with a pasted text. A problem never quotes
 * the text.
 */
type ProjectKeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly problem: LocalizableText };

/**
 * The maximum length of a key. Servers reject header lines beyond 8 KB, and real keys have less than a hundred
 * characters.
 */
const maxKeyLength = 4096;

/** Drops the spaces around a pasted secret, and a leading "Bearer ". */
export function withoutBearer(pasted: string): string {
  return pasted.trim().replace(/^bearer(?: +|$)/i, "");
}

/**
 * Parses a pasted Project Key. Ignores surrounding spaces and a leading "Bearer ". Accepts at most 4,096 visible ASCII
 * characters with any prefix except a user token's.
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

function problem(message: LocalizableText): ProjectKeyReading {
  return { ok: false, problem: message };
}
