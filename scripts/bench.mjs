// Measures everything that must stay fast against a peer, and writes out/bench.json after each bench: npm run bench.
// `-- activation` keeps the benches whose path contains it. Ends with 1 if a measure exceeds its limit, or a bench
// cannot measure.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { out, root } = await import("./editor/paths.mjs");
const { importTypeScript } = await import("./importTypeScript.mjs");

const wanted = process.argv[2] ?? "";
process.chdir(root);
await buildExtension();
await mkdir(out, { recursive: true });
const measures = [];
/** The benches that could not measure, each with the reason. */
const failed = [];
for (const name of (await readdir("test/bench")).sort()) {
  if (!name.endsWith(".bench.ts") || !name.includes(wanted)) continue;
  try {
    const { run } = await importTypeScript(`test/bench/${name}`);
    measures.push(...(await run()));
  } catch (error) {
    console.error(error);
    failed.push({ bench: name, reason: String(error.message) });
  }
  // At once, so that a bench that fails or is interrupted takes no other result with it.
  await writeFile(join(out, "bench.json"), `${JSON.stringify({ measures, failed }, null, 2)}\n`);
}
console.table(
  measures.map(({ name, ours, peer, ratio, limit }) => ({
    measure: name,
    "ours (ms)": rounded(ours),
    "peer (ms)": rounded(peer),
    ratio: rounded(ratio),
    limit,
    good: ratio <= limit,
  })),
);
for (const { bench, reason } of failed) console.error(`✘ ${bench} measured nothing: ${reason}`);
const isGood = failed.length === 0 && measures.every(({ ratio, limit }) => ratio <= limit);
process.exitCode = isGood ? 0 : 1;

function rounded(number) {
  return Number(number.toPrecision(3));
}
