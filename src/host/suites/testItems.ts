import * as vscode from "vscode";
import { numberFormat } from "../../core/text/formats";
import { labelText } from "../../core/text/plainText";
import { casesTag } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";

/** Selects the tests of a request: the named ones and those below them, without the excluded ones. */
export class RequestedTests {
  private readonly named: ReadonlySet<string> | undefined;
  private readonly excluded: ReadonlySet<string>;

  /** Stores the keys of the requested items, since the items may be replaced before they run. */
  constructor({ include, exclude = [] }: vscode.TestRunRequest) {
    this.named = include && new Set(include.map(testKey));
    this.excluded = new Set(exclude.map(testKey));
  }

  /** Returns whether the request names a test or one of its parents. */
  has(item: vscode.TestItem): boolean {
    const keys = keysAbove(item);
    if (keys.some((key) => this.excluded.has(key))) return false;
    return this.named === undefined || keys.some((key) => this.named?.has(key));
  }

  /** Returns whether the request names a test or one of its children. */
  hasPart(item: vscode.TestItem): boolean {
    const below = `${testKey(item)}\n`;
    return this.has(item) || [...(this.named ?? [])].some((key) => key.startsWith(below));
  }
}

/**
 * Returns the key of a test, which does not depend on the order of files: the ID of a skill or file; for a case, the ID
 * of its suite and its own.
 */
export function testKey({ id, parent }: vscode.TestItem): string {
  return parent?.uri === undefined ? id : `${parent.id}\n${id}`;
}

function keysAbove(item: vscode.TestItem): readonly string[] {
  const above = item.parent === undefined ? [] : keysAbove(item.parent);
  return [testKey(item), ...above];
}

/** The skills in the Test Explorer. Each is listed while it has a file. */
export class SkillItems {
  constructor(private readonly controller: vscode.TestController) {}

  /** Puts a file below a skill; a file without a readable skill is put beside the skills. */
  put(file: vscode.TestItem, slug: string | undefined): void {
    if (this.isIn(file, slug)) return;
    this.remove(file);
    if (slug === undefined) {
      this.controller.items.add(file);
      return;
    }
    const known = this.controller.items.get(slug);
    const skill = known ?? this.controller.createTestItem(slug, labelText(slug));
    if (known === undefined) this.controller.items.add(skill);
    skill.children.add(file);
    this.tag(skill);
  }

  /** Removes a file, and its skill if that has no other file. */
  remove(file: vscode.TestItem): void {
    const { parent: skill } = file;
    (skill?.children ?? this.controller.items).delete(file.id);
    if (skill === undefined) return;
    if (skill.children.size === 0) this.controller.items.delete(skill.id);
    else this.tag(skill);
  }

  /**
   * Adds a row that says that only `listed` files are listed, or removes it if undefined. Its ID cannot be a skill's
   * slug.
   */
  noteLimit(use: "payload" | "suite", listed: number | undefined): void {
    const id = `?more ${use}`;
    this.controller.items.delete(id);
    if (listed === undefined) return;
    const count = numberFormat(hostLanguage().locale).format(listed);
    const label =
      use === "payload"
        ? vscode.l10n.t("Only the first {0} payload files are listed.", count)
        : vscode.l10n.t("Only the first {0} suites are listed.", count);
    this.controller.items.add(this.controller.createTestItem(id, label));
  }

  private isIn(file: vscode.TestItem, slug: string | undefined): boolean {
    if (slug !== undefined) return file.parent?.id === slug;
    return this.controller.items.get(file.id) === file;
  }

  private tag(skill: vscode.TestItem): void {
    const hasCases = [...skill.children].some(([, { tags }]) => tags.length > 0);
    skill.tags = hasCases ? [new vscode.TestTag(casesTag)] : [];
  }
}
