/**
 * Waits until `look` finds something: anything but undefined or false. For what announces itself by no
 * event; looks 20 times a second. Fails after `seconds`, naming `what` was waited for.
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 20,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
