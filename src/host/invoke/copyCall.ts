import * as vscode from "vscode";
import {
  curlForCmd,
  curlForPowerShell,
  fetchModule,
  keyVariable,
  pythonScript,
} from "../../core/invocation/callCopies";
import { curlCommand } from "../../core/invocation/curlCommand";
import type { Invocation } from "../../core/invocation/invocation";
import { isJsonText } from "../../core/invocation/isJsonText";
import type { MakeSample } from "../../core/payload/payloadFillings";
import type { PayloadBindings } from "../author/payloadBindings";
import { payloadDocument } from "../author/payloadDocument";
import type { RegistryConnection } from "../connect/registryConnection";
import { slugArgument } from "../discover/slugArgument";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CommandHandlers, CommandName } from "../registerCommands";
import { presentNoConnection } from "../words/present";

/** What copying a call needs. */
export interface CopyCallParts {
  readonly connection: RegistryConnection;
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  /** Makes an input from a skill's schema. */
  readonly sample: MakeSample;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
}

/** A form a call can be copied in, by the title of its command. */
export interface CallForm {
  readonly title: string;
  readonly write: (baseUrl: string, call: Invocation) => string;
  /** How many characters whoever runs it can take. */
  readonly maxLength?: number;
}

/** The forms a call can be copied in. */
const callForms = {
  copyAsCurl: { title: "Copy as cURL", write: curlCommand },
  copyAsCurlPowerShell: { title: "Copy as cURL (PowerShell)", write: curlForPowerShell },
  // The longest line cmd takes.
  copyAsCurlCmd: { title: "Copy as cURL (cmd)", write: curlForCmd, maxLength: 8191 },
  copyAsFetch: { title: "Copy as fetch", write: fetchModule },
  copyAsPython: { title: "Copy as Python", write: pythonScript },
} satisfies Partial<Record<CommandName, CallForm>>;

/** Builds the commands that copy calls. */
export function copyCommands(parts: CopyCallParts) {
  const copy = (form: CallForm) => (argument: unknown) => copyCall(parts, form, argument);
  return {
    copyAsCurl: copy(callForms.copyAsCurl),
    copyAsCurlPowerShell: copy(callForms.copyAsCurlPowerShell),
    copyAsCurlCmd: copy(callForms.copyAsCurlCmd),
    copyAsFetch: copy(callForms.copyAsFetch),
    copyAsPython: copy(callForms.copyAsPython),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Copies the call of the payload in front of the user, or a first call of the skill it was run on.
 * The key is not part of it: it is read from an environment variable.
 */
async function copyCall(parts: CopyCallParts, form: CallForm, argument: unknown): Promise<void> {
  const connection = await parts.connection.current();
  if (!connection.ok) {
    void presentNoConnection(connection.problem);
    return;
  }
  const call = await callToCopy(parts, form.title, argument);
  if (call === undefined) return;
  if (!isJsonText(call.inputText)) {
    void vscode.window.showErrorMessage("Not copied: the input is not JSON yet.");
    return;
  }
  const text = form.write(connection.registry.baseUrl, call);
  if (text.length > (form.maxLength ?? Number.POSITIVE_INFINITY)) {
    void vscode.window.showWarningMessage(
      `Not copied: with this input the line has ${text.length} characters, and cmd takes ${form.maxLength}. Copy it for PowerShell instead.`,
    );
    return;
  }
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(
    `$(copy) Copied. Put your Project Key into ${keyVariable} before you run it.`,
    8000,
  );
}

async function callToCopy(parts: CopyCallParts, title: string, argument: unknown) {
  const named = slugArgument(argument);
  const document = named === undefined ? payloadDocument(argument) : undefined;
  const binding = document === undefined ? undefined : parts.bindings.find(document.uri);
  if (document !== undefined && binding !== undefined) {
    const { slug: skillSlug, version = "" } = binding;
    return { skillSlug, version, inputText: document.getText() };
  }
  const skillSlug = named ?? (await parts.askWhich(title));
  const found = skillSlug === undefined ? undefined : await parts.details.find(skillSlug);
  if (skillSlug === undefined || !found?.ok) return undefined;
  const { examples, summary } = found.value;
  const { value } = await parts.sample(found.value, {
    mode: "minimal",
    examples: examples.map(({ input }) => input),
  });
  return { skillSlug, version: summary.version, inputText: JSON.stringify(value) };
}
