import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { DeliverCode, User } from "./project/accounts";
import type { SeenInvocation } from "./project/invocationLog";
import { Workspace } from "./project/workspace";
import { accountRoutes } from "./routes/accountRoutes";
import { feedbackRoutes } from "./routes/feedbackRoutes";
import { installRoutes } from "./routes/installRoutes";
import { mcpRoutes } from "./routes/mcpRoutes";
import { projectRoutes } from "./routes/projectRoutes";
import { publicRoutes } from "./routes/publicRoutes";
import { Runtime, runtimeRoutes } from "./routes/runtimeRoutes";
import { answerRequest } from "./server/answerRequest";

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
  /** Default: a fresh key. */
  readonly projectKey?: string;
  /** The time in milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** How a slow skill waits; rejects once the signal aborts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Told the codes for signing in by e-mail. Default: nobody is, and e-mail counts as degraded. */
  readonly deliverCode?: DeliverCode;
}

/** Starts the embedded registry on 127.0.0.1. Rejects where the port cannot be had. */
export async function startLocalRegistry(
  options: LocalRegistryOptions = {},
): Promise<LocalRegistry> {
  const { port = 0, now = Date.now, wait = waitFor } = options;
  const workspace = new Workspace(now, options.projectKey, options.deliverCode);
  const runtime = new Runtime(workspace, wait);
  const routes = [
    ...publicRoutes(workspace),
    ...runtimeRoutes(runtime),
    ...mcpRoutes(runtime),
    ...accountRoutes(workspace),
    ...projectRoutes(runtime),
    ...installRoutes(workspace),
    ...feedbackRoutes(workspace),
  ];
  const server = createServer((request, response) => {
    void answerRequest(routes, request, response);
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => listening());
  });
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

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}
