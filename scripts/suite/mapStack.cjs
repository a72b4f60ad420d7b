const { readFileSync } = require("node:fs");
const { SourceMap } = require("node:module");
const { dirname, resolve } = require("node:path");

const maps = new Map();

/** The maximum number of errors whose stacks are mapped: causes may be circular, and one error may have thousands. */
const maxErrors = 100;

/**
 * Replaces bundled places by the original sources in the stack of an error, and of its `cause` and `errors`, by the
 * maps beside the bundles. Node.js itself would read the maps of all bundles before any test, and one for each stack
 * that a test reads.
 */
function mapStack(error) {
  const found = new Set([error]);
  for (const one of found) {
    mapOne(one);
    const from = [one?.cause]
      .concat(one?.errors)
      .filter((other) => typeof other?.stack === "string");
    for (const other of from.slice(0, maxErrors - found.size)) found.add(other);
  }
}

function mapOne(error) {
  if (typeof error?.stack !== "string") return;
  // A path may contain blanks.
  const places = /((?:[A-Za-z]:)?[\\/][^()\n]*?\.js):(\d+):(\d+)/g;
  error.stack = error.stack.replace(places, (place, file, line, column) => {
    const origin = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (origin?.originalSource === undefined) return place;
    const source = resolve(dirname(file), origin.originalSource);
    return `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  });
}

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  } catch {
    // A file that was not bundled has no map.
    return undefined;
  }
}

module.exports = { mapStack };
