/** One of `count` parts of the lines of a file; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const maxShards = 10_000;

/** Reads `3/10`. Undefined for anything else. */
export function readShard(text: string): Shard | undefined {
  const [, index = "", count = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  const fits = shard.index >= 1 && shard.index <= shard.count && shard.count <= maxShards;
  return fits ? shard : undefined;
}

/**
 * Tells whether a line belongs to a shard. It goes by what the line says, as SHA-256 in hex, so that
 * lines that are added move no other to another shard; equal lines are in the same one.
 */
export function isInShard(digest: string, { index, count }: Shard): boolean {
  return Number.parseInt(digest.slice(0, 12), 16) % count === index - 1;
}
