import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { shardOfMachine, shardPart } from "../../../../../src/core/invocation/run/shard";

describe("the shard of a machine", () => {
  const found: readonly (readonly [
    what: string,
    env: Readonly<Record<string, string>>,
    count: number | undefined,
    shard: string,
  ])[] = [
    ["an indexed Job of Kubernetes", { JOB_COMPLETION_INDEX: "0" }, 20, "1/20"],
    [
      "an index of Kubernetes that failed before",
      { JOB_COMPLETION_INDEX: "19", JOB_INDEX_FAILURE_COUNT: "1" },
      20,
      "20/20 again",
    ],
    [
      "a Slurm array",
      { SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "1" },
      undefined,
      "3/3",
    ],
    [
      "a Slurm array with a step",
      {
        ...{ SLURM_ARRAY_TASK_ID: "14", SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "10" },
        ...{ SLURM_ARRAY_TASK_STEP: "2", SLURM_RESTART_COUNT: "1" },
      },
      3,
      "3/3 again",
    ],
    [
      "an array job of AWS Batch",
      {
        ...{ AWS_BATCH_JOB_ARRAY_INDEX: "9", AWS_BATCH_JOB_ARRAY_SIZE: "10" },
        AWS_BATCH_JOB_ATTEMPT: "1",
      },
      undefined,
      "10/10",
    ],
    [
      "a job of AWS Batch that is tried again",
      {
        ...{ AWS_BATCH_JOB_ARRAY_INDEX: "0", AWS_BATCH_JOB_ARRAY_SIZE: "10" },
        AWS_BATCH_JOB_ATTEMPT: "2",
      },
      undefined,
      "1/10 again",
    ],
    [
      "a parallel job of Azure Pipelines",
      { SYSTEM_JOBPOSITIONINPHASE: "2", SYSTEM_TOTALJOBSINPHASE: "4", SYSTEM_JOBATTEMPT: "1" },
      undefined,
      "2/4",
    ],
  ];
  for (const [what, env, count, expected] of found) {
    it(`is read from ${what}`, () => {
      const read = shardOfMachine(env, count);
      assert.ok(read.kind === "shard", JSON.stringify(read));
      const { shard, isRestart } = read;
      assert.equal(`${shard.index}/${shard.count}${isRestart ? " again" : ""}`, expected);
    });
  }

  const slurm = { SLURM_ARRAY_TASK_COUNT: "3", SLURM_ARRAY_TASK_MIN: "1" };
  const unknown: readonly (readonly [
    what: string,
    env: Readonly<Record<string, string>>,
    count: number | undefined,
    message: RegExp,
  ])[] = [
    ["no engine", {}, undefined, /needs one of the variables JOB_COMPLETION_INDEX, SLURM_/],
    ["an empty variable", { JOB_COMPLETION_INDEX: "" }, 20, /needs one of the variables/],
    ["no number of shards", { JOB_COMPLETION_INDEX: "0" }, undefined, /--shard auto\/N/],
    ["an index beyond the last shard", { JOB_COMPLETION_INDEX: "20" }, 20, /none of 20 tasks/],
    ["no index", { JOB_COMPLETION_INDEX: "first" }, 20, /none of 20 tasks/],
    ["a Slurm array with gaps", { ...slurm, SLURM_ARRAY_TASK_ID: "7" }, undefined, /none of 3/],
    [
      "a Slurm array without its first number",
      { SLURM_ARRAY_TASK_ID: "1", SLURM_ARRAY_TASK_COUNT: "3" },
      undefined,
      /none of 3/,
    ],
    ["another number of shards", { ...slurm, SLURM_ARRAY_TASK_ID: "1" }, 4, /auto\/4 does not fit/],
    [
      "two engines",
      { ...slurm, SLURM_ARRAY_TASK_ID: "1", JOB_COMPLETION_INDEX: "0" },
      3,
      /are both set\. Name the shard/,
    ],
  ];
  for (const [what, env, count, message] of unknown) {
    it(`is unknown with ${what}`, () => {
      const read = shardOfMachine(env, count);
      assert.ok(read.kind === "problem", JSON.stringify(read));
      assert.match(read.message, message);
    });
  }
});

it("the parts of all shards add up to the whole, and differ by at most 1", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 200 }), (total, count) => {
      const parts = Array.from({ length: count }, (_, at) =>
        shardPart(total, { index: at + 1, count }),
      );
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        total,
      );
      assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
    }),
  );
});
