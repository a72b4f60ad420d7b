import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";

type Json = Record<string, unknown>;

/** Changes the embedded registry's response for one path. A returned text is sent unchanged. */
export type Change = (body: Json) => Json | string;

/** Starts the embedded registry with changeable responses. */
export async function startDriftingRegistry() {
  const registry = await startLocalRegistry();
  const server = await startTestRegistry({}, { behind: registry });
  const change = (path: string, changed: Change) =>
    server.answer(path, async ({ passOn }) => {
      const answer = await passOn();
      return { ...answer, body: changed(JSON.parse(answer.body)) };
    });
  return {
    url: server.baseUrl,
    projectKey: registry.projectKey,
    userToken: registry.userTokens.owner,
    invocations: () => registry.invocations(),
    /** Changes a skill in its own route and in its prices. */
    change: (slug: string, detail: Change, prices?: Change) => {
      change(`/v1/skills/${slug}`, detail);
      if (prices !== undefined) change(`/v1/skills/${slug}/prices`, prices);
    },
    /** Changes the responses to invocations. */
    changeAnswers: (changed: Change) => change("/v1/runtime/invoke", changed),
    restore: server.restore,
    close: async () => {
      await server.close();
      await registry.close();
    },
  };
}
