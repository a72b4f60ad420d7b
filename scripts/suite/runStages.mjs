import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";
import { followProcessorTime } from "./processorTime.mjs";

/**
 * Runs stages side by side, `places` at a time, each in a separate process once all stages that it needs have passed.
 * Prints the output of a stage when it has ended. `selection` is stagesOf's. Resolves to the counts of each stage with
 * `seconds` and `processorSeconds`. A stage fails if a needed one failed.
 */
export async function runStages(stages, { places, selection }) {
  const results = new Map();
  const processors = followProcessorTime();
  const waiting = new Set(stages);
  const running = new Set();
  while (waiting.size + running.size > 0) {
    for (const stage of waiting) {
      const needs = (stage.needs ?? []).filter((name) => isAmong(stages, name));
      const failed = needs.find((name) => results.get(name)?.failures.length > 0);
      if (failed !== undefined) {
        waiting.delete(stage);
        results.set(stage.name, { ...none, failures: [`not run, since "${failed}" failed`] });
      } else if (running.size < places && needs.every((name) => results.has(name))) {
        waiting.delete(stage);
        const run = runStage(stage, selection, processors).then((counts) => {
          results.set(stage.name, counts);
          running.delete(run);
        });
        running.add(run);
      }
    }
    if (running.size > 0) await Promise.race(running);
  }
  processors.stop();
  return results;
}

const none = { passed: 0, failures: [], skipped: [], seconds: 0 };

function isAmong(stages, name) {
  return stages.some((stage) => stage.name === name);
}

async function runStage({ name, title }, selection, processors) {
  console.log(`… ${name}: ${title}`);
  const start = Date.now();
  const child = fork(join(root, "scripts/suite/runStage.mjs"), [name, JSON.stringify(selection)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
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
