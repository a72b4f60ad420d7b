import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { openPayload } from "../payloads";
import { useWindow } from "../window/useWindow";
import { Typist } from "./typist";

describe("The light bulb of a payload", () => {
  const window = useWindow();
  before(async () => {
    const text = { type: "string" };
    const properties = { subject: text, count: { type: "integer" }, body: text };
    const letter = { type: "object", required: ["subject", "count", "body"], properties };
    await window.connectTo(await startSchemaRegistry({ letter }));
  });

  for (const title of ["Add all 3 that are missing", "Fill with required properties"]) {
    it(`leads through the values to fill in, after “${title}”`, async () => {
      await openPayload(window, "letter");
      const typist = new Typist(window);
      await typist.clear();
      if (title.startsWith("Add")) await window.replaceText("{}");
      await window.statusBarItem(/letter@.*: \d problem/).waitFor();
      const action = window.page.locator(".action-widget .monaco-list-row", { hasText: title });
      await eventually("the fix", async () => {
        await window.page.keyboard.press("ControlOrMeta+.");
        await action.click({ timeout: 5_000 });
        return true;
      });
      await eventually("the properties", () => typist.text.includes('"body"'));
      await typist.type("Hello");
      await typist.next();
      await typist.type("7");
      await typist.next();
      await typist.type("World");
      await eventually("what was typed", () => {
        const { document } = vscode.window.activeTextEditor ?? {};
        return /^\{\s+"subject": "Hello",\s+"count": 7,\s+"body": "World"\s+\}\s*$/.test(
          document?.getText() ?? "",
        );
      });
    });
  }
});
