import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("A project whose skills have files in the workspace", () => {
  const folder = useFolder({
    "slow-report.skill-input.json": "{}",
    "redact-pii.skill-input.json": "{}",
    "text-stats.skill-input.json": "{}",
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It marks its view, and reports an incident once", async () => {
    const view = await editor.view("project");
    const signedIn = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signedIn;
    const notice = await editor.notification(/^Incident of slow-report: Slow report takes longer/);
    assert.equal(view.badge?.value, 2);
    assert.equal(view.badge.tooltip, "Open incident: slow-report\nUpdate available: redact-pii");
    notice.press("Open Skill");
    await editor.page("Slow report");
    await editor.run("refresh");
    await editor.status("Local Demo");
    assert.doesNotMatch(editor.screen, /Incident of slow-report/);
  });

  it("It offers to install another version than it runs, and not the same again", async () => {
    const contextOf = async (label: RegExp) =>
      (await editor.row("skills", label)).item.contextValue;
    assert.equal(await contextOf(/^Text statistics/), "skill notInstallable");
    assert.equal(await contextOf(/^Redact personal data/), "skill");
  });
});
