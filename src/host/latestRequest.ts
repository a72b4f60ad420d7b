/** Returns whether a request is still the latest, so that its result counts. */
export type IsLatest = () => boolean;

/** Numbers requests of one kind: a newer one makes the results of older ones obsolete. */
export class LatestRequest {
  private latest = 0;

  /** Begins a request, which makes all earlier ones obsolete. */
  begin(): IsLatest {
    this.latest += 1;
    return this.join();
  }

  /** Joins the latest request. */
  join(): IsLatest {
    const request = this.latest;
    return () => request === this.latest;
  }
}
