/**
 * Waits until a child process prints a matching line. Resolves to the match. Rejects with its last output if the
 * process ends first or `seconds` pass.
 */
export function untilPrinted(child, pattern, what, seconds = 60) {
  return new Promise((done, fail) => {
    let printed = "";
    const stop = (message) => {
      settle();
      fail(new Error(`${message}\n${printed.slice(-2000)}`));
    };
    const read = (text) => {
      printed += text;
      const match = pattern.exec(printed);
      if (match === null) return;
      settle();
      done(match);
    };
    const ended = (code, signal) =>
      stop(`${what} ended before it was ready (${signal ?? `exit code ${code}`}).`);
    const failed = (error) => stop(`${what} could not be started: ${error.message}`);
    const timer = setTimeout(
      () => stop(`${what} was not ready after ${seconds} s.`),
      seconds * 1000,
    );
    const settle = () => {
      clearTimeout(timer);
      child.off("exit", ended).off("error", failed);
      for (const stream of [child.stdout, child.stderr]) stream.off("data", read).resume();
    };
    child.once("exit", ended).once("error", failed);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
  });
}
