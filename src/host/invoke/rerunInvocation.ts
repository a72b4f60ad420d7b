import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { notificationText } from "../../core/text/plainText";
import type { InvocationHistory } from "../audit/invocationHistory";
import { openPayloadText } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import { type RegistryConnection, registryName } from "../connect/registryConnection";
import type { Invoker } from "./invoker";

/** What running a call again needs. */
export interface RerunParts {
  readonly connection: RegistryConnection;
  readonly history: InvocationHistory;
  readonly bindings: PayloadBindings;
  readonly invoker: Invoker;
}

/**
 * Runs a past call again: opens its input as it was typed, bound to the same skill and version, and
 * calls from there, so that it is checked like any other. Refuses at another registry.
 */
export async function rerunInvocation(parts: RerunParts, record: InvocationRecord): Promise<void> {
  const connection = await parts.connection.current();
  const here = connection.ok ? registryName(connection.registry) : "";
  if (here !== record.registry) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "This call went to another registry ({0}). Connect to it to run the call again.",
        notificationText(record.registry, 200),
      ),
    );
    return;
  }
  const texts = await parts.history.texts(record.id);
  if (texts?.inputText === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "The input of this call was not kept, so it cannot be run again from the record.",
      ),
    );
    return;
  }
  const { skillSlug: slug, version } = record;
  const editor = await openPayloadText(
    { slug, ...(version === "" ? {} : { version }) },
    texts.inputText,
    parts.bindings,
  );
  await parts.invoker.invokeAgain(editor.document, record);
}
