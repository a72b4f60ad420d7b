import { parentPort, workerData } from "node:worker_threads";
import { serveStore } from "./serveStore";

// The entry of the thread. A slow disk blocks this thread, and not the host.
const answer = serveStore(workerData as string, (said) => parentPort?.postMessage(said));
parentPort?.on("message", (asked) => void answer(asked));
