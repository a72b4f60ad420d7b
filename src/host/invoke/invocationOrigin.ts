import * as vscode from "vscode";
import { invalidText } from "../../core/invocation/permission/payloadQuestions";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { FoundSecret } from "../../core/payload/findSecrets";
import type { RegistryIdentity } from "../../core/registry/registryName";
import { showDocument, showFirstProblem } from "../author/payloadDocument";
import { editorCommandIds } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";
import { showNotice } from "../ui/showNotice";
import {
  askAboutSecrets,
  type PreparationParts,
  type PreparedPayload,
  preparePayload,
  showSecrets,
} from "./preparePayload";
import type { ResultEditor } from "./showOutcome";

/** The place where an invocation starts and its result is shown: an editor, or an example or form on a page. */
export interface InvocationOrigin {
  /** Identifies the payload, also in the record. */
  readonly uri: vscode.Uri;
  /** The document whose environment replaces the placeholders. No placeholder is replaced outside of all folders. */
  readonly environmentUri: vscode.Uri;
  /** The current payload. */
  readonly text: string;
  /** Whether to ask about the skill's terms even after an agreement. */
  readonly asksTerms: boolean;
  /** Checks the payload for a skill of `registry`. Undefined if it cannot be checked, with the reason shown. */
  readonly prepare: (registry: RegistryIdentity) => Promise<PreparedPayload | undefined>;
  /** Shows the payload, so that the user can change it. */
  readonly show: () => Promise<unknown>;
  /** Shows a problem of the payload before a dialog about it. */
  readonly showProblem: (prepared: PreparedPayload) => Promise<unknown>;
  /** Asks whether to send the credentials that the checked payload `text` seems to contain. */
  readonly agreesToSecrets: (text: string, found: readonly FoundSecret[]) => Promise<boolean>;
  /** Called when the terms were agreed to. */
  readonly agreed: () => void;
  /** Switches to another version of the skill. Resolves to whether the payload may be sent to it. */
  readonly useVersion: (version: string) => Promise<boolean>;
  /** Called when the invocation starts, with a function that cancels it. */
  readonly began: (cancel: () => void) => void;
  /** Called when the payload is sent. */
  readonly started: (record: InvocationRecord) => void;
  /** Called when the invocation ended. Without an output (undefined), a notice describes the end. Never rejects. */
  readonly ended: (record: InvocationRecord, output: string | undefined) => void;
  /** Shows why an invalid payload was not sent. */
  readonly showInvalid: (prepared: PreparedPayload) => Promise<unknown>;
  /** Shows why the payload was not sent, or how the invocation ended, with actions. */
  readonly notify: typeof showNotice;
}

/** Creates the origin of a document. The result opens beside the document. */
export function documentOrigin(
  parts: PreparationParts & { readonly results: ResultEditor },
  document: vscode.TextDocument,
): InvocationOrigin {
  const { uri } = document;
  const { results } = parts;
  return {
    uri,
    environmentUri: uri,
    get text() {
      return document.getText();
    },
    asksTerms: false,
    prepare: () => preparePayload(parts, document),
    show: () => showDocument(document),
    showProblem: ({ check }) => showFirstProblem(document, check),
    agreesToSecrets: async (text, found) => {
      await showSecrets(document, text, found);
      return askAboutSecrets("send", text, found);
    },
    agreed: () => undefined,
    useVersion: async (version) => {
      await vscode.commands.executeCommand(editorCommandIds.moveToVersion, uri, version);
      return true;
    },
    began: () => undefined,
    started: (record) => results.start(record, uri),
    ended: (record, output) => void results.show(record, output, uri),
    showInvalid: (prepared) => showInvalid(document, prepared),
    notify: showNotice,
  };
}

/** Shows the problems of a payload that cannot be sent. */
async function showInvalid(
  document: vscode.TextDocument,
  { skill, check }: PreparedPayload,
): Promise<void> {
  const message = invalidText(skill.summary.slug, check, hostLanguage());
  if (check.state === "unchecked") {
    void showNotice({ severity: "error", message, actions: [] });
    return;
  }
  await showFirstProblem(document, check);
  const title = vscode.l10n.t("Show Problems");
  void showNotice(
    { severity: "error", message, actions: [{ action: "showInput", title }] },
    { showInput: () => vscode.commands.executeCommand("workbench.actions.view.problems") },
  );
}
