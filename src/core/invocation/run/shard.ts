/** One of `count` parts of the lines of a file; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Parses `3/10`. Undefined for anything else. */
export function readShard(text: string): Shard | undefined {
  const [, index = "", count = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  const fits = shard.index >= 1 && shard.index <= shard.count;
  return fits ? shard : undefined;
}

/** The shard of this machine, or why it is unknown. */
export type MachineShard =
  | {
      readonly kind: "shard";
      readonly shard: Shard;
      /** The environment variable that names it. */
      readonly source: string;
      /** Whether the engine starts this shard again. False if it does not say. */
      readonly isRestart: boolean;
    }
  | { readonly kind: "problem"; readonly message: string };

/** The variables that an engine sets for each of the tasks that it starts. */
interface Engine {
  readonly index: string;
  readonly count?: string;
  /** The index of the first task: a number, or a variable with a number. */
  readonly first: number | string;
  /** The difference between two indices. Default: 1. */
  readonly step?: string;
  /** How often a task was started before, plus `firstTry`. */
  readonly tries: string;
  readonly firstTry: number;
}

/** Sources: the documentation of Kubernetes (indexed Jobs), Slurm (job arrays), AWS Batch and Azure Pipelines. */
const engines: readonly Engine[] = [
  // Kubernetes sets the index alone. docs/scale.md sets the other variable from an annotation of the pod.
  { index: "JOB_COMPLETION_INDEX", first: 0, tries: "JOB_INDEX_FAILURE_COUNT", firstTry: 0 },
  {
    ...{ index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT" },
    ...{ first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP" },
    ...{ tries: "SLURM_RESTART_COUNT", firstTry: 0 },
  },
  {
    ...{ index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", first: 0 },
    ...{ tries: "AWS_BATCH_JOB_ATTEMPT", firstTry: 1 },
  },
  {
    ...{ index: "SYSTEM_JOBPOSITIONINPHASE", count: "SYSTEM_TOTALJOBSINPHASE", first: 1 },
    ...{ tries: "SYSTEM_JOBATTEMPT", firstTry: 1 },
  },
];

/**
 * Reads the shard of this machine from the environment variables of the engine that started the command. `count` is the
 * number of shards that the user named; undefined for none.
 */
export function shardOfMachine(
  env: Readonly<Record<string, string | undefined>>,
  count: number | undefined,
): MachineShard {
  const [engine, other] = engines.filter(({ index }) => (env[index] ?? "") !== "");
  if (engine === undefined) {
    const names = engines.map(({ index }) => index).join(", ");
    return problem(`--shard auto needs one of the variables ${names}.`);
  }
  if (other !== undefined) {
    return problem(`${engine.index} and ${other.index} are both set. Name the shard: --shard I/N.`);
  }
  const { index: source, tries, firstTry } = engine;
  const numberOf = (name: string) =>
    /^\d{1,9}$/.test(env[name] ?? "") ? Number(env[name]) : undefined;
  const found = engine.count === undefined ? undefined : numberOf(engine.count);
  const total = found ?? count;
  if (total === undefined) return problem(`Name the number of shards: --shard auto/N.`);
  if (count !== undefined && count !== total) {
    return problem(`--shard auto/${count} does not fit ${engine.count} ${total}.`);
  }
  const first = typeof engine.first === "number" ? engine.first : numberOf(engine.first);
  const step = (engine.step === undefined ? undefined : numberOf(engine.step)) ?? 1;
  const index = ((numberOf(source) ?? Number.NaN) - (first ?? Number.NaN)) / step + 1;
  if (!Number.isInteger(index) || index < 1 || index > total) {
    return problem(
      `${source} names none of ${total} tasks without gaps. Name the shard: --shard I/N.`,
    );
  }
  const isRestart = (numberOf(tries) ?? firstTry) > firstTry;
  return { kind: "shard", shard: { index, count: total }, source, isRestart };
}

function problem(message: string): MachineShard {
  return { kind: "problem", message };
}

/**
 * Returns the part of a whole number that a shard may use. The parts of all shards add up to the number, and differ by
 * at most 1.
 */
export function shardPart(total: number, { index, count }: Shard): number {
  return Math.floor(total / count) + (index <= total % count ? 1 : 0);
}

/** Lists the missing shards of a run, such as `3/10`. Shards of another count are ignored. */
export function missingShards(shards: readonly string[]): readonly string[] {
  const counts = shards.flatMap((shard) => readShard(shard)?.count ?? []);
  return [...new Set(counts)].flatMap((count) =>
    Array.from({ length: count }, (_, index) => `${index + 1}/${count}`).filter(
      (shard) => !shards.includes(shard),
    ),
  );
}

/**
 * Returns whether a line belongs to a shard. The SHA-256 of the line in hex decides, so that added lines move no
 * others, and equal lines are in the same shard.
 */
export function isInShard(digest: string, { index, count }: Shard): boolean {
  return Number.parseInt(digest.slice(0, 12), 16) % count === index - 1;
}
