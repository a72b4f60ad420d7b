import { join } from "node:path";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { BuiltInRegistry, Threads } from "../terminal";

/** Starts threads whose bundles lie in `folder`. */
export function threadsIn(folder: string): Threads {
  return {
    language: async () => {
      const { LanguageClient } = await import("../../language/languageClient");
      const client = new LanguageClient({ workerPath: join(folder, "languageWorker.js") });
      client.start();
      return client;
    },
    registry: () => startBuiltIn(join(folder, "localRegistryWorker.js")),
  };
}

async function startBuiltIn(workerPath: string): Promise<BuiltInRegistry> {
  // Loaded when it is needed: a server for agents, for example, starts without a thread.
  const { Worker } = await import("node:worker_threads");
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerPath, { env: {} });
    const fail = (detail: string) =>
      reject(
        new CommandError(`The built-in registry could not start: ${detail}`, exitCodes.unknown),
      );
    worker.once("message", (report: Partial<BuiltInRegistry & { error: string }>) => {
      const { baseUrl, projectKey, userTokens, error } = report;
      if (baseUrl === undefined || projectKey === undefined || userTokens === undefined) {
        fail(error ?? "it reported no address.");
      } else resolve({ baseUrl, projectKey, userTokens, close: () => worker.terminate() });
      worker.unref();
    });
    worker.once("error", (error) => fail(error.message));
  });
}
