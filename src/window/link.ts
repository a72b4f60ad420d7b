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
 * The maximum size of a message before the other side has proved itself, in bytes. Searching a long header for its end
 * would take seconds.
 */
const unprovenBytes = 4_000;
/** How often a side that waits for the other asks whether it is there, in milliseconds. */
const beatMs = 10_000;
/**
 * The number of beats without a byte of the other side after which it counts as silent. Beats are counted rather than
 * time, because a machine that slept wakes both sides.
 */
const maxMissedBeats = 3;
/** Both sides answer it at once, whatever else they do. */
const alive: Method<object, null> = { name: "alive" };
/** Additional bytes for headers, and for the start of the next message. */
const slackBytes = 100_000;

/** Why a connection ended: the other side closed it, or it is there and does not answer. */
export type LinkEnd = "gone" | "silent";

/**
 * A connection between a window and a command. While a side waits for the other, it ends a connection whose other side
 * says nothing for 30 to 40 s. Hides the library behind it, which is loaded with the first connection.
 */
export interface Link {
  /** Sends a request. When `signal` fires, the other side cancels its work, but still responds. */
  readonly sendRequest: <Asked, Told>(
    method: Method<Asked, Told>,
    asked: Asked,
    signal?: AbortSignal,
  ) => Promise<Told>;
  /** Sends a notification. Does nothing if the connection has ended. */
  readonly sendNotification: <Asked>(method: Method<Asked, void>, asked: Asked) => Promise<void>;
  /** Sets the handler for a request. Its signal fires if the other side cancels, or if the connection ends. */
  readonly onRequest: <Asked, Told>(
    method: Method<Asked, Told>,
    work: (asked: Asked, signal: AbortSignal) => Told | Promise<Told>,
  ) => void;
  /** Sets the handler for a notification. */
  readonly onNotification: <Asked>(
    method: Method<Asked, void>,
    listener: (asked: Asked) => void,
  ) => { readonly dispose: () => void };
  /** Starts to receive messages. Set all handlers first. */
  readonly listen: () => void;
  /** Fires when the connection has ended. Open requests then reject. */
  readonly closed: AbortSignal;
  /** Returns why the connection has ended. */
  readonly end: () => LinkEnd;
  /** Allows long messages, once the other side has proved that it knows the token. */
  readonly trust: () => void;
  /** Redacts all messages from now on with `clean`. */
  readonly redactWith: (clean: (text: string) => Promise<string>) => void;
  /** Ends the connection. `why` is `gone` by default. */
  readonly close: (why?: LinkEnd) => void;
}

/** Creates a link that uses JSON-RPC over a socket. Limits the size of messages while they arrive. */
export function linkOver(socket: Socket): Link {
  const ended = new AbortController();
  let clean = async (text: string) => text;
  let why: LinkEnd = "gone";
  const close = (reason: LinkEnd = "gone") => {
    if (!socket.destroyed) why = reason;
    socket.destroy();
    // The socket may have closed before there were listeners.
    setImmediate(end);
  };
  const reader = new BoundedReader(socket, () => close());
  const writer = new ReportingWriter(socket, async (message) => {
    const bytes = Buffer.from(await clean(JSON.stringify(message)));
    if (bytes.length > maxMessageBytes) throw new Error("The message is too long.");
    return bytes;
  });
  const connection = createMessageConnection(reader, writer);
  function end(): void {
    if (ended.signal.aborted) return;
    // Open requests reject.
    connection.dispose();
    ended.abort();
  }
  // A message that could not be written closes the connection too, so that open requests reject.
  connection.onError(() => close());
  socket.on("error", () => close());
  socket.on("close", end);
  connection.onRequest(alive.name, () => null);
  const whileWaiting = heartbeat(socket, {
    beat: () => void connection.sendRequest(alive.name, {}).catch(() => undefined),
    silent: () => close("silent"),
  });
  return {
    sendRequest: async ({ name }, asked, signal) => {
      const canceled = new CancellationTokenSource();
      const cancel = () => canceled.cancel();
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await whileWaiting(connection.sendRequest(name, asked, canceled.token));
      } finally {
        signal?.removeEventListener("abort", cancel);
        canceled.dispose();
      }
    },
    sendNotification: async ({ name }, asked) => {
      // The library throws if the connection has ended.
      if (!ended.signal.aborted)
        await whileWaiting(connection.sendNotification(name, asked)).catch(() => undefined);
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
    end: () => why,
    trust: () => reader.trust(),
    redactWith: (by) => {
      clean = by;
    },
    close,
  };
}

/**
 * Returns a function that watches the other side while something waits for it. Only waits are watched: a command that a
 * person suspended may return hours later, if nobody needs it meanwhile.
 */
function heartbeat(
  socket: Socket,
  { beat, silent }: { readonly beat: () => void; readonly silent: () => void },
): <Told>(wait: Promise<Told>) => Promise<Told> {
  let [waits, missed] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  socket.on("data", () => {
    missed = 0;
  });
  const next = () => {
    if (missed >= maxMissedBeats) {
      silent();
      return;
    }
    missed += 1;
    beat();
    timer = setTimeout(next, beatMs);
  };
  return async (wait) => {
    waits += 1;
    if (waits === 1) timer = setTimeout(next, beatMs);
    try {
      return await wait;
    } finally {
      waits -= 1;
      if (waits === 0) {
        clearTimeout(timer);
        missed = 0;
      }
    }
  };
}

/**
 * If a message cannot be written, reports that only as an error event. The library alone would also leave an unhandled
 * rejection.
 */
class ReportingWriter extends StreamMessageWriter {
  constructor(socket: Socket, encode: (message: Message) => Promise<Uint8Array>) {
    super(socket, { contentTypeEncoder: { name: "application/json", encode } });
  }

  override async write(message: Message): Promise<void> {
    await super.write(message).catch(() => undefined);
  }
}

/** Closes the connection if too many bytes arrive without a complete message. */
class BoundedReader extends StreamMessageReader {
  private pending = 0;
  private limit = unprovenBytes;

  constructor(
    private readonly socket: Socket,
    private readonly tooLong: () => void,
  ) {
    super(socket);
    // The library's timer for partial messages would only log a warning, and would keep a finished program alive.
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
