/** Called when the record has a problem. No problem stops an invocation. */
export interface RecordReports {
  /** A record could not be written. `isFirst` is true for the first failure since the last success. */
  readonly notWritten: (error: unknown, isFirst: boolean) => void;
  /** The record could not be read. The caller gets the error too. */
  readonly notRead: (error: unknown) => void;
  /** Old records could not be removed. */
  readonly notRetained: (error: unknown) => void;
  /** A record could not be pinned or deleted. */
  readonly notChanged: (error: unknown) => void;
}
