import { type CancellationToken, CancellationTokenSource } from "vscode-jsonrpc/node";

/** Sends a request that is canceled on the other side once `signal` fires; its answer comes all the same. */
export async function cancelable<Answer>(
  signal: AbortSignal,
  send: (token: CancellationToken) => Promise<Answer>,
): Promise<Answer> {
  const canceled = new CancellationTokenSource();
  const cancel = () => canceled.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await send(canceled.token);
  } finally {
    signal.removeEventListener("abort", cancel);
    canceled.dispose();
  }
}
