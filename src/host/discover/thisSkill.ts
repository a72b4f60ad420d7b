import * as vscode from "vscode";
import { isSuiteFile } from "../../core/suite/suite";
import { suiteParts } from "../../core/suite/suiteText";
import type { PayloadBindings } from "../author/payloadBindings";
import { documentOnScreen, openDocument } from "../author/payloadDocument";
import { slugArgument } from "../registerCommands";
import type { SkillAction } from "./pickSkill";

/** Finds the skill that a command applies to, in the same order for every command. */
export class ThisSkill {
  /** Returns the skill of the active page. Set later, when pages are built. */
  activePage: () => string | undefined = () => undefined;

  constructor(
    private readonly parts: {
      readonly bindings: Pick<PayloadBindings, "find">;
      /** Lets the user choose a skill. Undefined if they canceled, or chose one of the actions. */
      readonly pickSkill: (
        title: string,
        actions?: readonly SkillAction[],
      ) => Promise<string | undefined>;
    },
  ) {}

  /**
   * Returns the skill of a command: that of its argument (a skill, a payload or a suite), else of the active page, else
   * of the payload or suite on the screen. Undefined for none. A row that is merely selected counts as none, since the
   * user may not look at its view.
   */
  find(argument?: unknown): string | undefined {
    return (
      slugArgument(argument) ??
      this.slugAt(argument) ??
      this.activePage() ??
      this.slugAt(documentOnScreen()?.uri)
    );
  }

  /** Returns the skill that `find` returns, or lets the user choose one. Undefined if they canceled. */
  async choose(
    argument: unknown,
    title: string,
    actions?: readonly SkillAction[],
  ): Promise<string | undefined> {
    return this.find(argument) ?? this.parts.pickSkill(title, actions);
  }

  /** Lets the user choose any skill. Undefined if they canceled. */
  pick(title: string): Promise<string | undefined> {
    return this.parts.pickSkill(title);
  }

  private slugAt(uri: unknown): string | undefined {
    if (!(uri instanceof vscode.Uri)) return undefined;
    return this.parts.bindings.find(uri)?.slug ?? slugOfSuite(uri);
  }
}

/** Returns the skill that an open suite names. */
function slugOfSuite(uri: vscode.Uri): string | undefined {
  const text = isSuiteFile(uri.path) ? openDocument(uri)?.getText() : undefined;
  return text === undefined ? undefined : suiteParts(text).address?.slug;
}
