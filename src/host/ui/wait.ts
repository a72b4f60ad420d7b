/*
 * How results of work that is wanted more than once find who waits for them: the first is shared, or the last counts.
 */

/** Returns whether a request is still the latest, so that its result counts. */
export type IsLatest = () => boolean;

/** Numbers requests of one kind: a newer one makes the results of older ones obsolete. */
export class LatestRequest {
  private latest = 0;

  /** Begins a request, which makes all earlier ones obsolete. */
  begin(): IsLatest {
    this.latest += 1;
    return this.join();
  }

  /** Joins the latest request. */
  join(): IsLatest {
    const request = this.latest;
    return () => request === this.latest;
  }
}

/** Waits for work that newer work may replace meanwhile, until there is none newer; `current` returns the newest. */
export async function newest(current: () => Promise<unknown> | undefined): Promise<void> {
  for (let awaited: Promise<unknown> | undefined; ; ) {
    const next = current();
    if (next === undefined || next === awaited) return;
    awaited = next;
    await next;
  }
}

/** Loads something on the first call and remembers it. After a failure the next call loads it again. */
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

/** Asks one question for each name, once. All calls while it is open, or later, get the first answer. */
export class AskedOnce<Answer> {
  private readonly answers = new Map<string, Promise<Answer>>();

  /** Resolves to the result of `question` for this name; rejects where that did. */
  ask(name: string, question: () => Promise<Answer>): Promise<Answer> {
    const asked = this.answers.get(name) ?? question();
    this.answers.set(name, asked);
    return asked;
  }
}
