import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import type { MemoryController } from "../vscode/testing";
import { isInvocation, suite, suitesOf } from "./suiteFiles";

describe("A stopped run of suites", () => {
  const one = (name: string) => suite("word-tally", [{ name, payload: { text: name } }]);
  const folder = useFolder({
    "first.skill-suite.json": one("one"),
    "second.skill-suite.json": one("two"),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: ForeignRegistry;
  let tests: MemoryController;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
    tests = await suitesOf(editor);
  });
  after(() => registry.close());

  /** Stops the run, right before `answerQuestion` if given, and checks that nothing more is asked or sent. */
  async function stop(
    running: ReturnType<MemoryController["run"]>,
    answerQuestion?: () => void,
    first = "skipped one",
  ) {
    const sent = () => registry.requests.filter(isInvocation).length;
    const before = sent();
    tests.stop();
    answerQuestion?.();
    assert.deepEqual((await running).results, [first, "skipped two"]);
    assert.deepEqual(editor.parts.notices, []);
    assert.equal(sent(), before);
  }
  /** Waits for the next matching request, which never gets a response. */
  const held = (fits: (request: RecordedRequest) => boolean) =>
    new Promise<void>((resolve) => {
      registry.answer("**", (asked) => {
        if (!fits(asked)) return asked.passOn();
        registry.restore();
        resolve();
        return "never";
      });
    });

  it("It ends while a skill is read for its price", async () => {
    const read = held(({ path }) => path.startsWith("/v1/skills/word-tally"));
    const running = tests.run("Invoke Live");
    await read;
    await stop(running);
  });

  it("It ends even if it is stopped right before a person agrees to all cases", async () => {
    const running = tests.run("Invoke Live");
    const question = await editor.dialog("Run the cases by invoking their skills?");
    await stop(running, () => question.press("Invoke All"));
  });

  it("It ends if another registry is chosen during its question, and that registry gets no case", async () => {
    const other = await startForeignRegistry({ dialect: "camel" });
    try {
      const running = tests.run("Invoke Live");
      const question = await editor.dialog("Run the cases by invoking their skills?");
      await editor.connectTo(other);
      const set = editor.run("setProjectKey");
      await editor.answer(other.projectKey);
      await set;
      question.press("Invoke All");
      assert.deepEqual((await running).results, ["skipped one", "skipped two"]);
      for (const _ of ["one", "two"]) {
        (await editor.notification(/another registry or environment was chosen meanwhile/)).close();
      }
      assert.equal(other.requests.filter(isInvocation).length, 0);
    } finally {
      await editor.connectTo(registry);
      await other.close();
    }
  });

  it("It ends even if it is stopped right before a person agrees to a skill's terms", async () => {
    const running = tests.run("Invoke Live");
    await editor.press("Run the cases by invoking their skills?", "Invoke All");
    const question = await editor.dialog("Invoke word-tally@2.1.0?");
    await stop(running, () => question.press("Invoke"));
  });

  it("It ends while a case is sent", async () => {
    const running = tests.run("Invoke Live");
    await editor.press("Run the cases by invoking their skills?", "Invoke All");
    await held(isInvocation);
    const unknown =
      "word-tally may have run and may be billed; it will not be invoked again automatically.";
    await stop(running, undefined, `errored one: ${unknown} You canceled the request.`);
  });
});
