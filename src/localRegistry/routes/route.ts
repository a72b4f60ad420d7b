import type { IncomingMessage } from "node:http";
import type { Answer } from "../http/answer";

/** A request that found its route. */
export interface RouteRequest {
  /** What stands in the path's places, such as slug. */
  readonly places: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** A method, a path with {places}, and what answers there. GET answers HEAD as well. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answer: (request: RouteRequest) => Answer | Promise<Answer>;
}

/** What a method and path lead to. */
export type FoundRoute =
  | {
      readonly kind: "found";
      readonly route: Route;
      readonly places: Readonly<Record<string, string>>;
    }
  | { readonly kind: "wrongMethod"; readonly allow: string }
  | { readonly kind: "none" };

/** Finds the first route that fits. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const fitting = routes.flatMap((route) => {
    const places = matchPath(route.path, path);
    return places === undefined ? [] : [{ kind: "found", route, places } as const];
  });
  const [first] = fitting;
  if (first === undefined) return { kind: "none" };
  const wanted = method === "HEAD" ? "GET" : method;
  const allow = first.route.method === "GET" ? "GET, HEAD" : first.route.method;
  return first.route.method === wanted ? first : { kind: "wrongMethod", allow };
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const places: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== text) return undefined;
    if (name !== undefined) places[name] = decode(text);
  }
  return places;
}

// A malformed %-sequence stands for itself: it names nothing, which is then the answer.
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
