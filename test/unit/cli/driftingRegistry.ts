import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";

type Json = Record<string, unknown>;

/** Changes what the embedded registry answers to one path; a text is answered as it is. */
export type Change = (body: Json) => Json | string;

/** The embedded registry behind a door at which its answers can be changed. */
export async function startDriftingRegistry() {
  const registry = await startLocalRegistry();
  const changes = new Map<string, Change>();
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization, "content-type": type } = request.headers;
      void fetch(new URL(path, registry.baseUrl), {
        method: request.method ?? "GET",
        headers: { ...(authorization && { authorization }), ...(type && { "content-type": type }) },
        ...(request.method === "POST" && { body: Buffer.concat(chunks) }),
      }).then(async (answer) => {
        const text = await answer.text();
        const change = changes.get(path.replace(/\?.*/, ""));
        const changed = change === undefined ? text : change(JSON.parse(text));
        response
          .writeHead(answer.status, { "content-type": "application/json" })
          .end(typeof changed === "string" ? changed : JSON.stringify(changed));
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    projectKey: registry.projectKey,
    userToken: registry.userTokens.owner,
    invocations: () => registry.invocations(),
    /** Changes what is said of a skill, in its own route and in its prices. */
    change: (slug: string, detail: Change, prices?: Change) => {
      changes.set(`/v1/skills/${slug}`, detail);
      if (prices !== undefined) changes.set(`/v1/skills/${slug}/prices`, prices);
    },
    /** Changes what invocations are answered. */
    changeAnswers: (change: Change) => changes.set("/v1/runtime/invoke", change),
    restore: () => changes.clear(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await registry.close();
    },
  };
}
