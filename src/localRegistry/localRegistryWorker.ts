import { parentPort, workerData } from "node:worker_threads";
import { startLocalRegistry } from "./startLocalRegistry";
import {
  closeMessage,
  type LocalRegistryReport,
  type LocalRegistryWorkerData,
} from "./workerMessages";

const report = (message: LocalRegistryReport) => parentPort?.postMessage(message);

const { printCodes, ...options } = (workerData as LocalRegistryWorkerData | null) ?? {};
const deliverCode = (email: string, code: string) => console.log(`Code for ${email}: ${code}`);

startLocalRegistry({ ...options, ...(printCodes && { deliverCode }) }).then(
  (registry) => {
    parentPort?.on("message", (message: unknown) => {
      if (message === closeMessage) void registry.close().then(() => parentPort?.close());
    });
    const { baseUrl, projectKey, userTokens } = registry;
    report({ baseUrl, projectKey, userTokens });
  },
  (error: unknown) => {
    report({ error: error instanceof Error ? error.message : String(error) });
    parentPort?.close();
  },
);
