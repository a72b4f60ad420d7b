import type * as vscode from "vscode";

/*
 * Work that several callers want: they share the first run, or only the last run counts.
 */

/** Requests of one kind. A newer one aborts the previous one's signal, and the previous result no longer counts. */
export class LatestRequest {
  private latest = new AbortController();

  /** The signal of the latest request. */
  get signal(): AbortSignal {
    return this.latest.signal;
  }

  /** Begins a request, and returns its signal. */
  begin(): AbortSignal {
    this.dispose();
    this.latest = new AbortController();
    return this.signal;
  }

  /** Aborts the latest request. */
  dispose(): void {
    this.latest.abort();
  }
}

/** Waits for work, and for any newer work that replaces it meanwhile. `current` returns the newest work. */
export async function newest(current: () => Promise<unknown> | undefined): Promise<void> {
  for (let awaited: Promise<unknown> | undefined; ; ) {
    const next = current();
    if (next === undefined || next === awaited) return;
    awaited = next;
    await next;
  }
}

/** Loads a value on the first call and remembers it. After a failure, the next call loads it again. */
export function loadedOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    if (loaded !== undefined) return loaded;
    const loading = load();
    loaded = loading;
    loading.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return loading;
  };
}

/** Waits for an answer until the editor cancels; undefined then. */
export async function unlessCancelled<Answer>(
  token: vscode.CancellationToken,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    return token.isCancellationRequested ? undefined : await unlessAborted(ask(signal), signal);
  } finally {
    subscription.dispose();
  }
}

/** Waits for work that may reject once its signal fires; undefined then. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return work.catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}
