import { parentPort, workerData } from "node:worker_threads";
import { serveStore } from "./serveStore";
import type { StoreThreadStart } from "./storeMessages";

// Entry of the thread: a disk that is slow holds it, and not the host.
const answer = serveStore(workerData as StoreThreadStart, (said) => parentPort?.postMessage(said));
parentPort?.on("message", (asked) => void answer(asked));
