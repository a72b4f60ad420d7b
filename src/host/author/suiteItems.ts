import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import type { PayloadBindings } from "./payloadBindings";

/** The saved inputs as they stand in the Test Explorer: below their skill, once each. */
export class SuiteItems {
  private readonly judges = new WeakMap<vscode.TestItem, string>();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly bindings: PayloadBindings,
  ) {}

  /** True where none is known. */
  get isEmpty(): boolean {
    return this.controller.items.size === 0;
  }

  /** Keeps those of `uris`, with what is known of them, and adds what is new. */
  replace(uris: readonly vscode.Uri[]): void {
    const names = new Set(uris.map((uri) => uri.toString()));
    for (const item of this.all()) {
      if (item.uri !== undefined && !names.has(item.id)) this.remove(item.uri);
    }
    for (const uri of uris) this.put(uri);
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
    const label = labelText(vscode.workspace.asRelativePath(uri));
    suite.children.add(this.controller.createTestItem(uri.toString(), label, uri));
  }

  /** Remembers by which version of its skill an input was judged. */
  judged(item: vscode.TestItem, version: string): void {
    this.judges.set(item, version);
  }

  /** Takes an input away, and its skill with the last one. */
  remove(uri: vscode.Uri): void {
    const suite = this.find(uri)?.parent;
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
    const add = (item: vscode.TestItem) => {
      if (exclude.includes(item)) return;
      if (item.uri !== undefined) files.add(item);
      for (const [, child] of item.children) add(child);
    };
    for (const item of include ?? this.suites()) add(item);
    return [...files];
  }

  /** The item of a file; undefined where it is bound to no skill. */
  find(uri: vscode.Uri): vscode.TestItem | undefined {
    const name = uri.toString();
    return this.suites().flatMap(({ children }) => children.get(name) ?? [])[0];
  }

  private all(): vscode.TestItem[] {
    return this.suites().flatMap(({ children }) => [...children].map(([, item]) => item));
  }

  private suites(): vscode.TestItem[] {
    return [...this.controller.items].map(([, suite]) => suite);
  }
}
