/** What proves to a registry who asks: a project, or a person. `text` stands in no message and no log. */
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

/** Why a credential may not go where it was about to. */
export type CredentialProblem = "otherOrigin" | "otherRoute" | "otherKind";

/** Where a request is about to go: the registry's origin, and the route below its base address. */
export interface CredentialTarget {
  readonly origin: string;
  /** Starts with a slash; a query does not count. */
  readonly route: string;
}

/**
 * Tells why a credential may not go along with a request; undefined where it may. A Project Key goes to
 * the runtime route and `/mcp` alone, a user token to the routes of people and projects alone, and each
 * to the origin it was given for.
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

/** Tells a user token by its prefix. */
export function isUserTokenText(text: string): boolean {
  return /^shub_user_/i.test(text);
}

/** Tells a Project Key by its prefix; keys of other registries may have none that is known. */
export function isProjectKeyText(text: string): boolean {
  return /^(?:skh_|sk_proj_)/i.test(text);
}

const userRoute =
  /^\/v1\/(?:account(?:\/.+)?|checkout\/sessions|developer\/projects(?:\/[^/]+)?|projects\/[^/]+\/.+|skills\/[^/]+\/(?:feedback|abuse-reports))$/;
