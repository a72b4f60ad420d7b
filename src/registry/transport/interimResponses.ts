import type { Duplex } from "node:stream";
import { UnreadableResponse } from "./failureOfError";

/** The maximum size of an interim response in bytes. A larger one goes to the parser unchanged. */
const maxInterimBytes = 32_768;

/**
 * Removes interim responses (status 100 to 199, RFC 9110, section 15.2) before undici reads them. A server may send
 * `100 Continue` unasked. undici would treat that as a broken connection and lose the final response.
 */
export class InterimResponses {
  #isRequestStarting = false;

  /** Marks the next write to a connection as the start of a request; undici writes nothing else before it. */
  requestStarts(): void {
    this.#isRequestStarting = true;
  }

  /** Returns the socket. Its reader receives only final responses from now on. */
  removeFrom<Connection extends Duplex>(socket: Connection): Connection {
    const [read, write] = [socket.read, socket.write];
    let isAtStart = false;
    let held: Buffer | undefined;
    const next = (): Buffer | null => {
      for (;;) {
        const chunk: Buffer | null = read.call(socket);
        if (!isAtStart || chunk === null) return chunk;
        const bytes: Buffer = held === undefined ? chunk : Buffer.concat([held, chunk]);
        const rest = afterInterim(bytes);
        isAtStart = rest.kind === "open";
        held = rest.kind === "open" ? rest.bytes : undefined;
        if (rest.kind === "final") return rest.bytes;
        if (rest.kind === "switching") {
          socket.destroy(new UnreadableResponse());
          return null;
        }
      }
    };
    // The stream itself calls `read` with a size, to request more bytes.
    socket.read = (size?: number) => (size === undefined ? next() : read.call(socket, size));
    socket.write = (...data: readonly unknown[]): boolean => {
      if (this.#isRequestStarting) isAtStart = true;
      this.#isRequestStarting = false;
      return Reflect.apply(write, socket, data);
    };
    return socket;
  }
}

const interimStart = Buffer.from("HTTP/1.1 1", "latin1");
const headEnd = "\r\n\r\n";
/** The bytes after leading interim responses. */
interface Rest {
  /** `open`: the bytes may be the start of another interim response. */
  readonly kind: "open" | "final" | "switching";
  readonly bytes: Buffer;
}

function afterInterim(bytes: Buffer): Rest {
  let from = 0;
  for (;;) {
    const rest = bytes.subarray(from);
    const start = rest.subarray(0, interimStart.length);
    if (!start.equals(interimStart.subarray(0, start.length)))
      return { kind: "final", bytes: rest };
    // `101 Switching Protocols` is followed by another protocol, which is never requested here.
    if (rest.toString("latin1", 9, 12) === "101") return { kind: "switching", bytes: rest };
    const end = rest.indexOf(headEnd, 0, "latin1");
    if (end < 0) return { kind: rest.length < maxInterimBytes ? "open" : "final", bytes: rest };
    from += end + headEnd.length;
  }
}
