import { strict as assert } from "node:assert";
import { after, afterEach, before, describe, it } from "mocha";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../src/core/review/newReview";
import { rateScopeOf } from "../../../src/engine/attempt";
import { testControllerId } from "../../../src/host/ids";
import { forgetRates, limitRate, openTestStore, startSame } from "../../fixtures/machineStore";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const payload = { text: "gated" };
const suite = {
  format: 1,
  skill: "word-tally@2.1.0",
  cases: [{ name: "gated", payload }],
};

describe("The gates of Invoke Skill and of suites in the editor", () => {
  const folder = useFolder({ "gated.skill-suite.json": JSON.stringify(suite) });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: ForeignRegistry;
  /** The times at which invocations arrived, by the editor's clock. */
  const arrived: number[] = [];
  const price = { billingModel: "per_call", unitAmountCents: 3, currency: "USD", status: "active" };

  before(async () => {
    registry = await startForeignRegistry(
      { dialect: "camel" },
      { "/v1/skills/*/prices": { body: { prices: [price] } } },
    );
    registry.answer("/v1/runtime/invoke", ({ passOn }) => {
      arrived.push(editor.clock.now());
      return passOn();
    });
    await editor.connectTo(registry);
    const setting = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await setting;
  });
  afterEach(async () => {
    editor.set("skillRegistry.cost.dailyCeilingCents", undefined);
    await forgetRates(editor.parts.machine.storage);
    arrived.length = 0;
  });
  after(() => registry.close());

  /** Invokes a payload; `hold` closes a gate right before. */
  const invoke = async (hold: () => unknown = () => undefined) => {
    await editor.newPayload("word-tally", JSON.stringify(payload));
    await hold();
    return { over: editor.run("invoke") };
  };
  const runSuite = async (hold: () => unknown = () => undefined) => {
    const { controllers } = editor.parts;
    const tests = await editor.until("the entry", () => controllers.get(testControllerId));
    await tests.open();
    const item = await editor.until("the case", () => tests.find("gated"));
    const over = tests.run("Invoke Live", item);
    const question = await editor.dialog("Run the cases by invoking their skills?");
    await hold();
    question.press("Invoke All");
    return { over };
  };
  /**
   * Ways to delay an invocation of `payload` for a time. Each resolves to the end of the delay, by the editor's clock.
   */
  const holds = {
    "the same payload that is being sent": async (milliseconds: number) => {
      const until = editor.clock.now() + milliseconds;
      const same = {
        registry: registry.baseUrl,
        skillSlug: "word-tally",
        version: "2.1.0",
        inputText: JSON.stringify(payload),
      };
      const now = () => editor.clock.now();
      const { store, close } = openTestStore(editor.parts.machine.storage, { now });
      const { id } = await startSame(store, same, milliseconds);
      const scope = { registry: registry.baseUrl, project: "another", skillSlug: same.skillSlug };
      const release = async () => {
        await store.undo(id, scope);
        await close();
      };
      return { until, release };
    },
    "the rate limit": async (milliseconds: number) => {
      const at = { baseUrl: registry.baseUrl, isBuiltIn: false };
      const scope = rateScopeOf(at, registry.projectKey, "word-tally");
      const sentAt = editor.clock.now() + milliseconds - 60_000;
      const { storage } = editor.parts.machine;
      await limitRate(storage, scope, 1, [sentAt]);
      return { until: sentAt + 60_000, release: () => forgetRates(storage) };
    },
  };

  for (const [name, start] of Object.entries({ "Invoke Skill": invoke, "A suite": runSuite })) {
    it(`${name} sends nothing without consent`, async () => {
      const { over } = await start();
      await editor.press("Invoke word-tally@2.1.0?", "Cancel");
      await over;
      assert.equal(arrived.length, 0);
    });
  }

  it("Invoke Skill and a suite both send after consent", async () => {
    const { over } = await invoke();
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await over;
    await editor.tidy();
    await (await runSuite()).over;
    assert.equal(arrived.length, 2);
  });

  for (const [name, start] of Object.entries({ "Invoke Skill": invoke, "A suite": runSuite })) {
    it(`${name} sends nothing against the team's reviews`, async () => {
      const policy = folder.uri(".skill-registry/policy.json");
      await editor.parts.files.write(policy, Buffer.from(writeTeamFile(firstPolicy())));
      const { over } = await start();
      await editor.press(/is not reviewed in this workspace\. Invoke it unreviewed\?/, "Cancel");
      await over;
      await editor.parts.files.remove(policy);
      assert.equal(arrived.length, 0);
    });

    it(`${name} sends nothing beyond the daily limit`, async () => {
      editor.set("skillRegistry.cost.dailyCeilingCents", 1);
      const { over } = await start();
      await editor.press("Exceed your daily spending limit?", "Cancel");
      await over;
      assert.equal(arrived.length, 0);
    });
  }

  const notices = {
    "the same payload that is being sent": /is already being invoked with this payload/,
    "the rate limit": /the rate limit is reached/,
  };
  for (const [what, hold] of Object.entries(holds)) {
    it(`Invoke Skill reports that it waits for ${what}`, async () => {
      let release: () => unknown = () => undefined;
      const { over } = await invoke(async () => {
        // Longer than a busy machine takes to reach this step.
        ({ release } = await hold(50_000));
      });
      await over;
      await editor.notification(notices[what as keyof typeof notices]);
      await release();
      assert.equal(arrived.length, 0);
    });

    it(`A suite waits for ${what}`, async () => {
      let until = Number.POSITIVE_INFINITY;
      const { over } = await runSuite(async () => {
        ({ until } = await hold(700));
      });
      await over;
      assert.equal(arrived.length, 1);
      assert.ok((arrived[0] ?? 0) >= until, `${arrived[0]} is before ${until}`);
    });
  }
});
