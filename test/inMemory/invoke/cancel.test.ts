import { strict as assert } from "node:assert";
import { after, before, beforeEach, describe, it } from "mocha";
import { holdStore } from "../../fixtures/holdStore";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import type { Answer } from "../../fixtures/registries/testRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

const slowDown = { status: 429, headers: { "retry-after": "45" }, body: { error: "Slow down." } };

describe("A canceled invocation", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "never" } });
  let registry: ForeignRegistry;
  /** Requests for which this returns true wait; `held` resolves to the function that answers the first of them. */
  let holds: (request: RecordedRequest) => boolean = () => false;
  let take: (respond: (answer: Answer) => void) => void;
  let held: Promise<(answer: Answer) => void>;
  let inputs = 0;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    registry.answer("**", (asked) =>
      holds(asked) ? new Promise<Answer>((respond) => take(respond)) : asked.passOn(),
    );
    await editor.connectTo(registry);
    await writeAnother();
    const invoked = editor.run("invoke");
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
    await editor.tidy();
  });
  beforeEach(async () => {
    holds = () => false;
    held = new Promise((resolve) => {
      take = resolve;
    });
    await writeAnother();
  });
  after(() => registry.close());

  const isPost = ({ path }: RecordedRequest) => path === "/v1/runtime/invoke";
  const posts = () => registry.requests.filter(isPost).length;

  /** Writes a payload that was not invoked before. */
  async function writeAnother(): Promise<void> {
    inputs += 1;
    await editor.newPayload("word-tally", JSON.stringify({ text: `call ${inputs}` }));
  }

  /** Cancels the progress notification with `text`, and waits for the invocation's end. */
  async function cancel(text: RegExp, invoked: Promise<unknown>): Promise<void> {
    (await editor.progress(text)).cancel();
    await invoked;
    const isShown = () => editor.parts.progresses.some((progress) => text.test(progress.text));
    await editor.until("the end of the progress", () => !isShown());
  }

  /** Runs `work`, and checks that it adds neither a request nor a record. */
  async function withoutTrace(work: () => Promise<unknown>): Promise<void> {
    const before = [posts(), (await recordsOf(editor)).length];
    await work();
    assert.deepEqual([posts(), (await recordsOf(editor)).length], before);
  }

  it("is not sent during the question for consent or for the key", async () => {
    const other = await startForeignRegistry({ dialect: "camel" });
    try {
      await editor.connectTo(other);
      const before = (await recordsOf(editor)).length;
      const asked = editor.run("invoke");
      await editor.press("Invoke word-tally@2.1.0?", "Cancel");
      await asked;
      const again = editor.run("invoke");
      await editor.press("Invoke word-tally@2.1.0?", "Invoke");
      await editor.leave("Project Key for");
      await again;
      assert.ok(!other.requests.some(isPost));
      assert.equal((await recordsOf(editor)).length, before);
    } finally {
      await editor.connectTo(registry);
      await other.close();
    }
  });

  it("is not sent while its skill is read", async () => {
    holds = ({ path }) => path.startsWith("/v1/skills/word-tally");
    const refreshing = editor.run("refresh");
    await withoutTrace(() => cancel(/Checking the payload/, editor.run("invoke")));
    holds = () => false;
    (await held)("lost");
    await refreshing;
  });

  it("is not sent while another program uses the store, and can be sent at once", async () => {
    const releaseStore = await holdStore(editor.parts.machine.storage);
    await withoutTrace(() => cancel(/Preparing word-tally/, editor.run("invoke")));
    await releaseStore();
    const before = posts();
    await writeAnother();
    await editor.run("invoke");
    assert.equal(posts(), before + 1);
  });

  it("has an unknown outcome while the registry works, and was sent once", async () => {
    holds = isPost;
    const before = posts();
    const invoked = editor.run("invoke");
    await held;
    const view = await editor.view("invocations");
    const running = () => view.row(/^word-tally@2\.1\.0.*running/)?.item.contextValue;
    await editor.until("the running row", () => / cancelable/.test(running() ?? ""));
    const menu = (await editor.rowMenu("invocations", /running/)).map(([title]) => title);
    assert.match(menu.join(), /\bCancel Invocation\b/);
    const lenses = (await editor.lenses()).map(({ command }) => command?.title);
    assert.match(lenses.join(), /■ Cancel/);
    assert.deepEqual(
      editor.titleActions.filter((title) => /^(Invoke|Cancel)/.test(title)),
      ["Cancel Invocation"],
    );
    await editor.run("invoke");
    await editor.notification(/word-tally@2\.1\.0 has been running since/);
    await editor.pressLens("■ Cancel");
    await invoked;
    const unknown = await editor.notification(/word-tally may have run/);
    assert.ok(unknown.buttons.includes("Run Again Anyway"));
    assert.match(editor.output, /outcome unknown[\s\S]*Invocation ID: \(none\)/);
    assert.equal(posts(), before + 1);
  });

  it("has an unknown outcome while its response arrives, with the ID that arrived", async () => {
    holds = isPost;
    const invoked = editor.run("invoke");
    const respond = await held;
    await new Promise<void>((sent) => {
      const half = async function* () {
        yield '{"invocationId":"inv-half","status":"success","output":{"rows":[1,2,';
        sent();
        await new Promise(() => undefined);
      };
      respond({ body: half() });
    });
    await cancel(/Invoking word-tally/, invoked);
    assert.match(editor.output, /outcome unknown[\s\S]*Invocation ID: inv-half/);
  });

  it("keeps its success if it is canceled while that is being recorded", async () => {
    holds = isPost;
    const invoked = editor.run("invoke");
    const respond = await held;
    const progress = await editor.progress(/Invoking word-tally/);
    const release = await holdStore(editor.parts.machine.storage);
    respond({ body: { invocationId: "inv-end", status: "success", output: 1 } });
    await editor.until("the answer", () => /POST .*invoke: 200/.test(editor.log));
    progress.cancel();
    await release();
    await invoked;
    assert.match(editor.output, /success[\s\S]*Invocation ID: inv-end/);
    await editor.run("filterInvocations", { text: "inv-end" });
    await editor.row("invocations", /^word-tally@2\.1\.0 success/);
    await editor.run("clearInvocationFilter");
  });

  it("is not sent while it waits for the registry's rate limit", async () => {
    holds = isPost;
    const invoked = editor.run("invoke");
    (await held)(slowDown);
    await invoked;
    await withoutTrace(async () => {
      await editor.press(/word-tally was not run/, "Wait and Send");
      (
        await editor.progress(/Waiting for the rate limit to send word-tally…: \d+ seconds?/)
      ).cancel();
    });
    await writeAnother();
    await withoutTrace(async () => {
      await editor.run("invoke");
      await editor.press(/word-tally was not invoked yet/, "Discard");
    });
  });

  it("is sent after the wait for the registry's rate limit", async () => {
    await editor.clock.advance(60_000);
    holds = isPost;
    const invoked = editor.run("invoke");
    (await held)(slowDown);
    await invoked;
    holds = () => false;
    const before = posts();
    await editor.press(/word-tally was not run/, "Wait and Send");
    await editor.progress(/Waiting for the rate limit/);
    await editor.clock.advance(50_000);
    await editor.until("the success", () => /success/.test(editor.output));
    assert.equal(posts(), before + 1);
  });
});
