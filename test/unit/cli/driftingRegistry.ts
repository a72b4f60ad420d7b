import { startLocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";

type Json = Record<string, unknown>;

/** Changes what the embedded registry answers to one path; a text is answered as it is. */
export type Change = (body: Json) => Json | string;

/** The embedded registry, but for what is changed of its answers. */
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
    /** Changes what is said of a skill, in its own route and in its prices. */
    change: (slug: string, detail: Change, prices?: Change) => {
      change(`/v1/skills/${slug}`, detail);
      if (prices !== undefined) change(`/v1/skills/${slug}/prices`, prices);
    },
    /** Changes what invocations are answered. */
    changeAnswers: (changed: Change) => change("/v1/runtime/invoke", changed),
    restore: server.restore,
    close: async () => {
      await server.close();
      await registry.close();
    },
  };
}
