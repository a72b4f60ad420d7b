import * as vscode from "vscode";
import { curlCommand } from "../../core/curlCommand";
import { samplePayload } from "../../core/samplePayload";
import type { PayloadBindings } from "../author/payloadBindings";
import { payloadDocument } from "../author/payloadDocument";
import type { RegistryConnection } from "../connect/registryConnection";
import { slugArgument } from "../discover/slugArgument";
import type { SkillDetails } from "../inspect/skillDetails";
import { presentNoConnection } from "../words/present";

/** What copying a call needs. */
export interface CopyAsCurlParts {
  readonly connection: RegistryConnection;
  readonly bindings: PayloadBindings;
  readonly details: SkillDetails;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
}

/**
 * Copies the call of the payload in front of the user, or a first call of the skill it was run on,
 * as a cURL command. The key is not part of it: it is read from an environment variable.
 */
export async function copyAsCurl(parts: CopyAsCurlParts, argument: unknown): Promise<void> {
  const connection = await parts.connection.current();
  if (!connection.ok) {
    void presentNoConnection(connection.problem);
    return;
  }
  const call = await callToCopy(parts, argument);
  if (call === undefined) return;
  await vscode.env.clipboard.writeText(curlCommand(connection.registry.baseUrl, call));
  vscode.window.setStatusBarMessage(
    "$(copy) Copied. Put your Project Key into SKILL_PROJECT_KEY before you run it.",
    8000,
  );
}

async function callToCopy(parts: CopyAsCurlParts, argument: unknown) {
  const named = slugArgument(argument);
  const document = named === undefined ? payloadDocument(argument) : undefined;
  const binding = document === undefined ? undefined : parts.bindings.find(document.uri);
  if (document !== undefined && binding !== undefined) {
    const { slug: skillSlug, version = "" } = binding;
    return { skillSlug, version, inputText: document.getText() };
  }
  const skillSlug = named ?? (await parts.askWhich("Copy as cURL"));
  const found = skillSlug === undefined ? undefined : await parts.details.find(skillSlug);
  if (skillSlug === undefined || !found?.ok) return undefined;
  const { inputSchema, examples, summary } = found.value;
  const { value } = samplePayload(inputSchema, {
    mode: "minimal",
    examples: examples.map(({ input }) => input),
  });
  return { skillSlug, version: summary.version, inputText: JSON.stringify(value) };
}
