import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, it } from "mocha";
import {
  withAgreementAbout,
  withoutAgreementsAbout,
} from "../../../src/core/agents/agentAgreements";
import { agentToolNames } from "../../../src/core/agents/agentTools";
import { typedTools } from "../../../src/core/agents/typedTools";
import type { InvocationOutcome } from "../../../src/core/invocation/invocation";
import { utcDay } from "../../../src/core/text/dates";
import { sha256 } from "../../../src/engine/sha256";
import { maxOpenQuestions, serveMcp } from "../../../src/mcp/serveMcp";
import { agreedNow } from "../../fixtures/agentFacts";
import { type SessionOptions, testSession } from "../../fixtures/agentSession";
import { wantedCall } from "../../fixtures/closedGates";
import { fullSkill } from "../../fixtures/skillDetail";
import { ranOnce, wantedOnce } from "../../fixtures/testEngine";

type Json = Record<string, unknown>;
type Answer = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
};

const wanted = wantedCall;
const { contractHash } = wanted;
const eras: Readonly<Record<string, Partial<ClientOptions>>> = {
  "of 2025": {},
  "of 2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
};

for (const [era, options] of Object.entries(eras)) {
  describe(`The server for a client ${era}`, () => {
    let folder: string;
    const ends: (() => unknown)[] = [];
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "skill-registry-mcp-"));
    });
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
      await rm(folder, { recursive: true, force: true });
    });

    /** Connects the official client; with `answer` it can ask a person, who gives that answer. */
    async function connect(session: SessionOptions = {}, answer?: Answer) {
      const one = await testSession(folder, session);
      const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
      const logged: string[] = [];
      const opened: string[] = [];
      const server = serveMcp({
        open: async () => {
          opened.push("opened");
          return { session: one.session, registry: wantedOnce.registry };
        },
        list: async () => {
          const at = "https://registry.example";
          return typedTools(await one.settings.get(), at, utcDay(Date.now()), sha256);
        },
        onDidChange: one.settings.onDidChange,
        version: "1.0.0",
        log: (text) => logged.push(text),
        transport: serverSide,
      });
      const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
      const client = new Client({ name: "probe", version: "2.0" }, { capabilities, ...options });
      const questions: string[] = [];
      if (answer !== undefined) {
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          questions.push(params.message);
          return answer as never;
        });
      }
      await client.connect(clientSide);
      ends.push(
        () => one.dispose(),
        () => server.close(),
        () => client.close(),
      );
      const call = async (name: string, args: Readonly<Json> = wanted): Promise<Json> => {
        const result = await client.callTool({ name, arguments: args });
        const [part] = result.content as { readonly text: string }[];
        return { isError: result.isError === true, ...(JSON.parse(part?.text ?? "") as Json) };
      };
      return { ...one, client, call, questions, serverLog: logged, opened };
    }

    it("lists the five tools, and one per allowed skill, by the user's file alone", async () => {
      const { client, settings, opened } = await connect();
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      assert.deepEqual(await names(), [...agentToolNames, "skill_csv-profile"]);
      await settings.change((all) => withoutAgreementsAbout(all, "csv-profile"));
      assert.deepEqual(await names(), agentToolNames);
      assert.deepEqual(opened, []);
    });

    it("finds, inspects, checks and invokes, and records the client", async () => {
      const { call, sent, history } = await connect();
      assert.match(JSON.stringify(await call("find_skill", {})), /csv-profile/);
      const inspected = await call("inspect_skill", { skill: "csv-profile" });
      assert.equal(inspected["contractHash"], contractHash);
      const { input } = wanted;
      assert.equal((await call("check_payload", { skill: "csv-profile", input }))["valid"], true);
      const ran = await call("invoke_skill");
      assert.deepEqual([ran["status"], ran["isError"]], ["success", false]);
      assert.equal(sent.length, 1);
      const [record] = await history.list();
      const { kind, name, version } = record?.caller ?? {};
      assert.deepEqual([kind, name, version], ["mcp", "probe", "2.0"]);
    });

    it("records the protocol, and the span that a call belongs to", async () => {
      const { client, history } = await connect();
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
      await client.callTool({ name: "invoke_skill", arguments: wanted, _meta: { traceparent } });
      const [record] = await history.list();
      assert.equal(record?.caller?.traceparent, traceparent);
      assert.match(record?.caller?.protocol ?? "", /^202\d-\d\d-\d\d$/);
    });

    it("invokes by the tool of a skill, with the agreed contract", async () => {
      const { call, sent, become } = await connect();
      assert.equal((await call("skill_csv-profile", { csv: "b" }))["status"], "success");
      assert.deepEqual(sent, [`{"csv":"b"}`]);
      become({ ...fullSkill, runtime: { type: "http", entry: "https://elsewhere.example/" } });
      assert.equal((await call("skill_csv-profile", { csv: "c" }))["code"], "contractChanged");
    });

    it("never consents by itself: nothing is sent if the client cannot ask a person", async () => {
      const { call, sent } = await connect({ agreement: { mode: "ask" } });
      const refused = await call("invoke_skill");
      assert.deepEqual([refused["code"], refused["isError"]], ["noPerson", true]);
      assert.deepEqual(sent, []);
    });

    const answers: readonly (readonly [string, Answer, string])[] = [
      ["allow", { action: "accept", content: { decision: "allow" } }, "success"],
      ["deny", { action: "accept", content: { decision: "deny" } }, "declined"],
      ["nothing, and accepts", { action: "accept", content: {} }, "declined"],
      ["another word", { action: "accept", content: { decision: "yes" } }, "declined"],
      ["no", { action: "decline" }, "declined"],
      ["cancel", { action: "cancel" }, "declined"],
    ];
    for (const [name, answer, expected] of answers) {
      it(`sends only what a person allowed: the answer is ${name}`, async () => {
        const { call, sent, questions } = await connect({ agreement: { mode: "ask" } }, answer);
        const result = await call("invoke_skill", { ...wanted, reason: "To know it." });
        assert.equal(result["code"] ?? result["status"], expected);
        assert.equal(sent.length, expected === "success" ? 1 : 0);
        assert.equal(questions.length, 1);
        assert.match(
          questions[0] ?? "",
          /wants to invoke csv-profile[\s\S]*To know it\.[\s\S]*\{\n *"csv": "a"\n *\}/,
        );
      });
    }

    if (era !== "of 2025") {
      type Params = { arguments?: Json; requestState?: unknown; inputResponses?: unknown };
      const allow: Answer = { action: "accept", content: { decision: "allow" } };

      /** Connects a client that asks a person, and changes the call that returns with the answer. */
      async function connectTampering(tamper: (params: Params) => void, session: SessionOptions) {
        const one = await connect({ agreement: { mode: "ask" }, ...session }, allow);
        const { transport } = one.client;
        assert.ok(transport);
        const send = transport.send.bind(transport);
        transport.send = (message) => {
          const changed = JSON.parse(JSON.stringify(message));
          if (changed.method === "tools/call") tamper(changed.params);
          return send(changed);
        };
        return one;
      }

      it("accepts a person's yes only for the shown payload", async () => {
        const one = await connectTampering((params) => {
          if (params.requestState === undefined) return;
          params.arguments = { ...params.arguments, input: { csv: "another" } };
        }, {});
        assert.equal((await one.call("invoke_skill"))["code"], "declined");
        assert.deepEqual([one.questions.length, one.sent.length], [1, 0]);
      });

      it("accepts a person's yes once", async () => {
        let yes: Pick<Params, "requestState" | "inputResponses"> | undefined;
        const failure = { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" } as const;
        const one = await connectTampering(
          (params) => {
            if (params.requestState === undefined) Object.assign(params, yes);
            yes = { requestState: params.requestState, inputResponses: params.inputResponses };
          },
          { answer: async () => ({ kind: "notSent", failure }) },
        );
        await one.call("invoke_skill");
        assert.deepEqual([one.questions.length, one.sent.length], [1, 1]);
        assert.equal((await one.call("invoke_skill"))["code"], "declined");
        assert.deepEqual([one.questions.length, one.sent.length], [1, 1]);
      });

      it("forgets the oldest of too many open questions, so that a late yes to it counts as a no", async () => {
        const one = await connectTampering(() => undefined, {});
        const yes: (() => void)[] = [];
        const calls: Promise<Json>[] = [];
        for (let count = 0; count <= maxOpenQuestions; count += 1) {
          await new Promise<void>((isAsked) => {
            one.client.setRequestHandler("elicitation/create", async () => {
              isAsked();
              await new Promise<void>((resolve) => yes.push(resolve));
              return allow as never;
            });
            const call = one.call("invoke_skill", { ...wanted, input: { csv: `${count}` } });
            // Unanswered calls end with the client.
            call.catch(() => undefined);
            calls.push(call);
          });
        }
        yes[0]?.();
        yes[1]?.();
        assert.equal((await calls[0])?.["code"], "declined");
        assert.equal((await calls[1])?.["status"], "success");
        assert.deepEqual(one.sent, [`{"csv":"1"}`]);
      });
    }

    it("records the end of a sent call after the client has gone, and returns it to the next one", async () => {
      let end: (outcome: InvocationOutcome) => void = () => undefined;
      let started = (): void => undefined;
      const hasStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const answer = () =>
        new Promise<InvocationOutcome>((resolve) => {
          end = resolve;
          started();
        });
      const one = await connect({ answer });
      const calling = one.call("invoke_skill").catch(() => undefined);
      await hasStarted;
      await one.client.close();
      end(ranOnce);
      await one.session.finish();
      await calling;
      const other = await connect();
      assert.equal((await other.call("invoke_skill"))["status"], "replayed");
      assert.deepEqual([one.sent.length, other.sent.length], [1, 0]);
    });

    it("answers an unknown tool as the protocol requires, without logging input", async () => {
      const { client, serverLog } = await connect();
      const args = { canary: "canary-4711" };
      await assert.rejects(
        client.callTool({ name: "no_such", arguments: args }),
        /-32602|no such tool/i,
      );
      assert.doesNotMatch(JSON.stringify(serverLog), /canary/);
    });

    if (era !== "of 2025") {
      it("rejects a request of another version than the connection's, without any effect", async () => {
        const { client, opened } = await connect();
        await client.listTools();
        const { transport } = client;
        assert.ok(transport);
        const send = transport.send.bind(transport);
        transport.send = (message) =>
          send(JSON.parse(JSON.stringify(message).replace(/"2026-07-28"/, '"2999-01-01"')));
        const refusal = { data: { supported: ["2026-07-28"], requested: "2999-01-01" } };
        await assert.rejects(client.callTool({ name: "invoke_skill", arguments: wanted }), refusal);
        await assert.rejects(client.listTools(undefined, { cacheMode: "refresh" }), refusal);
        assert.deepEqual(opened, []);
      });
    }

    it("reports that the list of tools changed", async () => {
      const { client, settings } = await connect();
      if (era === "of 2025") {
        const changed = new Promise<void>((resolve) => {
          client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
        });
        await settings.change((all) =>
          withAgreementAbout(all, agreedNow(undefined, { mode: "ask" })),
        );
        await changed;
      }
    });
  });
}
