import * as vscode from "vscode";
import { payloadLabel } from "../../core/payload/payloadBinding";
import { labelText } from "../../core/text/plainText";
import type { PayloadBindings } from "../author/payloadBindings";
import { hostLanguage } from "../messages/hostLanguage";

/** So many payloads are put into the Test Explorer before the editor gets its turn: a few milliseconds. */
const sliceSize = 100;
/** The entry that says that not all are listed. No skill has such a name. */
const moreId = "?more";

/** The saved inputs as they stand in the Test Explorer: below their skill, once each. */
export class SuiteItems {
  private readonly files = new Map<string, vscode.TestItem>();
  private rounds = 0;
  private readonly judges = new WeakMap<vscode.TestItem, string>();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly bindings: Pick<PayloadBindings, "find">,
  ) {}

  /** True where none is known. */
  get isEmpty(): boolean {
    return this.files.size === 0;
  }

  /** The addresses of those that are known. */
  get addresses(): ReadonlySet<string> {
    return new Set(this.files.keys());
  }

  /**
   * Keeps those of `uris`, with what is known of them, adds what is new, takes the others away that were
   * known `before` they were looked for, and says so where there are more than these. Ends early when it is
   * asked again.
   */
  async replace(
    uris: readonly vscode.Uri[],
    areMore: boolean,
    before: ReadonlySet<string> = this.addresses,
  ): Promise<void> {
    this.rounds += 1;
    const round = this.rounds;
    const names = new Set(uris.map((uri) => uri.toString()));
    const gone = [...this.files].filter(([name]) => before.has(name) && !names.has(name));
    const steps = [
      ...gone.map(
        ([, { uri }]) =>
          () =>
            uri && this.remove(uri),
      ),
      ...uris.map((uri) => () => this.put(uri)),
    ];
    for (const [index, step] of steps.entries()) {
      if (index > 0 && index % sliceSize === 0) {
        await new Promise((next) => setImmediate(next));
        if (round !== this.rounds) return;
      }
      step();
    }
    this.tellOfMore(areMore ? uris.length : undefined);
  }

  /**
   * Puts an input below the skill it is bound to, or takes it away where it is bound to none. What was
   * said of it by another version is outdated.
   */
  put(uri: vscode.Uri): void {
    const { slug, version } = this.bindings.find(uri) ?? {};
    const item = this.find(uri);
    if (item !== undefined && item.parent?.id === slug) {
      const judge = this.judges.get(item);
      if (judge !== undefined && version !== undefined && judge !== version) this.outdate(uri);
      return;
    }
    this.remove(uri);
    if (slug === undefined) return;
    const suite =
      this.controller.items.get(slug) ?? this.controller.createTestItem(slug, labelText(slug));
    this.controller.items.add(suite);
    const others = [...suite.children].map(([, { label }]) => label);
    const label = labelText(payloadLabel(vscode.workspace.asRelativePath(uri), others));
    const file = this.controller.createTestItem(uri.toString(), label, uri);
    this.files.set(file.id, file);
    suite.children.add(file);
  }

  /** Remembers by which version of its skill an input was judged. */
  judged(item: vscode.TestItem, version: string): void {
    this.judges.set(item, version);
  }

  /** Takes an input away, and its skill with the last one. */
  remove(uri: vscode.Uri): void {
    const suite = this.find(uri)?.parent;
    this.files.delete(uri.toString());
    suite?.children.delete(uri.toString());
    if (suite?.children.size === 0) this.controller.items.delete(suite.id);
  }

  /** Marks what was said of an input as outdated. */
  outdate(uri: vscode.Uri): void {
    const item = this.find(uri);
    if (item !== undefined) this.controller.invalidateTestResults(item);
  }

  /** Marks all that was said as outdated. */
  outdateAll(): void {
    this.controller.invalidateTestResults();
  }

  /** The inputs that are asked for: those named and below, without what is left out. */
  wanted({ include, exclude = [] }: vscode.TestRunRequest): vscode.TestItem[] {
    const files = new Set<vscode.TestItem>();
    const left = new Set(exclude);
    const add = (item: vscode.TestItem) => {
      if (left.has(item)) return;
      if (item.uri !== undefined) files.add(item);
      for (const [, child] of item.children) add(child);
    };
    for (const item of include ?? [...this.controller.items].map(([, suite]) => suite)) add(item);
    return [...files];
  }

  /** The item of a file; undefined where it is bound to no skill. */
  find(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.files.get(uri.toString());
  }

  private tellOfMore(listed: number | undefined): void {
    this.controller.items.delete(moreId);
    if (listed === undefined) return;
    const label = vscode.l10n.t(
      "Only the first {0} payload files are listed.",
      new Intl.NumberFormat(hostLanguage().locale).format(listed),
    );
    this.controller.items.add(this.controller.createTestItem(moreId, label));
  }
}
