import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import { reviewsPath } from "../../../src/core/review/files/reviewFiles";
import {
  commandIds,
  contextKeys,
  documentSchemes,
  embeddedPorts,
  pageIds,
  unlistedCommands,
  viewIds,
} from "../../../src/host/ids";
import { settingRows, settingSection } from "../../../src/host/settingRows";

const manifestText = readFileSync(resolve("package.json"), "utf8");
const manifest = JSON.parse(manifestText);
const words: Record<string, string> = JSON.parse(readFileSync(resolve("package.nls.json"), "utf8"));
const { contributes } = manifest;

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

describe("ids", () => {
  it("of commands equal the manifest's, and every one has a title", () => {
    const declared = contributes.commands.map(({ command }: { command: string }) => command);
    const unlisted = [...unlistedCommands].map((name) => commandIds[name]);
    assert.deepEqual(sorted([...declared, ...unlisted]), sorted(Object.values(commandIds)));
    assert.equal(declared.length + unlisted.length, Object.values(commandIds).length);
  });

  it("of commands are at most 84, and the palette finds each by its title", () => {
    const declared: { command: string }[] = contributes.commands;
    const { suspendSkill, restoreSkill, uninstallSkill, approveSkill, rollBackSkill } = commandIds;
    const { showWhy, editPolicy, adoptUpdate, decideUpdate } = commandIds;
    const skillCommands = [
      ...[suspendSkill, restoreSkill, uninstallSkill, approveSkill, rollBackSkill],
      ...[showWhy, editPolicy, adoptUpdate, decideUpdate],
    ];
    assert.ok(declared.length <= 84, `${declared.length}`);
    // For the title of a hidden command, the editor offers similar ones, and Enter runs the first.
    const palette = contributes.menus.commandPalette as { command: string; when: string }[];
    const hidden = palette.filter(({ when }) => when === "false").map(({ command }) => command);
    assert.deepEqual(hidden, [
      // “Project Key…” is the most similar title to theirs, and it only lists them.
      commandIds.setProjectKey,
      commandIds.checkProjectKey,
      commandIds.removeProjectKey,
      commandIds.createProjectKey,
      commandIds.rotateProjectKey,
      commandIds.revokeProjectKey,
      // They apply to a failed case, which only the Test Explorer can show.
      commandIds.acceptOutput,
      commandIds.storeOutput,
      // “Choose Project…” lists it.
      commandIds.newProject,
      // “Manage Skill in Project…” lists them.
      ...skillCommands,
    ]);
  });

  it("of a skill's row include two inline actions, each with an icon", () => {
    type Entry = { readonly command: string; readonly when: string; readonly group: string };
    const rows: readonly Entry[] = contributes.menus["view/item/context"];
    const inline = rows.filter(
      ({ when, group }) =>
        when.startsWith(`view == ${viewIds.skills} `) && group.startsWith("inline"),
    );
    assert.deepEqual(sorted(inline.map(({ group }) => group)), ["inline@1", "inline@2"]);
    const always = inline.find(({ group }) => group === "inline@1");
    assert.equal(always?.command, commandIds.trySkill);
    for (const { command } of inline) {
      const declared = contributes.commands.find((each: Entry) => each.command === command);
      assert.match(declared?.icon ?? "", /^\$\(/, command);
    }
  });

  it("of a row's inline actions are also in its menu, for the keyboard", () => {
    type Entry = { readonly command?: string; readonly when: string; readonly group: string };
    const rows: readonly Entry[] = contributes.menus["view/item/context"];
    const isInline = ({ group }: Entry) => group.startsWith("inline");
    const viewOf = ({ when }: Entry) => when.split(" && ")[0];
    for (const entry of rows.filter(isInline)) {
      const others = rows.filter((one) => !isInline(one) && one.command === entry.command);
      const isProject = viewOf(entry) === `view == ${viewIds.project}`;
      // The Project view has rows of several kinds, each with its own actions.
      const isThere = ({ when }: Entry) => !isProject || when === entry.when;
      const here = others.filter((one) => viewOf(one) === viewOf(entry));
      assert.ok(here.some(isThere), JSON.stringify(entry));
    }
  });

  it("of toggles share one menu position, with one visible at a time", () => {
    type Entry = { readonly command?: string; readonly when: string; readonly group: string };
    const pairs = [
      [commandIds.addFavorite, commandIds.removeFavorite],
      [commandIds.invoke, commandIds.cancelInvocation],
    ];
    for (const menu of ["view/title", "view/item/context", "editor/title"]) {
      const entries: readonly Entry[] = contributes.menus[menu];
      const of = (id: string | undefined) => entries.filter(({ command }) => command === id);
      for (const [on, off] of pairs) {
        // On the row of a file, invoking again shows the running invocation.
        for (const { group, when } of of(on).filter((entry) => !entry.when.includes("file."))) {
          const others = of(off).filter((entry) => entry.group === group);
          assert.ok(others.length > 0, `${on} ${group}`);
          assert.ok(others.every((other) => other.when !== when));
        }
      }
    }
  });

  it("of commands in everybody's palette need nothing open", () => {
    const palette: { command: string; when: string }[] = contributes.menus.commandPalette;
    const restricted = new Map(palette.map(({ command, when }) => [command, when]));
    const declared: { command: string }[] = contributes.commands;
    const always = declared.filter(({ command }) => !restricted.has(command));
    assert.ok(always.length <= 21, `${always.length}`);
    // A command for rows, a record or an account is offered if there is one.
    for (const id of [commandIds.installSkill, commandIds.openInvocation, commandIds.signOut]) {
      assert.match(restricted.get(id) ?? "", /skillRegistry\./, id);
    }
  });

  it("of views and of pages that are restored equal the manifest's", () => {
    const declared = contributes.views.skillRegistry.map(({ id }: { id: string }) => id);
    assert.deepEqual(sorted(declared), sorted(Object.values(viewIds)));
    const events: readonly string[] = manifest.activationEvents;
    const pages = events.filter((event) => event.startsWith("onWebviewPanel:"));
    assert.deepEqual(
      sorted(pages),
      sorted(Object.values(pageIds).map((id) => `onWebviewPanel:${id}`)),
    );
  });

  it("of documents activate the extension, also if an earlier window had one open", () => {
    for (const scheme of documentSchemes) {
      assert.ok(manifest.activationEvents.includes(`onFileSystem:${scheme}`), scheme);
    }
  });

  it("of the reviews file match its location, and activate the extension", () => {
    assert.ok(manifest.activationEvents.includes(`workspaceContains:${reviewsPath}`));
  });

  it("of settings equal the manifest's", () => {
    const declared = Object.keys(contributes.configuration.properties);
    const known = Object.values(settingRows).map(({ id }) => `${settingSection}.${id}`);
    assert.deepEqual(sorted(declared), sorted(known));
  });

  it("of settings are in the table that explains them", () => {
    const table = readFileSync(resolve("docs/settings.md"), "utf8");
    const explained = table.match(/(?<=^\| `)skillRegistry\.[\w.]+/gm) ?? [];
    const known = Object.values(settingRows).map(({ id }) => `${settingSection}.${id}`);
    assert.deepEqual(sorted(explained), sorted(known));
  });

  it("of the embedded registry's ports are those that the manifest does not forward", () => {
    const ports = contributes.configurationDefaults["remote.portsAttributes"];
    assert.deepEqual(ports[embeddedPorts.join("-")], { onAutoForward: "ignore" });
  });

  it("of skill rows open a form or a payload, and only rows of payloads invoke", () => {
    const entries: { command?: string; when: string; group: string }[] =
      contributes.menus["view/item/context"];
    const groupsOf = (id: string) =>
      entries
        .filter(({ command, when }) => command === id && when.includes(viewIds.skills))
        .map(({ group }) => group);
    assert.deepEqual(groupsOf(commandIds.trySkill), ["inline@1", "1_skill@2"]);
    assert.deepEqual(groupsOf(commandIds.openPayload), ["1_skill@3"]);
    const invoking = entries.filter(({ command }) => command === commandIds.invoke);
    assert.deepEqual(
      invoking.map(({ when, group }) => [when, group]),
      ["inline@1", "1_skill@1"].map((group) => [
        `view == ${viewIds.skills} && viewItem == file.payload`,
        group,
      ]),
    );
  });

  it("in menus and conditions all exist", () => {
    const named = sorted(manifestText.match(/skillRegistry\.[A-Za-z_.]+/g) ?? []);
    const known = new Set<string>([
      ...Object.values(commandIds),
      ...Object.values(viewIds),
      ...Object.values(pageIds),
      ...Object.values(contextKeys),
      ...Object.values(settingRows).map(({ id }) => `${settingSection}.${id}`),
    ]);
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });

  it("of context keys are all used in the manifest, and have a description", () => {
    const named = new Set(manifestText.match(/skillRegistry\.[A-Za-z]+/g));
    const unread = Object.values(contextKeys).filter((key) => !named.has(key));
    assert.deepEqual(unread, []);
    const source = readFileSync(resolve("src/host/ids.ts"), "utf8");
    const unexplained = Object.values(contextKeys).filter(
      (key) => !new RegExp(`\\.? \\*/\\n +\\w+: "${key}"`).test(source),
    );
    assert.deepEqual(unexplained, []);
  });

  it("in the walkthrough's steps are commands, and context keys of existing facts", () => {
    type Step = { readonly id: string; readonly completionEvents: readonly string[] };
    const steps: readonly Step[] = contributes.walkthroughs[0].steps;
    const { payloadBound, recorded } = contextKeys;
    const { trySkill, openSkill, openPayload, invoke, pinInvocation } = commandIds;
    assert.deepEqual(
      steps.map(({ id, completionEvents }) => [id, ...completionEvents]),
      [
        ["choose", `onCommand:${trySkill}`, `onContext:${recorded}`],
        [
          "read",
          `onContext:activeWebviewPanelId == ${pageIds.skillPage}`,
          `onCommand:${openSkill}`,
        ],
        ["write", `onContext:${payloadBound}`, `onCommand:${openPayload}`],
        ["invoke", `onContext:${recorded}`, `onCommand:${invoke}`],
        ["keep", `onCommand:${pinInvocation}`],
      ],
    );
  });

  it("in the walkthrough for teams are existing commands and context keys", () => {
    type Step = { readonly id: string; readonly completionEvents: readonly string[] };
    const steps: readonly Step[] = contributes.walkthroughs[1].steps;
    const { hasProject, reviews } = contextKeys;
    const { saveAsTest, newSuite, installSkill, reviewSkill, allowAgents } = commandIds;
    assert.deepEqual(
      steps.map(({ id, completionEvents }) => [id, ...completionEvents]),
      [
        ["test", `onCommand:${saveAsTest}`, `onCommand:${newSuite}`],
        ["project", `onContext:${hasProject}`, `onCommand:${installSkill}`],
        ["review", `onContext:${reviews}`, `onCommand:${reviewSkill}`],
        ["agents", `onCommand:${allowAgents}`],
      ],
    );
  });

  it("on the walkthroughs' buttons are commands that need no active editor", () => {
    type Walkthrough = { readonly steps: readonly { readonly description: string }[] };
    const walkthroughs: readonly Walkthrough[] = contributes.walkthroughs;
    const texts = walkthroughs.flatMap(({ steps }) =>
      steps.map(({ description }) => words[description.slice(1, -1)] ?? ""),
    );
    const ours: readonly string[] = Object.values(commandIds);
    for (const text of texts) {
      const commands = text.match(/(?<=\(command:)[^)]+/g) ?? [];
      assert.ok(commands.length > 0, text);
      for (const command of commands) assert.ok(ours.includes(command), command);
      // A walkthrough renders **…** as bold, and other asterisks literally.
      assert.doesNotMatch(text, /(?<!\*)\*(?!\*)/);
    }
  });

  it("in welcome texts and messages are commands", () => {
    const commands = new Set<string>(Object.values(commandIds));
    const linked = Object.values(words).flatMap(
      (text) => text.match(/(?<=\(command:)[^)]+/g) ?? [],
    );
    const ours = linked.filter((command) => !command.startsWith("workbench.action."));
    assert.ok(ours.length > 0);
    for (const link of ours) {
      const [command = "", given = "%5B%5D"] = link.split("?");
      assert.ok(commands.has(command), link);
      assert.ok(Array.isArray(JSON.parse(decodeURIComponent(given))), link);
    }
  });

  it("of texts in the manifest all exist, and no others", () => {
    const asked = manifestText.match(/(?<=")%[^%"]+%(?=")/g) ?? [];
    assert.deepEqual(sorted(asked.map((name) => name.slice(1, -1))), sorted(Object.keys(words)));
  });

  it("of settings exclude every setting that a workspace could set", () => {
    const properties: Record<string, { scope: string }> = contributes.configuration.properties;
    for (const [name, { scope }] of Object.entries(properties)) {
      assert.equal(scope, "application", name);
    }
  });
});
