import type { Socket } from "node:net";
import {
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";

/** The longest message, in bytes: a longer one ends the connection, from either side. */
export const maxMessageBytes = 10_000_000;
/** The longest of a side that proved nothing yet. Looking for the end of a long header takes seconds. */
const unprovenBytes = 4_000;
/** Headers, and what of the next message came with the last piece. */
const slackBytes = 100_000;

/** A connection between a window and a command, until it is closed. */
export interface Link {
  readonly connection: MessageConnection;
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
  const close = () => void socket.destroy();
  const reader = new BoundedReader(socket, close);
  const writer = new ClosingWriter(socket, close, async (message) => {
    const bytes = Buffer.from(await clean(JSON.stringify(message)));
    if (bytes.length > maxMessageBytes) throw new Error("The message is too long.");
    return bytes;
  });
  const connection = createMessageConnection(reader, writer);
  const end = () => {
    if (ended.signal.aborted) return;
    // Requests that are not answered yet reject.
    connection.dispose();
    ended.abort();
  };
  connection.onError(close);
  socket.on("error", close);
  socket.on("close", end);
  return {
    connection,
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
