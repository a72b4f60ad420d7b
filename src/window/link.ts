import type { Socket } from "node:net";
import {
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type GenericRequestHandler,
  type Message,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { type Method, maxMessageBytes } from "./protocol";

/**
 * The maximum message size before a side has proved itself, in bytes. Searching a long header for its end takes
 * seconds.
 */
const unprovenBytes = 4_000;
/** Room in bytes for headers, and for the start of the next message. */
const slackBytes = 100_000;

/**
 * A connection between a window and a command. The library behind it is not visible outside, so that it is loaded with
 * the first connection.
 */
export interface Link {
  /** Sends a request to the other side. When `signal` fires, the other side cancels its work, and still answers. */
  readonly sendRequest: <Asked, Told>(
    method: Method<Asked, Told>,
    asked: Asked,
    signal?: AbortSignal,
  ) => Promise<Told>;
  /** Sends a notification to the other side, if it is there. */
  readonly sendNotification: <Asked>(method: Method<Asked, void>, asked: Asked) => Promise<void>;
  /** Answers requests of the other side. The signal fires when that side cancels or is gone. */
  readonly onRequest: <Asked, Told>(
    method: Method<Asked, Told>,
    work: (asked: Asked, signal: AbortSignal) => Told | Promise<Told>,
  ) => void;
  /** Handles notifications of the other side. */
  readonly onNotification: <Asked>(
    method: Method<Asked, void>,
    listener: (asked: Asked) => void,
  ) => { readonly dispose: () => void };
  /** Starts to listen. Set all handlers before. */
  readonly listen: () => void;
  /** Fires when the connection has ended, whoever ended it. Open requests reject. */
  readonly closed: AbortSignal;
  /** Allows long messages after the other side proved that it knows the token. */
  readonly trust: () => void;
  /** Redacts everything that is written from now on by `clean`. */
  readonly redactWith: (clean: (text: string) => Promise<string>) => void;
  readonly close: () => void;
}

/** Speaks JSON-RPC over a socket. Limits the size of messages while they arrive. */
export function linkOver(socket: Socket): Link {
  const ended = new AbortController();
  let clean = async (text: string) => text;
  const close = () => {
    socket.destroy();
    // The socket may have closed before anybody listened.
    setImmediate(end);
  };
  const reader = new BoundedReader(socket, close);
  const writer = new ReportingWriter(socket, async (message) => {
    const bytes = Buffer.from(await clean(JSON.stringify(message)));
    if (bytes.length > maxMessageBytes) throw new Error("The message is too long.");
    return bytes;
  });
  const connection = createMessageConnection(reader, writer);
  function end(): void {
    if (ended.signal.aborted) return;
    // Reject requests that have no answer.
    connection.dispose();
    ended.abort();
  }
  // Also after a message that could not be written, so that open requests reject.
  connection.onError(close);
  socket.on("error", close);
  socket.on("close", end);
  return {
    sendRequest: async ({ name }, asked, signal) => {
      const canceled = new CancellationTokenSource();
      const cancel = () => canceled.cancel();
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await connection.sendRequest(name, asked, canceled.token);
      } finally {
        signal?.removeEventListener("abort", cancel);
        canceled.dispose();
      }
    },
    sendNotification: async ({ name }, asked) => {
      // Tell requests without an answer that none will come.
      if (!ended.signal.aborted)
        await connection.sendNotification(name, asked).catch(() => undefined);
    },
    onRequest: ({ name }, work) => {
      const handle: GenericRequestHandler<unknown, void> = async (asked, token) => {
        const cancel = new AbortController();
        const stop = () => cancel.abort();
        const canceled = token.onCancellationRequested(stop);
        ended.signal.addEventListener("abort", stop, { once: true });
        if (ended.signal.aborted || token.isCancellationRequested) stop();
        try {
          return await work(asked, cancel.signal);
        } finally {
          canceled.dispose();
          ended.signal.removeEventListener("abort", stop);
        }
      };
      connection.onRequest(name, handle);
    },
    onNotification: ({ name }, listener) => connection.onNotification(name, listener),
    listen: () => connection.listen(),
    closed: ended.signal,
    trust: () => reader.trust(),
    redactWith: (by) => {
      clean = by;
    },
    close,
  };
}

/** Reports a message that cannot be written as an error only. The library would leave a rejection unhandled as well. */
class ReportingWriter extends StreamMessageWriter {
  constructor(socket: Socket, encode: (message: Message) => Promise<Uint8Array>) {
    super(socket, { contentTypeEncoder: { name: "application/json", encode } });
  }

  override async write(message: Message): Promise<void> {
    await super.write(message).catch(() => undefined);
  }
}

/** Counts the bytes since the last message. */
class BoundedReader extends StreamMessageReader {
  private pending = 0;
  private limit = unprovenBytes;

  constructor(
    private readonly socket: Socket,
    private readonly tooLong: () => void,
  ) {
    super(socket);
    // This timer only warns about slow messages. It would keep a finished program alive.
    this.partialMessageTimeout = 0;
  }

  trust(): void {
    this.limit = maxMessageBytes + slackBytes;
  }

  override listen(callback: DataCallback): Disposable {
    this.socket.on("data", (piece: Buffer) => {
      this.pending += piece.length;
      if (this.pending > this.limit) this.tooLong();
    });
    return super.listen((message) => {
      this.pending = 0;
      callback(message);
    });
  }
}
