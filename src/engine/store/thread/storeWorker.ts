import { parentPort, workerData } from "node:worker_threads";
import type { StoreCall } from "./storeMessages";

// The entry point of the thread. A slow disk blocks this thread instead of the extension host. The store is a file of
// its own, which commands load too.
const serving = import("./serveStore").then(({ serveStore }) =>
  serveStore(workerData as string, (said) => parentPort?.postMessage(said)),
);
parentPort?.on("message", async (asked: StoreCall) => (await serving)(asked));
