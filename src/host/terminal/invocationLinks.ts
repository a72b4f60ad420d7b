import * as vscode from "vscode";
import { idsInLine, recordsWithId, startOfId } from "../../core/invocation/invocationIds";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { Owner } from "../ui/owner";

interface InvocationLink extends vscode.TerminalLink {
  readonly record: InvocationRecord;
}

/** Links the IDs of recorded invocations in terminals. Other IDs are no links. */
export class InvocationLinks extends Owner implements vscode.TerminalLinkProvider<InvocationLink> {
  constructor(
    private readonly history: Pick<InvocationHistory, "list">,
    private readonly open: (record: InvocationRecord) => Promise<unknown>,
  ) {
    super();
    this.own(vscode.window.registerTerminalLinkProvider(this));
  }

  async provideTerminalLinks({ line }: vscode.TerminalLinkContext): Promise<InvocationLink[]> {
    const found = await Promise.all(
      idsInLine(line).map(async ({ id, start, end }): Promise<InvocationLink[]> => {
        const records = await this.history.list({ idStart: startOfId(id) }).catch(() => []);
        const [record, ...others] = recordsWithId(records, id);
        if (record === undefined || others.length > 0) return [];
        const tooltip = vscode.l10n.t("Open Invocation");
        return [{ startIndex: start, length: end - start, tooltip, record }];
      }),
    );
    return found.flat();
  }

  async handleTerminalLink({ record }: InvocationLink): Promise<void> {
    await this.open(record);
  }
}
