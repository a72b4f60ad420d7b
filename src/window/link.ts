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

/** The longest message, in bytes: a longer one ends the connection, from either side. */
export const maxMessageBytes = 10_000_000;
/** The longest of a side that proved nothing yet. Looking for the end of a long header takes seconds. */
const unprovenBytes = 4_000;
/** Headers, and what of the next message came with the last piece. */
const slackBytes = 100_000;

/** What one side asks of the other, by name, with what it asks and what it is told. */
export interface Method<Asked, Told> {
  readonly name: string;
  /** Never there: for the compiler alone. */
  readonly types?: (asked: Asked) => Told;
}

/**
 * A connection between a window and a command, until it is closed. Nothing of the library that carries it is seen
 * outside: the bundles of a window have a copy of it each.
 */
export interface Link {
  /** Asks the other side. Once `signal` fires, the work there is canceled; its answer comes all the same. */
  readonly ask: <Asked, Told>(
    method: Method<Asked, Told>,
    asked: Asked,
    signal?: AbortSignal,
  ) => Promise<Told>;
  /** Tells the other side something, if it is there. */
  readonly tell: <Asked>(method: Method<Asked, void>, asked: Asked) => Promise<void>;
  /** Answers what the other side asks. The signal fires where it cancels that, or is gone. */
  readonly answer: <Asked, Told>(
    method: Method<Asked, Told>,
    work: (asked: Asked, signal: AbortSignal) => Told | Promise<Told>,
  ) => void;
  /** Hears what the other side tells. */
  readonly hear: <Asked>(
    method: Method<Asked, void>,
    listener: (asked: Asked) => void,
  ) => { readonly dispose: () => void };
  /** Begins to listen, once what is answered is known. */
  readonly listen: () => void;
  /** Fires once it has ended, whoever ended it. What was not answered by then rejects. */
  readonly closed: AbortSignal;
  /** The other side proved to know the token: it may send long messages. */
  readonly trust: () => void;
  /** Has everything pass `clean` that is written from now on. */
  readonly cleanBy: (clean: (text: string) => Promise<string>) => void;
  readonly close: () => void;
}

/** Speaks JSON-RPC over a socket. Messages are bounded before they are whole in memory. */
export function linkOver(socket: Socket): Link {
  const ended = new AbortController();
  let clean = async (text: string) => text;
  const close = () => {
    socket.destroy();
    // It may have closed before anybody heard.
    setImmediate(end);
  };
  const reader = new BoundedReader(socket, close);
  const writer = new ClosingWriter(socket, close, async (message) => {
    const bytes = Buffer.from(await clean(JSON.stringify(message)));
    if (bytes.length > maxMessageBytes) throw new Error("The message is too long.");
    return bytes;
  });
  const connection = createMessageConnection(reader, writer);
  function end(): void {
    if (ended.signal.aborted) return;
    // Requests that are not answered yet reject.
    connection.dispose();
    ended.abort();
  }
  connection.onError(close);
  socket.on("error", close);
  socket.on("close", end);
  return {
    ask: async ({ name }, asked, signal) => {
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
    tell: async ({ name }, asked) => {
      // Whoever waits for an answer learns that there is none.
      if (!ended.signal.aborted)
        await connection.sendNotification(name, asked).catch(() => undefined);
    },
    answer: ({ name }, work) => {
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
    hear: ({ name }, listener) => connection.onNotification(name, listener),
    listen: () => connection.listen(),
    closed: ended.signal,
    trust: () => reader.trust(),
    cleanBy: (by) => {
      clean = by;
    },
    close,
  };
}

/**
 * Closes where a message cannot be written: whoever waits for an answer learns that from the end. As a rejection the
 * library leaves it unhandled.
 */
class ClosingWriter extends StreamMessageWriter {
  constructor(
    socket: Socket,
    private readonly failed: () => void,
    encode: (message: Message) => Promise<Uint8Array>,
  ) {
    super(socket, { contentTypeEncoder: { name: "application/json", encode } });
  }

  override async write(message: Message): Promise<void> {
    await super.write(message).catch(this.failed);
  }
}

/** Counts what has come since the last message. */
class BoundedReader extends StreamMessageReader {
  private pending = 0;
  private limit = unprovenBytes;

  constructor(
    private readonly socket: Socket,
    private readonly tooLong: () => void,
  ) {
    super(socket);
    // It only tells that a message is slow to come, and would keep a program that has ended.
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
