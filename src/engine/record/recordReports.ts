/** Called when the record has a problem. No problem stops an invocation. */
export interface RecordReports {
  /** A record could not be written. `isFirst` for the first one since the last success. */
  readonly notWritten: (error: unknown, isFirst: boolean) => void;
  /** The record could not be read, and whoever asked for it learns that. */
  readonly notRead: (error: unknown) => void;
  /** Old records could not be removed. */
  readonly notRetained: (error: unknown) => void;
  /** A record could not be pinned or deleted as the user wanted. */
  readonly notChanged: (error: unknown) => void;
}
