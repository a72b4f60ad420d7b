import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import {
  closeMessage,
  type LocalRegistryReport,
  type LocalRegistryWorkerData,
} from "./workerMessages";

const usage = "Usage: registry [--port N], where N is 0 (any free port) to 65535.";

const port = readPort();
if (port === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  serve({ port, printCodes: true });
}

// The server runs in the worker, whose bundle is in the same folder.
function serve(workerData: LocalRegistryWorkerData): void {
  const worker = new Worker(join(__dirname, "localRegistryWorker.js"), { workerData });
  worker.once("message", (report: LocalRegistryReport) => {
    if ("error" in report) {
      console.error(`The registry could not start: ${report.error}`);
      process.exitCode = 1;
      return;
    }
    console.log(`Registry:    ${report.baseUrl}`);
    console.log(`Project Key: ${report.projectKey}`);
    console.log(`User token:  ${report.userTokens.owner}`);
    console.log("Press Ctrl+C to stop.");
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => worker.postMessage(closeMessage));
  }
}

function readPort(): number | undefined {
  try {
    const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
    const number = Number(values.port);
    return /^\d+$/.test(values.port) && number <= 65_535 ? number : undefined;
  } catch {
    return undefined;
  }
}
