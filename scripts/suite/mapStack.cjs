const { readFileSync } = require("node:fs");
const { SourceMap } = require("node:module");
const { dirname, resolve } = require("node:path");

const maps = new Map();

/** Errors of which the stacks are looked at: causes may lead in a circle, and one error may have thousands. */
const maxErrors = 100;

/**
 * Names in the stack of an error, and of those that it comes from (`cause` and `errors`), the sources of what was bundled,
 * by the maps beside the bundles. Node.js would read the maps of all bundles before any test, and one for each stack that
 * a test looks at.
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
  error.stack = error.stack.replace(/([^\s(]+\.js):(\d+):(\d+)/g, (place, file, line, column) => {
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
    // What was not bundled has none.
    return undefined;
  }
}

module.exports = { mapStack };
