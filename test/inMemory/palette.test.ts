import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { contextKeys } from "../../src/host/ids";
import { MemoryEditor } from "./memoryEditor";
import { useEditor } from "./useEditor";
import { Memory } from "./vscode/machine";

describe("The palette", () => {
  const workspaceState = new Memory();
  const editor = useEditor(() => ({ workspaceState }));
  let restarted: MemoryEditor | undefined;
  after(() => restarted?.dispose());

  const commands = ["showUsage", "openInvocation", "exportInvocations"];
  const projectCommands = ["installSkill", "manageSkill", "showSessions", "signOut"];
  const offers = ({ parts }: MemoryEditor, name: string) =>
    parts.commands.palette().some(([id]) => id === `skillRegistry.${name}`);
  const offersAll = (of: MemoryEditor, names: readonly string[]) =>
    of.until(`${names} in the palette`, () => names.every((name) => offers(of, name)));

  it("offers no commands for a record, a project or an account before there is one", async () => {
    await editor.run("showOutput");
    for (const name of [...commands, ...projectCommands]) assert.ok(!offers(editor, name), name);
  });

  it("offers the commands of the record after an invocation, though no view was shown", async () => {
    await editor.newPayload("text-stats", '{ "text": "One." }');
    await editor.run("invoke");
    await offersAll(editor, [...commands, "saveAsTest"]);
  });

  it("offers the commands of a project after signing in, though its view was not shown", async () => {
    const signedIn = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signedIn;
    await offersAll(editor, projectCommands);
  });

  it("has a fact for each context key of a view or a menu", () => {
    const unset = Object.values(contextKeys).filter((key) => !editor.parts.commands.keys.has(key));
    assert.deepEqual(unset, []);
  });

  describe("after a restart", () => {
    before(() => {
      restarted = new MemoryEditor({ machine: editor.parts.machine, workspaceState });
    });
    const current = () => {
      assert.ok(restarted !== undefined);
      return restarted;
    };

    it("offers the same before anything of the extension is used", () => {
      for (const name of [...commands, ...projectCommands]) {
        assert.ok(offers(current(), name), name);
      }
    });

    it("offers nothing of a project once its user is signed out", async () => {
      const signedOut = current().run("signOut");
      await signedOut;
      await current().until("no commands of a project", () =>
        projectCommands.every((name) => !offers(current(), name)),
      );
      assert.ok(offers(current(), "showUsage"));
    });
  });
});
