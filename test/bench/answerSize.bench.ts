import { gzipSync } from "node:zlib";
import { httpAnswer, startRawServer } from "../fixtures/network/rawServer";
import { clientFor, never } from "../fixtures/registries/clientFor";
import type { Measure } from "./probes/measure";

const limitBytes = 1_000_000;

/** Responses of a registry, each with the megabytes of additional memory that reading it may take. */
const answers: readonly (readonly [name: string, answer: string | Buffer, megabytes: number])[] = [
  [
    "a gzip bomb of 100 MB",
    httpAnswer(200, gzipSync(Buffer.alloc(100 * limitBytes, " ")), { "content-encoding": "gzip" }),
    50,
  ],
  [
    // The text itself takes 5 MB in the server. Keeping each chunk would take 900,000 objects of at least 100 bytes.
    "900,000 chunks of one byte",
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(900_000)}0\r\n\r\n`,
    80,
  ],
];

/** Measures how many megabytes of memory a response above the limit takes. */
export async function run(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, answer, peer] of answers) {
    const server = await startRawServer((socket) => socket.write(answer));
    const client = clientFor(server.baseUrl, { maxResponseBytes: limitBytes });
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    await client.search({ text: "", filters: {} }, undefined, never);
    clearInterval(watch);
    const ours = (Math.max(most, process.memoryUsage().rss) - before) / 1e6;
    client.close();
    await server.close();
    measures.push({ name: `memory for ${name}, MB`, ours, peer, ratio: ours / peer, limit: 1 });
  }
  return measures;
}
