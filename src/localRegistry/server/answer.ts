/** What a route answers: a status and a JSON body; undefined for none, a string is sent as text. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers 200 with a body. */
export function found(body: unknown): Answer {
  return { status: 200, body };
}

/** Answers an error in the gateway's words, with a code where it sends one. */
export function refused(status: number, error: string, code?: string): Answer {
  return { status, body: code === undefined ? { error } : { error, code } };
}

/** Thrown where a request cannot go on; carries the answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, error: string, code?: string) {
    super(error);
    this.answer = refused(status, error, code);
  }
}
