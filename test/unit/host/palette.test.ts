import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { isTrue } from "../../inMemory/vscode/when";

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const commands: readonly { command: string }[] = contributes.commands;
const conditions = new Map<string, string>(
  contributes.menus.commandPalette.map(({ command, when }: Record<string, string>) => [
    command,
    when,
  ]),
);

const signedIn = ["recorded", "signedIn", "hasProject", "canTestRun"];

/**
 * What stands on the screen, and how many commands of the extension the palette then offers at most. The editor adds one
 * for each of the three views.
 */
const states: Readonly<Record<string, readonly [keys: object, most: number]>> = {
  "in a new window": [{}, 25],
  "with a payload": [
    { resourceFilename: "a.skill-input.json", resourceLangId: "json", ...facts("payloadBound") },
    31,
  ],
  "with an output": [
    { resourceScheme: "skill-output", resourceLangId: "json", ...facts("recorded") },
    43,
  ],
  "with an account and a project": [facts(...signedIn), 40],
  "with a manifest, an account and a project": [
    { resourceFilename: "skillhub.json", resourceLangId: "json", ...facts(...signedIn) },
    42,
  ],
};

function facts(...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [`skillRegistry.${name}`, true]));
}

describe("The palette's commands of the extension", () => {
  for (const [state, [keys, most]] of Object.entries(states)) {
    it(`are at most ${most} ${state}`, () => {
      const known = new Map<string, unknown>(
        Object.entries({ "config.skillRegistry.agents.enabled": true, ...keys }),
      );
      const shown = commands.filter(({ command }) =>
        isTrue(conditions.get(command), (name) => known.get(name) ?? ""),
      );
      assert.ok(shown.length <= most, `${shown.length}: ${shown.map((one) => one.command)}`);
    });
  }
});
