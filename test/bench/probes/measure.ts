/** One comparison: our time and a peer's in milliseconds, `ratio` of both, and the most it may be. */
export interface Measure {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  readonly ratio: number;
  readonly limit: number;
}
