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
  /** The key that invokes skills here, and only here. */
  readonly projectKey: string;
  /** A user token for each role; all roles share one account's organization. */
  readonly userTokens: Readonly<Record<User["role"], string>>;
  /** The password of every role, whose user name is the role. */
  readonly password: string;
  /** The invocations so far, oldest first, at most the newest 500. */
  invocations(): readonly SeenInvocation[];
  /** Stops listening, ends open connections and running skills. */
  close(): Promise<void>;
}

/** How to start a registry. */
export interface LocalRegistryOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Where to look for a free port first: from the first to the last of them. Default: anywhere. */
  readonly portRange?: readonly [first: number, last: number];
  /** Default: a fresh key. */
  readonly projectKey?: string;
  /** The time in milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** How a slow skill waits; rejects once the signal aborts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called with the codes for signing in by e-mail. Default: codes are dropped, and e-mail counts as degraded. */
  readonly deliverCode?: DeliverCode;
}

/** Starts the embedded registry on 127.0.0.1. Rejects where the port cannot be had. */
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

/** Tries ports until one is free. Resolves to false where none of them was. */
async function listenWithin(
  server: Server,
  [first, last]: readonly [number, number],
): Promise<boolean> {
  const count = last - first + 1;
  // Windows that start together should not all try the same one first.
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
