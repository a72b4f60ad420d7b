import * as vscode from "vscode";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import { type BrokenPayload, brokenBy } from "../../core/workspace/updates";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { payloadFilePattern } from "../ids";

/** What payloads of the workspace are found and checked with. */
export interface WorkspacePayloads {
  readonly bindings: Pick<PayloadBindings, "find">;
  readonly checks: Pick<PayloadChecks, "checkText">;
}

/** So many files are looked at; a workspace with more has a Testing view for them. */
const maxFiles = 200;
const maxBytes = 2_000_000;

/**
 * Finds the payloads of the workspace, open or as files, that fit one version of a skill and not the other. Files that
 * cannot be read are passed over. Rejects only when aborted.
 */
export async function brokenPayloads(
  { bindings, checks }: WorkspacePayloads,
  before: SkillDetail,
  after: SkillDetail,
  signal: AbortSignal,
): Promise<readonly (BrokenPayload & { readonly uri: vscode.Uri })[]> {
  const found = await vscode.workspace.findFiles(payloadFilePattern, "**/node_modules/**");
  // What is open need not be a file, nor have a payload's name.
  const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const all = new Map([...open, ...found].map((uri) => [`${uri}`, uri]));
  const uris = [...all.values()].filter((uri) => bindings.find(uri)?.slug === after.summary.slug);
  const broken: (BrokenPayload & { readonly uri: vscode.Uri })[] = [];
  for (const uri of uris.slice(0, maxFiles)) {
    const text = await textOf(uri).catch(() => undefined);
    if (text === undefined) continue;
    const check = (skill: SkillDetail): Promise<PayloadCheck> =>
      checks.checkText(skill, text, signal);
    const one = brokenBy(
      vscode.workspace.asRelativePath(uri),
      await check(before),
      await check(after),
    );
    if (one !== undefined) broken.push({ ...one, uri });
  }
  return broken;
}

/** What an open editor holds goes before what is saved. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => `${document.uri}` === `${uri}`);
  if (open !== undefined) return open.getText();
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxBytes) throw new Error("This file is too large to be looked at.");
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
