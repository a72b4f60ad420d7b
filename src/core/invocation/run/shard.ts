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
