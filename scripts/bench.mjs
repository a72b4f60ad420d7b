// Measures everything that must stay fast against a peer, and writes out/bench.json: npm run bench. `-- activation`
// keeps the benches whose path contains it. Ends with 1 if a measure exceeds its limit.
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
const measures = [];
for (const name of (await readdir("test/bench")).sort()) {
  if (!name.endsWith(".bench.ts") || !name.includes(wanted)) continue;
  const { run } = await importTypeScript(`test/bench/${name}`);
  measures.push(...(await run()));
}
await mkdir(out, { recursive: true });
await writeFile(join(out, "bench.json"), `${JSON.stringify({ measures }, null, 2)}\n`);
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
process.exitCode = measures.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;

function rounded(number) {
  return Number(number.toPrecision(3));
}
