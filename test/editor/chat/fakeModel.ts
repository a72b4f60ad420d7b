import { strict as assert } from "node:assert";
import * as vscode from "vscode";

export type Json = Record<string, unknown>;

/** What the extension of test/fixtures/fakeModel exports. */
export interface FakeModel {
  /** The results of the tools, a list for each prompt. */
  readonly answered: readonly (readonly Json[])[];
  callWithoutChat(tool: string, input: Json): Promise<Json>;
  addServer(command: string, args: string[], env: Record<string, string>): void;
}

/** Activates the extension of the fake model. */
export async function fakeModel(): Promise<FakeModel> {
  const extension = vscode.extensions.getExtension<FakeModel>("skill-registry.fake-model");
  assert.ok(extension);
  return extension.activate();
}
