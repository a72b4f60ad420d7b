import { shortened } from "../core/jsonSchema/failureWords";
import type { PayloadCheck } from "../core/payloadCheck";
import { CheckThread, type ThreadAnswer, type ThreadOptions } from "./checkThread";
import { whySchemaIsTooLarge } from "./schemaSize";
import { uncheckedPayload } from "./uncheckedPayload";

/** One text to check against one schema. The same `schemaKey` always means the same schema. */
export interface PayloadCheckRequest {
  text: string;
  schema: unknown;
  schemaKey: string;
}

/** Where the worker's bundle lies, and its bounds: 900 ms (so that an answer comes within a second) and
 * 512 MB unless given. */
export interface PayloadCheckerOptions {
  workerPath: string;
  deadlineMs?: number;
  memoryLimitMb?: number;
}

interface Job {
  request: PayloadCheckRequest;
  settle: (check: PayloadCheck) => void;
}

const maxTextLength = 32_000_000;
const maxKnownSchemas = 16;
const closing = "The editor is closing.";

/**
 * Checks payload texts against JSON Schemas in a thread of its own, one at a time, so that neither a
 * large text nor a hostile schema holds the editor. The thread starts with the first check; one that
 * is stuck, crashed or out of memory is replaced for the next.
 */
export class PayloadChecker {
  readonly #options: ThreadOptions;
  #thread: CheckThread | undefined;
  /** Keys of the schemas the thread holds, least recently used first. */
  #known = new Set<string>();
  #waiting: Job[] = [];
  #busy = false;
  #disposed = false;
  #lastId = 0;

  constructor(options: PayloadCheckerOptions) {
    this.#options = {
      workerPath: options.workerPath,
      deadlineMs: options.deadlineMs ?? 900,
      memoryLimitMb: options.memoryLimitMb ?? 512,
    };
  }

  /**
   * Checks one text. Resolves to `unchecked` when there can be no answer; rejects only with the
   * signal's reason, at once when it is aborted.
   */
  check(request: PayloadCheckRequest, signal: AbortSignal): Promise<PayloadCheck> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const job: Job = {
        request,
        settle: (check) => {
          signal.removeEventListener("abort", abort);
          resolve(check);
        },
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== job);
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(job);
      void this.#work();
    });
  }

  /** Ends the thread. What still waits, and every later check, is answered with `unchecked`. */
  dispose(): void {
    this.#disposed = true;
    this.#thread?.dispose();
    for (const job of this.#waiting.splice(0))
      job.settle(uncheckedPayload(closing, job.request.text));
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      job.settle(await this.#run(job.request));
    }
    this.#busy = false;
  }

  async #run({ text, schema, schemaKey }: PayloadCheckRequest): Promise<PayloadCheck> {
    if (this.#disposed) return uncheckedPayload(closing, text);
    if (text.length > maxTextLength) return uncheckedPayload(textTooLong(text.length), text);
    if (this.#thread === undefined || this.#thread.ended) {
      this.#thread = new CheckThread(this.#options);
      this.#known = new Set();
    }
    const isKnown = this.#known.delete(schemaKey);
    if (!isKnown) {
      const reason = whySchemaIsTooLarge(schema);
      if (reason !== undefined) return uncheckedPayload(reason, text);
    }
    this.#known.add(schemaKey);
    const forget = [...this.#known].slice(0, Math.max(0, this.#known.size - maxKnownSchemas));
    for (const key of forget) this.#known.delete(key);
    this.#lastId += 1;
    const message = { id: this.#lastId, text, schemaKey, forget };
    const answer = await this.#thread.run(
      isKnown ? message : { ...message, schemaText: JSON.stringify(schema) ?? "null" },
    );
    return answer.kind === "checked" ? answer.check : uncheckedPayload(whyNoAnswer(answer), text);
  }
}

function textTooLong(length: number): string {
  const megabytes = Math.round(length / 1_000_000);
  return `This text is ${megabytes} million characters long. At most ${maxTextLength / 1_000_000} million can be checked.`;
}

function whyNoAnswer(answer: Exclude<ThreadAnswer, { kind: "checked" }>): string {
  switch (answer.kind) {
    case "tooSlow":
      if (answer.phase === "starting") {
        return "This JSON could not be checked: the checker did not start in time.";
      }
      return answer.pattern === undefined
        ? "This JSON could not be checked: the skill's schema takes too long to apply."
        : `This JSON could not be checked: the schema's pattern ${shortened(answer.pattern, 100)} takes too long.`;
    case "tooMuchMemory":
      return "This JSON could not be checked: applying the skill's schema takes too much memory.";
    case "crashed":
      return "This JSON could not be checked: the checker stopped unexpectedly.";
  }
}
