import type { Body } from "./answerRequest";

/** A request that found its route. */
export interface RouteRequest {
  /** What stands in the path's places, such as slug. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** `{}` for a GET. */
  readonly body: Body;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** A method, a path with {places}, and what answers there. GET answers HEAD as well. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly answer: (request: RouteRequest) => Answer | Promise<Answer>;
}

/** Finds the first route that fits, and what stands in its places. */
export function findRoute(routes: readonly Route[], method: string, path: string) {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const route of routes) {
    const params = route.method === wanted ? matchPath(route.path, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== text) return undefined;
    if (name !== undefined) params[name] = decode(text);
  }
  return params;
}

// A malformed %-sequence stands for itself: it names nothing, which is then the answer.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The token of `Authorization: Bearer …`, spelled exactly so; undefined where there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/.exec(authorization?.trim() ?? "")?.[1];
}

/** What a route answers: a status and a JSON body; undefined for none, a string is sent as text. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers 200 with a body. */
export function found(body: unknown): Answer {
  return { status: 200, body };
}

/** Answers an error in the gateway's words, with a code where it sends one. */
export function refused(status: number, error: string, code?: string): Answer {
  return { status, body: code === undefined ? { error } : { error, code } };
}

/** Thrown where a request cannot go on; carries the answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: string, code?: string) {
    super(error);
    this.answer = refused(status, error, code);
  }
}
