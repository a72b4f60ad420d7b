import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { apiSchemas } from "../../fixtures/apiSchemas";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { openPayload } from "../payloads";
import { someOf } from "../someOf";
import { useWindow } from "../window/useWindow";
import { builtInPayloads } from "./builtInPayloads";
import { keyboardPayloads } from "./keyboardPayloads";
import { Typist } from "./typist";

/**
 * The settings that other tests turn off, so that the editor changes nothing they type, and that most people have on.
 */
const usualSettings = [
  "autoClosingBrackets",
  "autoClosingQuotes",
  "autoSurround",
  "autoIndent",
  "acceptSuggestionOnEnter",
];

const registries = {
  "the built-in registry": {
    schemas: undefined,
    payloads: someOf(builtInPayloads, ["vault-rotate"]),
  },
  "public interfaces": {
    schemas: apiSchemas,
    payloads: someOf(keyboardPayloads, []),
  },
};

for (const [whose, { schemas, payloads }] of Object.entries(registries)) {
  describe(`Writing payloads for the schemas of ${whose} with the keyboard alone`, () => {
    const window = useWindow();
    before(async () => {
      if (schemas !== undefined) await window.connectTo(await startSchemaRegistry(schemas));
      for (const name of usualSettings) await window.set(`editor.${name}`, undefined);
    });

    for (const [slug, { write, value }] of payloads) {
      it(`${slug}: takes fewer key presses than its JSON has characters, and ends valid`, async () => {
        await openPayload(window, slug);
        const typist = new Typist(window);
        await typist.clear();
        await write(typist);
        await eventually(`what is meant, after ${typist.presses} keys`, () =>
          isSame(typist.text, value),
        );
        await window.statusBarItem(new RegExp(`${slug}@.*: valid`)).waitFor();
        const signs = JSON.stringify(value).length;
        assert.ok(typist.presses < signs, `${typist.presses} keys for ${signs} signs`);
      });
    }
  });
}

function isSame(text: string, value: JsonValue): boolean {
  try {
    assert.deepEqual(JSON.parse(text), value);
    return true;
  } catch {
    return false;
  }
}
