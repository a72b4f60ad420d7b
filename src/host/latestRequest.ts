/** Tells whether a request is still the latest, so that its answer counts. */
export type IsLatest = () => boolean;

/** Numbers requests of one kind: a newer one makes the answers of older ones too late. */
export class LatestRequest {
  private latest = 0;

  /** Begins a request, which makes all before it too late. */
  begin(): IsLatest {
    this.latest += 1;
    return this.join();
  }

  /** Takes part in the latest request. */
  join(): IsLatest {
    const request = this.latest;
    return () => request === this.latest;
  }
}
