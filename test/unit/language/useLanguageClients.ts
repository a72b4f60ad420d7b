import { after, before } from "mocha";
import type { PayloadCheck } from "../../../src/core/payload/payloadCheck";
import { LanguageClient } from "../../../src/language/languageClient";
import { threadBundle } from "../../fixtures/threadBundle";

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Starts clients with the usual, a short and a long deadline for a `describe`. */
export function useLanguageClients() {
  let workerPath = "";
  let client: LanguageClient;
  /** For tasks that compute until they are ended. */
  let hasty: LanguageClient;
  /** For large tasks that end by themselves, which may take long on a busy machine. */
  let patient: LanguageClient;

  before(async () => {
    workerPath = await threadBundle("src/language/languageWorker.ts");
    client = new LanguageClient({ workerPath });
    hasty = new LanguageClient({ workerPath, deadlineMs: 300 });
    patient = new LanguageClient({ workerPath, deadlineMs: 10_000 });
  });
  after(() => {
    for (const each of [client, hasty, patient]) each.dispose();
  });

  function check(schema: unknown, text: string, by = client): Promise<PayloadCheck> {
    return by.check({ schema, text }, never);
  }

  async function stateOf(schema: unknown, text: string, by = client): Promise<string> {
    return (await check(schema, text, by)).state;
  }
  return {
    get workerPath() {
      return workerPath;
    },
    get client() {
      return client;
    },
    get hasty() {
      return hasty;
    },
    get patient() {
      return patient;
    },
    check,
    stateOf,
  };
}
