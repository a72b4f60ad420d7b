import { parentPort, workerData } from "node:worker_threads";
import { startLocalRegistry } from "./startLocalRegistry";
import {
  closeMessage,
  type LocalRegistryReport,
  type LocalRegistryWorkerData,
} from "./workerMessages";

const report = (message: LocalRegistryReport) => parentPort?.postMessage(message);

startLocalRegistry((workerData as LocalRegistryWorkerData | null) ?? {}).then(
  (registry) => {
    parentPort?.on("message", (message: unknown) => {
      if (message === closeMessage) void registry.close().then(() => parentPort?.close());
    });
    report({ baseUrl: registry.baseUrl, projectKey: registry.projectKey });
  },
  (error: unknown) => {
    report({ error: error instanceof Error ? error.message : String(error) });
    parentPort?.close();
  },
);
