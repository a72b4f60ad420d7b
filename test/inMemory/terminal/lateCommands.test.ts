import { strict as assert } from "node:assert";
import { after, afterEach, before, describe, it } from "mocha";
import { windowVariable } from "../../../src/core/agents/agentSetup";
import type { CommandInvocation } from "../../../src/window/requests";
import { type CommandWindow, connectToWindow } from "../../../src/window/windowClient";
import { agreeingAsker } from "../../fixtures/testEngine";
import { type CountingRegistry, startCountingRegistry } from "../../unit/cli/countingRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { Memory } from "../vscode/machine";
import { terminalOf } from "./terminalOf";

const welcome = /^Invoke text-stats@1\.0\.0/;
const never = new AbortController().signal;

describe("A command whose window changes its environment or registry before it sends", () => {
  let one: CountingRegistry;
  let other: CountingRegistry;
  const folder = useFolder();
  before(async () => {
    one = await startCountingRegistry();
    other = await startCountingRegistry();
    const valuesAt = ({ url: registry }: CountingRegistry, greeting: string) => ({
      registry,
      values: { greeting },
    });
    const environments = {
      staging: valuesAt(one, "Hello from staging."),
      production: valuesAt(one, "Hello from production."),
      elsewhere: valuesAt(other, "Hello from elsewhere."),
    };
    const file = JSON.stringify({ format: 1, environments });
    await folder.write(".skill-registry/environments.json", file);
  });
  after(() => {
    one.close();
    other.close();
  });

  describe("in a folder with environments", () => {
    let command: CommandWindow;
    const agreed = new Set<string>();
    const workspaceState = new Memory();
    const editor = useEditor(() => ({ folders: [folder.path], workspaceState }));
    before(async () => {
      await use(/^staging/);
      const key = editor.run("setProjectKey");
      await editor.answer(`sk_proj_${"a".repeat(40)}`);
      await key;
      const { env } = await terminalOf(editor);
      const connected = await connectToWindow(env[windowVariable] ?? "");
      if (typeof connected === "string") assert.fail(connected);
      command = connected;
    });
    after(() => command.close());
    afterEach(() => use(/^staging/));

    async function use(name: RegExp): Promise<void> {
      const connecting = editor.run("connect");
      await editor.choose(name);
      const { url } = name.source.includes("elsewhere") ? other : one;
      if (!agreed.has(url)) await editor.press(/^Use the registry/, "Use Registry");
      agreed.add(url);
      await connecting;
    }
    const wanted = (): CommandInvocation => ({
      ...{ command: "run", slug: "text-stats", version: "1.0.0", folder: folder.path },
      ...{ registry: one.url, environment: "staging" },
      ...{ isTestRun: false, isWaitedFor: true, isNumberChosen: false },
    });
    const payload = () => ({
      text: '{"text":"{{greeting}}"}',
      source: "file:///lines.jsonl#1",
      folder: folder.path,
    });
    const invoke = (series?: number, place: Partial<CommandInvocation> = {}) =>
      command
        .invocations(() => undefined)
        .invoke(
          {
            wanted: { ...wanted(), ...place },
            payload: payload(),
            ...(series !== undefined && { series }),
          },
          agreeingAsker(),
          never,
        );
    const sent = () => one.total() + other.total();

    for (const name of ["production", "elsewhere"]) {
      it(`sends nothing if the window uses the environment ${name} by then`, async () => {
        const before = sent();
        await use(new RegExp(`^${name}`));
        const ending = await invoke();
        assert.deepEqual(ending, { kind: "stopped", stop: { kind: "registryChanged" } });
        assert.equal(sent(), before);
      });
    }

    it("sends nothing if its environment has another registry by then", async () => {
      const before = sent();
      const ending = await invoke(undefined, { registry: other.url });
      assert.deepEqual(ending, { kind: "stopped", stop: { kind: "registryChanged" } });
      assert.equal(sent(), before);
    });

    it("asks about the price at the registry that it sends to, not at the one where it read the skill", async () => {
      await use(/^elsewhere/);
      const read = await command.readSkill({ slug: "text-stats", version: "1.0.0" });
      assert.ok(typeof read === "object" && read.ok);
      await use(/^staging/);
      one.describe({ cents: 9900 });
      const invoking = invoke();
      const dialog = await editor.dialog(welcome);
      assert.match(dialog.detail, /\$99\.00/);
      dialog.press("Cancel");
      assert.equal((await invoking).kind, "stopped");
      one.describe({ cents: 2 });
      await editor.clock.advance(60_000);
    });

    it("sends an agreed series with the new environment's values if that has the same registry", async () => {
      const opening = command.invocations(() => undefined).open({ wanted: wanted() }, never);
      await editor.press(welcome, "Invoke");
      const opened = await opening;
      assert.notEqual(opened.kind, "stopped", JSON.stringify(opened));
      if (opened.kind !== "series") assert.fail(opened.kind);
      await use(/^production/);
      const ending = await invoke(opened.series);
      assert.equal(ending.kind, "sent", JSON.stringify(ending));
      assert.equal(one.counts.get("Hello from staging."), 1);
      assert.equal(one.counts.get("Hello from production."), undefined);
    });
  });
});
