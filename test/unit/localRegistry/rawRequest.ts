import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

/** A response as it was received. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body read as JSON; undefined for an empty one and for text. */
  readonly json: unknown;
}

/** Sends a request with exactly these headers, which fetch would not. */
export function rawRequest(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const type = text === "" ? "" : answer.headers["content-type"];
        const isJson = type?.startsWith("application/json");
        const json = isJson ? JSON.parse(text) : undefined;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
