/** Runs a job when it is its turn, and resolves to its result. */
export type Turns = <Made>(job: () => Promise<Made>) => Promise<Made>;

/**
 * Creates turns for up to `jobs` jobs at once, which start in the order of their arrival. After a failure no other job
 * starts: waiting ones fail with the same error.
 */
export function createTurns(jobs: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  let failure: { readonly error: unknown } | undefined;
  return async (job) => {
    if (running >= jobs) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      if (failure !== undefined) throw failure.error;
      return await job();
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      const next = waiting.shift();
      // The next job takes this one's turn.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
