import { type KeptTrial, readTrials, writeTrials } from "../../core/invocation/output/keptTrials";
import { ChangeEvent } from "../changeEvent";
import type { RetentionSettings, Store } from "../store/store";
import { RecordUnreadable } from "../store/storeProblem";
import type { RecordReports } from "./recordReports";

/** The name of the shared text that has the trials. */
const trialsName = "trials";
/** How often a change is tried while other programs change the trials. */
const maxTries = 5;

/**
 * The trials of manifests on this machine. They are a document of their own: what limits, sums, repeats or exports
 * invocations reads the table of invocations, so it cannot take a trial for one, and neither can an earlier version.
 */
export class TrialRecord {
  private readonly changed = new ChangeEvent<void>();

  /** Fires when this program changed the trials. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: Pick<Store, "value" | "keepValue">,
    private readonly retention: () => RetentionSettings,
    private readonly reports: Pick<RecordReports, "notWritten" | "notRead" | "notChanged">,
  ) {}

  /** Lists the trials, newest first. Rejects with `RecordUnreadable`, which is reported too. */
  async list(): Promise<readonly KeptTrial[]> {
    try {
      return this.read(await this.store.value(trialsName));
    } catch (error) {
      this.reports.notRead(error);
      throw new RecordUnreadable(error);
    }
  }

  /** Adds an ended trial. Never rejects. */
  async add(trial: KeptTrial): Promise<void> {
    if (this.retention().maxEntries === 0) return;
    await this.change((trials) => [trial, ...trials]).catch((error: unknown) =>
      this.reports.notWritten(error, false),
    );
  }

  /** Deletes all trials. Never rejects. */
  async clear(): Promise<void> {
    await this.change(() => []).catch(this.reports.notChanged);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private read(text: string | undefined): readonly KeptTrial[] {
    return readTrials(text, this.retention(), Date.now());
  }

  private async change(
    changed: (trials: readonly KeptTrial[]) => readonly KeptTrial[],
  ): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = await this.store.value(trialsName);
      const text = writeTrials(before, changed(this.read(before)));
      if (text === undefined) throw new Error("A newer version wrote the trials.");
      if (await this.store.keepValue(trialsName, text, { of: before })) {
        return this.changed.fire();
      }
    }
    throw new Error("Other programs kept changing the trials.");
  }
}
