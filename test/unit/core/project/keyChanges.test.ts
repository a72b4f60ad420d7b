import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  copyKeyQuestion,
  keyLabel,
  newKeyQuestion,
  rotateKeyQuestion,
} from "../../../../src/core/project/keyChanges";
import { english } from "../../../../src/core/text/language";

const project = { slug: "demo", name: "Demo" };
const renamed = { slug: "demo", name: "My Demo" };
const key = { id: "k", name: "CI", last4: "c015" };
const warning = "This may rename the project from “My Demo” to “Demo”.";

describe("the questions before a Project Key is created or replaced", () => {
  it("describe the consequence for the key in use", () => {
    assert.deepEqual(newKeyQuestion(project, false, english), {
      message: "Create a Project Key for Demo?",
      detail: ["It is kept in the editor's secret storage and not shown."],
      agree: "Create Key",
    });
    const [, replaced] = newKeyQuestion(project, true, english).detail.flat();
    assert.match(replaced ?? "", /^It replaces the key this editor uses/);
    const { message, detail } = rotateKeyQuestion(key, project, english);
    assert.equal(message, "Replace the Project Key CI (…c015) of Demo?");
    assert.match(detail.join(), /then the old one is revoked/);
    assert.match(copyKeyQuestion(project, english).detail.join(), /^The key is copied to the/);
  });

  it("warn if the project may get another name", () => {
    for (const { detail } of [
      newKeyQuestion(renamed, true, english),
      copyKeyQuestion(renamed, english),
      rotateKeyQuestion(key, renamed, english),
    ]) {
      assert.equal(detail.at(-1), warning);
    }
  });

  it("name a key by its last characters if they are known", () => {
    assert.equal(keyLabel(key), "CI (…c015)");
    assert.equal(keyLabel({ ...key, last4: "" }), "CI");
  });
});
