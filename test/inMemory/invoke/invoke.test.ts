import { strict as assert } from "node:assert";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

describe("An invocation to a registry elsewhere", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  let registry: ForeignRegistry;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel", prices: true });
    await editor.connectTo(registry);
  });
  afterEach(() => registry.restore());
  after(() => registry.close());

  const sent = (to = registry) =>
    to.requests.filter(({ path }) => path === "/v1/runtime/invoke").length;
  const manifest = () => foreignSkills[0]?.manifest as JsonObject;
  const payload = (text: string) => editor.newPayload("word-tally", JSON.stringify({ text }));

  /** Invokes and answers the question for consent, which must contain all `lines`. Resolves to the running command. */
  async function invokeAnd(button: "Invoke" | "Cancel", question: string, ...lines: string[]) {
    const invoked = editor.run("invoke");
    const dialog = await editor.dialog(question);
    for (const line of lines) assert.ok(dialog.text.includes(line), `${line} in\n${dialog.text}`);
    dialog.press(button);
    return { invoked };
  }

  it("An invocation needs consent, and is asked about again at once", async () => {
    await payload("one");
    for (let times = 0; times < 2; times += 1) {
      const { invoked } = await invokeAnd(
        "Cancel",
        "Invoke word-tally@2.1.0?",
        "Permissions: compute only",
        "Price: €0.03 per invocation",
        `Sent to: ${registry.baseUrl}`,
      );
      await invoked;
    }
    assert.equal(sent(), 0);
  });

  describe("after consent", () => {
    before(async () => {
      await payload("one two");
      const { invoked } = await invokeAnd("Invoke", "Invoke word-tally@2.1.0?");
      await editor.answer(registry.projectKey);
      await invoked;
      assert.match(editor.output, /"words": 2/);
      await editor.tidy();
    });

    /** Runs `work`, and checks that the registry gets no invocation. */
    async function sendsNothing(work: () => Promise<unknown>): Promise<void> {
      const already = sent();
      await work();
      assert.equal(sent(), already);
    }

    it("A double click makes one invocation", async () => {
      await payload("one two three");
      const cost = { billable: true, amountCents: 3, currency: "EUR" };
      const about = { invocationId: "once-1", status: "success", version: "2.1.0" };
      registry.answer("/v1/runtime/invoke", { body: { ...about, ...cost, output: { words: 3 } } });
      const already = sent();
      await Promise.all([editor.run("invoke"), editor.run("invoke")]);
      assert.match(editor.output, /"words": 3/);
      assert.equal(sent(), already + 1);
    });

    it("The status bar adds up the costs that the registry billed", async () => {
      await editor.status("€0.06 for 2 invocations");
      const item = editor.parts.statusBar.item("skillRegistry.spending");
      assert.equal(
        item?.accessibilityInformation?.label,
        `Cost of today's invocations: ${registry.baseUrl}: €0.06 for 2 invocations`,
      );
    });

    it("It is asked about again when the skill may do more", async () => {
      const before = manifest()["permissions"] ?? null;
      manifest()["permissions"] = { network: true, filesystem: "write", secrets: [] };
      try {
        await payload("one two three four");
        await sendsNothing(async () => {
          const changed = "has changed since you agreed to it";
          await (
            await invokeAnd(
              "Cancel",
              changed,
              "Writes files on the machine it runs on (was: Does not touch files)",
            )
          ).invoked;
        });
      } finally {
        manifest()["permissions"] = before;
      }
    });

    it("It is asked about again when the price differs", async () => {
      await payload("one two three four");
      const dear = { billingModel: "per_call", unitAmountCents: 900, currency: "EUR" };
      registry.answer("/v1/skills/word-tally/prices", { body: { prices: [dear] } });
      await sendsNothing(async () => {
        const line = "Price: €9.00 per invocation (was: €0.03 per invocation)";
        await (await invokeAnd("Cancel", "has changed since you agreed to it", line)).invoked;
      });
    });

    it("It is blocked by a changed schema, and is sent once the change has been reverted", async () => {
      const inputSchema = manifest()["inputSchema"] ?? null;
      await payload("one two three four");
      manifest()["inputSchema"] = { type: "object", required: ["text", "language"] };
      try {
        await sendsNothing(() => editor.run("invoke"));
        await editor.notification(/its input schema has changed/);
        await editor.status(/: 1 problem/);
      } finally {
        manifest()["inputSchema"] = inputSchema;
      }
      await editor.run("invoke");
      assert.match(editor.output, /"words": 4/);
    });

    it("It is asked about again over the daily limit", async () => {
      await payload("one two three four five");
      editor.set("skillRegistry.cost.dailyCeilingCents", 8);
      await sendsNothing(async () => {
        const question = "Exceed your daily spending limit";
        const line = "exceeds your limit of €0.08 a day";
        await (await invokeAnd("Cancel", question, line)).invoked;
      });
      editor.set("skillRegistry.cost.dailyCeilingCents", undefined);
    });

    it("It continues when unrelated settings change meanwhile", async () => {
      await payload("one two three four five six");
      const invoked = editor.run("invoke");
      editor.set("skillRegistry.history.maxEntries", 999);
      await invoked;
      assert.match(editor.output, /"words": 6/);
    });

    it("Commands with hostile arguments from another extension reveal nothing", async () => {
      const hostile = { id: "../../../../etc/passwd", slug: "../x", toString: () => "x" };
      for (const name of ["checkProjectKey", "copyReport", "refresh"]) {
        const ran = editor.run(name, hostile);
        const said = await Promise.race([ran.then(() => "nothing"), editor.notification(/./)]);
        if (typeof said !== "string") said.close();
        assert.equal(await ran, undefined);
      }
      for (const name of ["openInvocation", "openOutput", "pinInvocation", "copyInvocationId"]) {
        const ran = editor.run(name, { id: "00000000000000-../../x" });
        await editor.leave();
        assert.equal(await ran, undefined);
      }
    });

    it("Other extensions' fetch is not changed", async () => {
      const slots = ["1", "2"].map((name) => Symbol.for(`undici.globalDispatcher.${name}`));
      const slot = (symbol: symbol) => (globalThis as Record<symbol, unknown>)[symbol];
      const server = await startTestRegistry({ "**": ({ body }) => ({ body }) });
      try {
        const before = slots.map(slot);
        await payload("leaves fetch alone");
        await editor.run("invoke");
        assert.deepEqual(slots.map(slot), before);
        const reply = await fetch(server.baseUrl, { method: "POST", body: "hello" });
        assert.equal(await reply.text(), "hello");
      } finally {
        await server.close();
      }
    });

    describe("after another registry is chosen", () => {
      let other: ForeignRegistry;
      beforeEach(async () => {
        other = await startForeignRegistry({ dialect: "camel" });
        await editor.connectTo(other);
      });
      afterEach(async () => {
        await editor.connectTo(registry);
        await other.close();
      });

      it("The key is sent nowhere else", async () => {
        await payload("one");
        const { invoked } = await invokeAnd("Invoke", "Invoke word-tally@2.1.0?");
        await editor.leave(`Project Key for ${other.baseUrl}`);
        await invoked;
        const checked = editor.run("checkProjectKey");
        const notice = await editor.notification(`no Project Key for ${other.baseUrl}`);
        assert.ok(notice.text.includes(`stored for ${registry.baseUrl}`), notice.text);
        notice.close();
        await checked;
        assert.ok(!JSON.stringify(other.requests).includes(registry.projectKey));
        assert.equal(sent(other), 0);
      });

      it("An invocation is not sent if the registry changes during its question", async () => {
        await payload("one or other");
        const already = sent();
        const invoked = editor.run("invoke");
        const dialog = await editor.dialog("Invoke word-tally@2.1.0?");
        await editor.connectTo(registry);
        dialog.press("Invoke");
        await editor.input(`Project Key for ${other.baseUrl}`);
        await editor.answer("sk_proj_of_the_other");
        await invoked;
        await editor.notification(/was not invoked: another registry or environment was chosen/);
        assert.deepEqual([sent(), sent(other)], [already, 0]);
      });
    });

    it("The question states that the price is unknown if the registry does not return it", async () => {
      await payload("one two three four");
      registry.answer("/v1/skills/word-tally/prices", { status: 500, body: {} });
      await sendsNothing(async () => {
        await (await invokeAnd("Cancel", "Invoke word-tally@2.1.0?", "Price: unknown")).invoked;
      });
    });

    it("It is not sent if the registry does not return the current price and permissions", async () => {
      await payload("one two three four");
      registry.answer("/v1/skills/word-tally", { status: 503, body: {} });
      await sendsNothing(() => editor.run("invoke"));
      await editor.notification(/current price and permissions could not be read/);
    });

    // This test is last: after such a rejection, the next invocation of the skill waits for a new reading.
    it("The skill is read again if a rejection contradicts the last known facts", async () => {
      const row = foreignSkills[0]?.row as JsonObject;
      const before = row["verificationStatus"] ?? null;
      await payload("suspended meanwhile");
      registry.answer("/v1/runtime/invoke", () => {
        row["verificationStatus"] = "suspended";
        return { status: 403, body: { error: "Not allowed.", code: "skill_not_allowed" } };
      });
      try {
        await editor.run("invoke");
        await editor.press(/has rejected or suspended it/, "Open Skill");
        await (await editor.page()).shows("Suspended");
      } finally {
        row["verificationStatus"] = before;
      }
    });
  });
});
