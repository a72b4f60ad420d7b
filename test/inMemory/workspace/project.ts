import { strict as assert } from "node:assert";
import type { LocalRegistry } from "../../../src/localRegistry/startLocalRegistry";
import type { MemoryEditor } from "../memoryEditor";
import { fits } from "../screen/board";
import type { Notice } from "../screen/questions";

/** Checks which accounts the Accounts menu would list. */
export async function accountsAre(
  { parts }: MemoryEditor,
  ...labels: readonly string[]
): Promise<void> {
  const sessions = await parts.accounts.get("skill-registry")?.getSessions(undefined, {});
  assert.deepEqual(
    sessions?.map(({ account }) => account.label),
    labels,
  );
}

/** Waits until the Project view shows a text, as its message or in place of its rows. */
export async function projectSays(editor: MemoryEditor, text: string | RegExp): Promise<void> {
  const view = await editor.view("project");
  const shown = () => `${view.text}\n${editor.parts.commands.welcome("skillRegistry.project")}`;
  await editor.until(`${text} in the project`, () => fits(shown(), text));
}

/** Invokes a skill that is not expected to run, with `text` if the sample payload does not suffice. */
export async function invokeBlocked(
  editor: MemoryEditor,
  slug: string,
  payload?: object,
): Promise<void> {
  await editor.newPayload(slug, payload && JSON.stringify(payload));
  const invoked = editor.run("invoke");
  await editor.press(`${slug} is not expected to run`, "Invoke Anyway");
  await invoked;
}

/**
 * Checks that a credential is on the clipboard, neither shown nor stored, and that it leaves the clipboard with the
 * button of its notice, which ends the command.
 */
export async function assertCopiedOnce(
  editor: MemoryEditor,
  command: Promise<unknown>,
  notice: Notice,
  form: RegExp,
): Promise<void> {
  const { machine } = editor.parts;
  const credential = machine.clipboard;
  assert.match(credential, form);
  assert.ok(!editor.screen.includes(credential));
  for (const name of await machine.secrets.keys()) {
    assert.ok(!(await machine.secrets.get(name))?.includes(credential), name);
  }
  notice.press("Clear Clipboard");
  await command;
  assert.equal(machine.clipboard, "");
}

/** Sends a request about the project to a registry as somebody else. Resolves to the text of the response. */
export async function askElsewhere(
  { baseUrl, userTokens }: LocalRegistry,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: object,
): Promise<string> {
  const headers = {
    authorization: `Bearer ${userTokens.owner}`,
    "content-type": "application/json",
  };
  const url = `${baseUrl}/v1/projects/local-demo/${path}`;
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return text;
}
