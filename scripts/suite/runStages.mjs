import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";
import { followProcessorTime } from "./processorTime.mjs";

/** The interval between two lines that say how far the run is, in milliseconds. */
const everyMs = 30_000;

/**
 * The time zones in which stages run, by a stage's name; the others run in the machine's. They are far from UTC, on
 * both sides, and one is not a whole number of hours away.
 */
const zones = {
  "unit-core": "Pacific/Kiritimati",
  "unit-pages": "Pacific/Kiritimati",
  "unit-cli": "America/St_Johns",
  "unit-rest": "Pacific/Pago_Pago",
  memory: "Pacific/Pago_Pago",
};

/**
 * Runs stages side by side, `places` at a time, each in a separate process once all stages that it needs have passed.
 * Prints the output of a stage when it has ended, and in between how far the run is. `selection` is stagesOf's. Resolves
 * to the counts of each stage with `seconds` and `processorSeconds`. A stage fails if a needed one failed.
 */
export async function runStages(stages, { places, selection }) {
  const results = new Map();
  const processors = followProcessorTime();
  const waiting = new Set(stages);
  const running = new Set();
  const start = Date.now();
  const timer = setInterval(() => {
    const under = [...running].map(({ stage, since }) => `${stage.name} ${secondsFrom(since)} s`);
    const tests = [...running].reduce((sum, run) => sum + run.tests(), 0);
    const ended = [...results.values()].reduce((sum, { passed }) => sum + passed, 0);
    console.log(`… ${secondsFrom(start)} s, ${tests + ended} tests: ${under.join(", ")}`);
  }, everyMs);
  while (waiting.size + running.size > 0) {
    for (const stage of waiting) {
      const needs = (stage.needs ?? []).filter((name) => isAmong(stages, name));
      const failed = needs.find((name) => results.get(name)?.failures.length > 0);
      if (failed !== undefined) {
        waiting.delete(stage);
        results.set(stage.name, { ...none, failures: [`not run, since "${failed}" failed`] });
      } else if (running.size < places && needs.every((name) => results.has(name))) {
        waiting.delete(stage);
        const run = startStage(stage, selection, processors);
        run.ended = run.counts.then((counts) => {
          results.set(stage.name, counts);
          running.delete(run);
        });
        running.add(run);
      }
    }
    if (running.size > 0) await Promise.race([...running].map(({ ended }) => ended));
  }
  clearInterval(timer);
  processors.stop();
  return results;
}

const none = { passed: 0, failures: [], skipped: [], slowest: [], seconds: 0 };

function secondsFrom(start) {
  return Math.round((Date.now() - start) / 1000);
}

function isAmong(stages, name) {
  return stages.some((stage) => stage.name === name);
}

/** Starts a stage. Returns its promised `counts`, when it started (`since`), and how many `tests` it has passed so far. */
function startStage(stage, selection, processors) {
  const { name, title } = stage;
  const zone = zones[name];
  console.log(`… ${name}: ${title}${zone === undefined ? "" : `, in the time zone ${zone}`}`);
  const since = Date.now();
  const child = fork(join(root, "scripts/suite/runStage.mjs"), [name, JSON.stringify(selection)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...(zone === undefined ? {} : { TZ: zone }) },
  });
  let tests = 0;
  const counts = countsOf(child, stage, processors, since, (printed) => {
    tests += printed.split("✔").length - 1;
  });
  return { stage, since, tests: () => tests, counts };
}

async function countsOf(child, { name }, processors, start, onOutput) {
  let counts = { ...none, failures: ["ended before it had said what came of it"] };
  let processorSeconds;
  let printed = "";
  child.once("message", (sent) => {
    counts = sent;
    processorSeconds = processors.secondsOf(child.pid);
    child.send("seen");
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      onOutput(text);
    });
  }
  await once(child, "close");
  const seconds = (Date.now() - start) / 1000;
  const verdict = counts.failures.length === 0 ? "good" : "FAILED";
  const used =
    processorSeconds === undefined ? "" : `, ${processorSeconds.toFixed(1)} s of processors`;
  console.log(
    `\n━━ ${name}: ${verdict} after ${seconds.toFixed(1)} s${used}\n${printed.trimEnd()}`,
  );
  return { ...counts, seconds, processorSeconds };
}
