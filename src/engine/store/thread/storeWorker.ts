import { parentPort, workerData } from "node:worker_threads";
import { serveStore } from "./serveStore";

// The entry point of the thread. A slow disk blocks this thread instead of the extension host.
const answer = serveStore(workerData as string, (said) => parentPort?.postMessage(said));
parentPort?.on("message", (asked) => void answer(asked));
