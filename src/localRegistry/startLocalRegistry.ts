import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { handleRequest } from "./handleRequest";
import type { DeliverCode, User } from "./project/accounts";
import { type SeenInvocation, Workspace } from "./project/workspace";
import { accountRoutes, feedbackRoutes } from "./routes/accountRoutes";
import { installRoutes } from "./routes/installRoutes";
import { paymentRoutes, projectRoutes } from "./routes/projectRoutes";
import { publicRoutes } from "./routes/publicRoutes";
import { publisherRoutes } from "./routes/publisherRoutes";
import { mcpRoutes, Runtime, runtimeRoutes } from "./routes/runtimeRoutes";

/** A running registry. */
export interface LocalRegistry {
  readonly baseUrl: string;
  /** The key that invokes skills of this registry only. */
  readonly projectKey: string;
  /** A user token for each role; all of them belong to one organization. */
  readonly userTokens: Readonly<Record<User["role"], string>>;
  /** The password of all users; the user name is the role. */
  readonly password: string;
  /** Returns the newest invocations, at most 500, oldest first. */
  invocations(): readonly SeenInvocation[];
  /** Stops listening, closes open connections and ends running skills. */
  close(): Promise<void>;
}

/** Options for starting a registry. */
export interface LocalRegistryOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Range to search for a free port, inclusive. Default: any port. */
  readonly portRange?: readonly [first: number, last: number];
  /** Default: a new key. */
  readonly projectKey?: string;
  /** The time in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
  /** Used by slow skills to wait; rejects once the signal aborts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called with codes for signing in by email. Default: codes are dropped, and email counts as degraded. */
  readonly deliverCode?: DeliverCode;
}

/** Starts the embedded registry on 127.0.0.1. Rejects if the port is not available. */
export async function startLocalRegistry(
  options: LocalRegistryOptions = {},
): Promise<LocalRegistry> {
  const { port = 0, portRange, now = Date.now, wait = waitFor } = options;
  const workspace = new Workspace(now, options.projectKey, options.deliverCode);
  const runtime = new Runtime(workspace, wait);
  const routes = [
    ...publicRoutes(workspace),
    ...runtimeRoutes(runtime),
    ...mcpRoutes(runtime),
    ...accountRoutes(workspace),
    ...projectRoutes(runtime),
    ...installRoutes(workspace),
    ...paymentRoutes(workspace),
    ...feedbackRoutes(workspace),
    ...publisherRoutes(workspace),
  ];
  const server = createServer((request, response) => {
    void handleRequest(routes, request, response);
  });
  if (portRange === undefined || !(await listenWithin(server, portRange)))
    await listen(server, port);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    projectKey: workspace.projectKey,
    userTokens: workspace.accounts.teamTokens(),
    password: workspace.accounts.password,
    invocations: () => workspace.log.entries(),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Tries ports until one is free. Resolves to false if none is. */
async function listenWithin(
  server: Server,
  [first, last]: readonly [number, number],
): Promise<boolean> {
  const count = last - first + 1;
  // Start at a random port, since windows that start together would race for the same one.
  const start = Math.floor(Math.random() * count);
  for (let index = 0; index < count; index += 1) {
    const isFree = await listen(server, first + ((start + index) % count)).then(
      () => true,
      () => false,
    );
    if (isFree) return true;
  }
  return false;
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", failed);
      listening();
    });
  });
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}
