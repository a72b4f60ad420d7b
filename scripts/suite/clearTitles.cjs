// A failure shows one line of a test: the titles around it and its own.

/**
 * Lists the tests of a suite and its inner suites whose line cannot be understood alone, each with the reason: another
 * test has the same line, or a part of it is empty, lacks a value, breaks the line, names a source file, or says
 * nothing about what is expected.
 */
function unclearTitles(suite) {
  const lines = new Set();
  return testsOf(suite).flatMap((test) => {
    const titles = test.titlePath();
    const line = titles.join(" › ");
    const isSecond = lines.has(line);
    lines.add(line);
    const why = isSecond ? "another test has the same" : titles.map(whyUnclear).find(Boolean);
    return why === undefined ? [] : [`${line}: ${why}`];
  });
}

function testsOf({ tests, suites }) {
  return [...tests, ...suites.flatMap(testsOf)];
}

function whyUnclear(title) {
  if (title !== title.trim() || title === "") return "a value is missing";
  if (/\p{Cc}/u.test(title)) return "it breaks the line, or acts on a terminal";
  if (/\.test\b|\.ts$/.test(title)) return "it names a source file, not what is tested";
  if (/^(?:it )?(?:should|works|is ok)\b/i.test(title)) return "it does not say what is expected";
  return undefined;
}

/** A hook after all tests that fails if a test's line cannot be understood alone. */
function assertClearTitles() {
  const unclear = unclearTitles(this.test.parent);
  if (unclear.length > 0)
    throw new Error(`Titles that cannot be understood alone:\n${unclear.join("\n")}`);
}

module.exports = { assertClearTitles, unclearTitles };
