import * as vscode from "vscode";
import { addressText } from "../../core/skill/skillAddress";
import { suiteParts } from "../../core/suite/suiteText";
import { labelText, revealHidden } from "../../core/text/plainText";
import { findSkills, type SkillSource } from "../discover/pickSkill";
import { suiteFilePattern } from "../ids";
import { rangeIn } from "../marks";
import { Owner } from "../ui/owner";
import { unlessCancelled } from "../ui/wait";

/** Completes the skill of a suite, with its version, by a search in the registry. */
export class SuiteSkills extends Owner implements vscode.CompletionItemProvider {
  constructor(private readonly source: SkillSource) {
    super();
    const selector = { pattern: suiteFilePattern };
    this.own(vscode.languages.registerCompletionItemProvider(selector, this, '"'));
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionList | undefined> {
    const text = document.getText();
    const { skill } = suiteParts(text);
    const at = document.offsetAt(position);
    if (skill === undefined || at < skill.start || at > skill.end) return undefined;
    const written = text.slice(skill.start, skill.end).trimStart();
    const [start, end] = written === "" ? [at, at] : [skill.end - written.length, skill.end];
    const typed = text.slice(start, at).replaceAll('"', "").split("@")[0] ?? "";
    const found = await unlessCancelled(token, (signal) => findSkills(this.source, typed, signal));
    if (found === undefined) return undefined;
    const range = rangeIn(document, { start, end });
    const items = found.skills.map(({ slug, version, displayName, description }) => {
      const address = addressText(slug, version);
      const item = new vscode.CompletionItem(
        { label: labelText(address), description: labelText(displayName) },
        vscode.CompletionItemKind.Value,
      );
      item.insertText = JSON.stringify(address);
      item.filterText = JSON.stringify(`${typed} ${address}`);
      item.range = range;
      item.documentation = revealHidden(description);
      return item;
    });
    // Incomplete, so the editor asks again as the text grows.
    return new vscode.CompletionList(items, true);
  }
}
