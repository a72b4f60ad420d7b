import type * as vscode from "vscode";
import { type InvocationRecord, kindOf } from "../../core/invocation/record/invocationRecord";
import { doubleClickMs } from "../../core/invocation/underWay";
import type { InvocationResult } from "../../engine/sendInvocation";
import type { InvocationOrigin } from "./invocationOrigin";
import type { CheckedInvocation, InvocationPath, SendAgain } from "./invocationPath";

/** The steps of an invocation. */
export type InvocationSteps = Pick<InvocationPath, "prepare" | "send" | "sendAfter">;

/** Starts invocations for all triggers. A trigger of an invocation that is in progress joins it. */
export class Invoker {
  private readonly triggers: DedupeInWindow;
  private readonly names = new DocumentNames();
  private readonly path: InvocationSteps;
  private latest: LastInvoked | undefined;

  /** `originOf` returns a document's origin; `now` is a monotonic clock in milliseconds. */
  constructor(
    pathFor: (again: SendAgain) => InvocationSteps,
    private readonly originOf: (document: vscode.TextDocument) => InvocationOrigin,
    now?: () => number,
  ) {
    this.triggers = new DedupeInWindow(now);
    this.path = pathFor({
      now: (checked, twice) => this.again(checked, () => this.path.send(checked, twice)),
      after: (checked, seconds) => this.again(checked, () => this.path.sendAfter(checked, seconds)),
      withCurrentPayload: ({ origin, source, isTestRun }) =>
        this.start({ origin, source, isTestRun }, true),
    });
  }

  /** The last invoked document, open or not, and whether it was a test run. */
  get last(): LastInvoked | undefined {
    return this.latest;
  }

  /** Invokes the skill a document is bound to with the document's text. Resolves when the outcome is shown. */
  async invoke(document: vscode.TextDocument, isTestRun = false): Promise<void> {
    await this.invokeText(document, false, isTestRun);
  }

  /** Invokes without a document. Resolves when the outcome is shown. */
  async invokeFrom(origin: InvocationOrigin): Promise<void> {
    await this.start({ origin, source: origin.uri.toString(), isTestRun: false }, false);
  }

  /**
   * Repeats the invocation of `record` with a document's text, as a test run if it was one. Also works immediately
   * after that invocation has ended. A double click repeats it once.
   */
  async invokeAgain(document: vscode.TextDocument, record: InvocationRecord): Promise<void> {
    await this.triggers.run(record.id, "", () =>
      this.invokeText(document, true, kindOf(record) === "testRun"),
    );
  }

  private invokeText(
    document: vscode.TextDocument,
    again: boolean,
    isTestRun: boolean,
  ): Promise<InvocationResult> {
    this.latest = { document, isTestRun };
    const name = this.names.nameOf(document);
    const source = isTestRun ? `${name} testRun` : name;
    return this.start({ origin: this.originOf(document), source, isTestRun }, again);
  }

  private start({ origin, source, isTestRun }: Started, again: boolean): Promise<InvocationResult> {
    const work = async (): Promise<InvocationResult> => {
      const checked = await this.path.prepare(origin, source, isTestRun);
      return checked === undefined ? "notSent" : this.path.send(checked, again);
    };
    return this.triggers.run(source, origin.text, work, again);
  }

  /** Sends a checked invocation again, or joins an invocation from the same source that is in progress. */
  private async again(
    { source, prepared }: CheckedInvocation,
    work: () => Promise<InvocationResult>,
  ) {
    await this.triggers.run(source, prepared.text, work, true);
  }
}

interface LastInvoked {
  readonly document: vscode.TextDocument;
  readonly isTestRun: boolean;
}

type Started = Pick<CheckedInvocation, "origin" | "source" | "isTestRun">;

/** Names documents, so that a document closed and reopened under the same URI gets another name. */
class DocumentNames {
  private readonly names = new WeakMap<vscode.TextDocument, string>();
  private count = 0;

  /** Returns the name of a document, which is stable while it is open. */
  nameOf(document: vscode.TextDocument): string {
    const known = this.names.get(document);
    if (known !== undefined) return known;
    this.count += 1;
    const fresh = `${document.uri} ${this.count}`;
    this.names.set(document, fresh);
    return fresh;
  }
}

interface Running {
  readonly text: string;
  readonly startedAt: number;
  readonly result: Promise<InvocationResult>;
  end: "inProgress" | InvocationResult;
}

/**
 * Deduplicates triggers of the same work. While the work runs, another trigger gets its result. After the result
 * `done`, a trigger with the same text still gets it for the time of a double click. After any other result, a trigger
 * starts the work again.
 */
export class DedupeInWindow {
  private readonly running = new Map<string, Running>();

  /** `now` is a monotonic clock in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Starts `work`, or joins the work of the same `name`. `text` is its payload. With `again`, the user repeats the work
   * on purpose, so only work in progress is joined.
   */
  run(
    name: string,
    text: string,
    work: () => Promise<InvocationResult>,
    again = false,
  ): Promise<InvocationResult> {
    const earlier = this.running.get(name);
    if (earlier?.end === "inProgress") return earlier.result;
    if (earlier !== undefined && !again && this.isDoubleClick(earlier, text)) return earlier.result;
    const running: Running = { text, startedAt: this.now(), result: work(), end: "inProgress" };
    this.running.set(name, running);
    const note = (end: InvocationResult) => {
      running.end = end;
    };
    running.result.then(note, () => note("done"));
    this.forgetOld();
    return running.result;
  }

  private forgetOld(): void {
    for (const [name, { end, startedAt }] of this.running) {
      const isOver = end !== "inProgress";
      if (isOver && this.now() - startedAt >= doubleClickMs) this.running.delete(name);
    }
  }

  private isDoubleClick(earlier: Running, text: string): boolean {
    const { end, startedAt } = earlier;
    return end === "done" && earlier.text === text && this.now() - startedAt < doubleClickMs;
  }
}
