/**
 * How long a test waits for one thing in an editor's window, in seconds. It is long, since everything takes several
 * times as long on a busy machine. A test consists of many waits, so its own limit, `testSeconds`, is only for
 * a command that never returns. The window's host gives up later still, after the longest silence that a test may have
 * (runTestsInWindow.mjs).
 */
export const waitSeconds = 60;
export const testSeconds = 5 * waitSeconds;

/**
 * Waits until `look` returns anything but undefined or false, for things that fire no event. Looks 20 times a second. A
 * look that throws counts as having found nothing. Fails after `seconds` with `what` was awaited and the error of the
 * last look.
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
