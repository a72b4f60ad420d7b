import { within } from "../../registry/wait";

/**
 * Waits for the secret storage. Waits less after it did not respond once, so that several accesses do not add up to
 * minutes. Rejects if the storage fails or times out.
 */
export class SecretStorageWait {
  private hangs = false;

  constructor(
    private readonly timeouts: Pick<typeof storageTimeouts, "first" | "next"> = storageTimeouts,
  ) {}

  async for<Value>(work: () => Thenable<Value>): Promise<Value> {
    const { first, next } = this.timeouts;
    try {
      const value = await withTimeout(work(), this.hangs ? next : first);
      this.hangs = false;
      return value;
    } catch (error) {
      this.hangs = true;
      throw error;
    }
  }
}

/**
 * Waits for the secret storage, and rejects after `milliseconds`. A keyring that waits for an invisible dialog must not
 * block an invocation forever.
 */
export async function withTimeout<Value>(
  work: Thenable<Value>,
  milliseconds: number,
): Promise<Value> {
  const ended = await within(
    Promise.resolve(work).then((value) => ({ value })),
    milliseconds,
  );
  if (ended === undefined) throw new Error("The secret storage does not answer.");
  return ended.value;
}

/**
 * Waits at most `milliseconds` until the redactor knows the stored values. `learning` resolves to whether any was new
 * to it. Calls `learnedLate` if a value arrives later, since content that was shown meanwhile may contain it. Never
 * rejects.
 */
export async function learnInTime(
  learning: Promise<boolean>,
  milliseconds: number,
  learnedLate: () => void,
): Promise<void> {
  const learned = learning.catch(() => false);
  const isInTime = await within(
    learned.then(() => true),
    milliseconds,
  );
  if (isInTime === undefined) void learned.then((isNew) => isNew && learnedLate());
}

/** Timeouts of the secret storage, in milliseconds. */
export const storageTimeouts = {
  /** For the first access. */
  first: 10000,
  /** After it did not respond once. */
  next: 1000,
  /** Before a registry's response is shown, if no value to redact is expected in the storage. */
  unexpected: 2000,
};
