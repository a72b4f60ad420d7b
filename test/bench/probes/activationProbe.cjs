// Runs in an extension host that has just started. Activates the extensions named in the variable
// SKILL_REGISTRY_PROBE_IDS one after the other, and writes for each how many milliseconds it took including loading its
// code, and how many of CPU time, to the file in SKILL_REGISTRY_PROBE_FILE. With SKILL_REGISTRY_PROBE_HEAP, it instead
// writes how many kilobytes of heap each keeps, and how many the host had before.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { setTimeout: pause } = require("node:timers/promises");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const vscode = require("vscode");

exports.run = async () => {
  const measured = {};
  const measure = process.env.SKILL_REGISTRY_PROBE_HEAP === undefined ? timesOf : heapOf;
  for (const id of process.env.SKILL_REGISTRY_PROBE_IDS.split(",")) {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined || extension.isActive) throw new Error(`${id} cannot be measured.`);
    await untilQuiet();
    measured[id] = await measure(extension);
  }
  writeFileSync(process.env.SKILL_REGISTRY_PROBE_FILE, JSON.stringify(measured));
};

async function timesOf(extension) {
  const start = performance.now();
  const before = process.threadCpuUsage();
  await extension.activate();
  const { user, system } = process.threadCpuUsage(before);
  return { taken: performance.now() - start, processor: (user + system) / 1000 };
}

/** Measures the heap in a separate run, since a garbage collection also drops compiled code. */
async function heapOf(extension) {
  const host = heapInUse();
  await extension.activate();
  await untilQuiet();
  return { heap: heapInUse() - host, host };
}

/** Returns the kilobytes that remain after a collection of garbage. */
function heapInUse() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1000;
}

/** Waits until nothing else keeps this host busy: until 50 short pauses in a row were short. */
async function untilQuiet() {
  for (let inARow = 0; inARow < 50; ) {
    const start = performance.now();
    await pause(10);
    inARow = performance.now() - start < 15 ? inARow + 1 : 0;
  }
}
