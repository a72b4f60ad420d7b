import { type Publisher, publishersBySkill } from "../../core/skill/skill";
import { readPublishers } from "../decode/readSkillRow";
import { isAnswer, type PublicReader } from "./publicReader";

const keptMilliseconds = 5 * 60_000;
const failureKeptMilliseconds = 30_000;

/** A registry names some twenty where it is not asked for more. */
const publishersRoute = "/v1/publishers?limit=100";

/**
 * Knows the registry's publishers. One request serves everybody who asks within five minutes, or
 * within half a minute where it failed.
 */
export class PublisherList {
  readonly #reader: PublicReader;
  readonly #stop = new AbortController();
  #asked: Promise<ReadonlyMap<string, Publisher> | undefined> | undefined;
  #until = 0;

  constructor(reader: PublicReader) {
    this.#reader = reader;
  }

  /**
   * The publishers by the skills they list, none where the registry names none; undefined where it
   * failed, did not answer within `seconds` (left out: as long as a request may take), or the signal
   * fired.
   */
  async get(
    signal: AbortSignal,
    seconds?: number,
  ): Promise<ReadonlyMap<string, Publisher> | undefined> {
    if (this.#asked === undefined || performance.now() > this.#until) this.#asked = this.#ask();
    const asked = this.#asked;
    const late = seconds === undefined ? [] : [AbortSignal.timeout(seconds * 1000)];
    return Promise.race([asked, givenUp(AbortSignal.any([signal, ...late]))]);
  }

  /** Ends a request under way. */
  close(): void {
    this.#stop.abort();
  }

  /** Shared by several callers, so no single one's signal ends it. */
  async #ask(): Promise<ReadonlyMap<string, Publisher> | undefined> {
    this.#until = Number.POSITIVE_INFINITY;
    const answer = await this.#reader.read(publishersRoute, this.#stop.signal);
    const none = answer.ok || isAnswer(answer.failure) ? [] : undefined;
    const list = (answer.ok ? readPublishers(answer.value) : undefined) ?? none;
    const publishers = list && publishersBySkill(list);
    const kept = publishers === undefined ? failureKeptMilliseconds : keptMilliseconds;
    this.#until = performance.now() + kept;
    return publishers;
  }
}

function givenUp(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}
