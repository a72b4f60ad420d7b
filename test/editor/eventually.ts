/**
 * How long the tests wait in an editor's window, in seconds. One wait ends after `waitSeconds`: what never
 * comes is found then and named, and what takes 10 s where nothing else runs may take six times that on
 * a slow and busy machine. A test is many waits in a row, and slowness adds up in them, so that its own
 * limit, `testSeconds`, ends only what no wait ends: a command that never returns. The window's host
 * gives up later still, after the longest silence that a test may keep (runTestsInWindow.mjs).
 */
export const waitSeconds = 60;
export const testSeconds = 5 * waitSeconds;

/**
 * Waits until `look` finds something: anything but undefined or false. For what announces itself by no
 * event; looks 20 times a second. A look that fails has found nothing yet: what it reads may go just then.
 * Fails after `seconds`, naming `what` was waited for and the last look's failure.
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = waitSeconds,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    let failure: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`Not within ${seconds} s: ${what}${failure ? ` (${failure})` : ""}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}
