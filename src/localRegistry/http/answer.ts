/** What a route answers: a status, a JSON body (undefined for none) and headers besides the usual ones. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers 200 with a body. */
export function found(body: unknown): Answer {
  return { status: 200, body };
}

/** Answers an error in the registry's words, with a code where programs tell cases apart by it. */
export function refused(
  status: number,
  error: string,
  code?: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: code === undefined ? { error } : { error, code }, headers };
}
