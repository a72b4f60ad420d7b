import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("The Project Key", () => {
  const editor = useEditor();
  const run = async (title: string) => {
    const ended = editor.runFromPalette("Skill Registry: Project Key…");
    await editor.choose(title);
    return ended;
  };

  it("Has one command in the palette, whose list has those of a project only with an account", async () => {
    const titles = editor.parts.commands.palette().map(([, title]) => title);
    assert.deepEqual(
      titles.filter((title) => /Key/.test(title)),
      ["Skill Registry: Project Key…"],
    );
    const shown = editor.run("projectKey");
    const list = await editor.pick("Set Project Key…");
    assert.doesNotMatch(list.text, /Rotate/);
    list.leave();
    await shown;
    const signedIn = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signedIn;
    const again = editor.run("projectKey");
    await editor.choose("Revoke Project Key…");
    await editor.leave();
    await again;
    await editor.run("signOut");
  });

  it("Its check counts the skills that it lists, and pages then show what the project blocks", async () => {
    await run("Check Project Key");
    await editor.notification(/built-in registry accepts it and lists \d+ skills/);
    await editor.run("openSkill", "vault-rotate");
    const page = await editor.page("Rotate vault secrets");
    await page.shows("Source: the Project Key, ");
    await page.shows("permission_level_exceeded");
    await editor.run("openSkill", "json-diff");
    await (await editor.page("JSON diff")).shows("Nothing blocks an invocation.");
  });

  it("It is set, checked and removed; a user token is refused in its place", async () => {
    await editor.connectTo({ baseUrl: "http://127.0.0.1:9" });
    const set = run("Set Project Key…");
    const input = await editor.input("It is stored in secret storage");
    input.type("shub_user_0123");
    await editor.input("This is a user token");
    input.type("skh_typed-by-hand");
    input.accept();
    await set;
    await editor.status("Project Key set for 127.0.0.1:9");
    await run("Check Project Key");
    const kept = await editor.notification(
      /The Project Key for http:\/\/127.0.0.1:9 could not be checked.*No server is listening/s,
    );
    assert.doesNotMatch(kept.text, /typed-by-hand/);
    const question = "Remove the Project Key for 127.0.0.1:9?";
    for (const button of ["Cancel", "Remove"]) {
      const removed = run("Remove Project Key…");
      await editor.press(question, button);
      await removed;
    }
    await editor.notification(/was removed/);
    const shown = editor.run("projectKey");
    const list = await editor.pick("Set Project Key…");
    assert.doesNotMatch(list.text, /Check|Remove/);
    list.leave();
    await shown;
    await editor.run("checkProjectKey");
    await editor.notification(/There is no Project Key for http:\/\/127.0.0.1:9/);
  });
});
