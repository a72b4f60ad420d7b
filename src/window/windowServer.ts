import { createServer, type Server, type Socket } from "node:net";
import type { Link } from "./link";
import { isProofOf, newNonce, proofOf } from "./proof";
import { hello, linkProtocol, proofMs, prove } from "./protocol";
import { createListenAddress, newToken, writeWindowAddress } from "./windowAddress";

/** A window that listens to the commands of its terminals. */
export interface WindowServer {
  /** The value of the environment variable in its terminals. */
  readonly variable: string;
  readonly close: () => Promise<void>;
}

/** The maximum number of connected commands. For one more, the oldest without a proof is disconnected. */
const maxLinks = 64;

/**
 * Starts to listen, with a new token. Calls `serve` with each command that proved to know the token, before its first
 * request. Rejects if there is no address to listen at.
 */
export async function listenForCommands(
  serve: (link: Link) => Promise<void>,
): Promise<WindowServer> {
  const token = newToken();
  const { path, remove } = await createListenAddress();
  const sockets = new Set<Socket>();
  const unproven = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    unproven.add(socket);
    const ended = () => {
      sockets.delete(socket);
      unproven.delete(socket);
    };
    socket.once("close", ended);
    if (sockets.size > maxLinks) {
      const [oldest = socket] = unproven;
      oldest.destroy();
      // The event comes later than the next connection.
      sockets.delete(oldest);
      unproven.delete(oldest);
    }
    // After an error, Node.js closes the socket by itself.
    socket.on("error", () => undefined);
    void connect(socket, token, async (link) => {
      unproven.delete(socket);
      await serve(link);
    });
  });
  try {
    await listening(server, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    variable: writeWindowAddress({ path, token }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await remove();
    },
  };
}

async function listening(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  server.removeAllListeners("error");
  // A connection that cannot be accepted does not affect the others.
  server.on("error", () => undefined);
}

/** Loads the message library with the first connection, since most windows never have one. */
async function connect(
  socket: Socket,
  token: string,
  serve: (link: Link) => Promise<void>,
): Promise<void> {
  try {
    const { linkOver } = await import("./link");
    if (!socket.destroyed) awaitProof(linkOver(socket), token, serve);
  } catch {
    // An update may have replaced the extension's files. The command then reports that the window is gone.
    socket.destroy();
  }
}

/** Handles only the proof, which each command may try once. A wrong proof ends the connection. */
function awaitProof(link: Link, token: string, serve: (link: Link) => Promise<void>): void {
  const { closed, close } = link;
  const late = setTimeout(() => close("silent"), proofMs);
  closed.addEventListener("abort", () => clearTimeout(late), { once: true });
  const nonce = newNonce();
  let theirs: string | undefined;
  let isProven = false;
  link.onRequest(hello, (given) => {
    if (theirs !== undefined || typeof given?.nonce !== "string") {
      close();
      throw new Error("This is not how a command begins.");
    }
    theirs = given.nonce;
    const proof = proofOf("window", token, { window: nonce, command: theirs });
    return { protocol: linkProtocol, nonce, proof };
  });
  link.onRequest(prove, async (given) => {
    const nonces = { window: nonce, command: theirs ?? "" };
    const isRight =
      theirs !== undefined && isProofOf("command", token, nonces, String(given?.proof));
    if (isProven || !isRight) {
      close();
      return false;
    }
    isProven = true;
    clearTimeout(late);
    await serve(link);
    link.trust();
    return true;
  });
  link.listen();
}
