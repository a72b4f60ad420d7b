import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import { useEditor } from "../useEditor";

describe("The TypeScript client of a skill", () => {
  const editor = useEditor();
  const copied = () => editor.parts.machine.clipboard;

  it("is copied from a row's menu, in the project's version", async () => {
    const copying = editor.runOnRow("skills", "Redact personal data", "Copy As…");
    await editor.choose(/^TypeScript/);
    await copying;
    await editor.status(/TypeScript client of redact-pii@\S+ copied/);
    assert.match(
      copied(),
      /^\/\/ skill-registry: redact-pii@\S+ contract-v1:sha256-[0-9a-f]{64}$/m,
    );
    assert.match(copied(), /^export async function redactPii\(input: Input, options: Options\)/m);
    assert.match(copied(), /readonly text: string;/);
  });

  it("is for the skill of the visible payload or page, or else for the user's choice", async () => {
    await editor.newPayload("json-diff");
    await editor.run("copyAsTypeScript");
    assert.match(copied(), /^export async function jsonDiff\(/m);
    await editor.run("openSkill", "csv-profile");
    await editor.run("copyAsTypeScript");
    assert.match(copied(), /^export async function csvProfile\(/m);
    await editor.tidy();
    const copying = editor.run("copyAsTypeScript");
    await editor.choose(/^Text statistics/);
    await copying;
    assert.match(copied(), /^export async function textStats\(/m);
  });

  it("is not copied if the skill cannot be read, with the reason", async () => {
    await editor.run("copyAsTypeScript", "no-such-skill");
    await editor.notification("Skill not found.");
    assert.equal(copied(), "");
  });

  it("is copied with a warning about a mistake in the skill's schema, which a question about agents names too", async () => {
    const inputSchema = { type: "object", properties: { n: { minimum: 2, maximum: 1 } } };
    const registry = await startManifestRegistry({ odd: plainManifest("odd", { inputSchema }) });
    await editor.connectTo(registry);
    await editor.run("copyAsTypeScript", "odd");
    const mistake = /publisher of odd about its input schema at \/properties\/n\/minimum/;
    (await editor.notification(mistake)).close();
    const allowing = editor.run("allowAgents", "odd");
    const dialog = await editor.dialog(/^Allow agents to invoke odd@/);
    assert.match(dialog.detail, mistake);
    dialog.press("Cancel");
    await allowing;
    await editor.connectTo();
    await registry.close();
  });
});
