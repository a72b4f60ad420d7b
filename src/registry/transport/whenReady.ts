import type { Socket } from "node:net";

/** Waits for a socket's `event`. Rejects with its error, and destroys it when the signal fires. */
export function whenReady<Opened extends Socket>(
  socket: Opened,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(asError(signal.reason));
    const settle = () => signal.removeEventListener("abort", stop);
    // Stays for good: an error between two owners must not end the process.
    socket.on("error", (error) => {
      settle();
      reject(error);
    });
    socket.once("close", () => {
      settle();
      reject(Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    });
    socket.once(event, () => {
      settle();
      resolve(socket);
    });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("stopped");
}
