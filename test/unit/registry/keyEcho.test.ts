import assert from "node:assert/strict";
import { inspect } from "node:util";
import { afterEach, describe, it } from "mocha";
import { KeyRedactor } from "../../../src/core/registry/redactSecrets";
import type { Result } from "../../../src/core/registry/registryFailure";
import type { SkillListPage } from "../../../src/core/skillList/skillQuery";
import type { RegistryClient } from "../../../src/registry/registryClient";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import { clientFor, never } from "../../fixtures/registries/clientFor";
import {
  type Route,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";

const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const success = { body: { status: "success", output: 1 } };
/** The key as it is, and in another form; `core/registry/redactSecrets` has all of them. */
const forms = [key, Buffer.from(`Bearer ${key}`).toString("base64")];

describe("a key that a registry returns", () => {
  let server: TestRegistry | undefined;
  let client: RegistryClient | undefined;

  async function open(route: Route) {
    server = await startTestRegistry({ "/v1/runtime/invoke": success, "**": route });
    client = clientFor(server.baseUrl);
    return { server, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  for (const form of forms) {
    const everywhere = {
      invocationId: form,
      mode: form,
      projectSlug: form,
      version: form,
      currency: form,
      message: form,
      code: form.slice(0, 90),
      policy: { permissionLevel: form, subscription: form },
      errors: [{ pointer: `/${form}`, message: form }],
    };
    const bodies: readonly (readonly [string, number, object | string])[] = [
      ["an output", 200, { ...everywhere, status: "success", output: { deep: [form] } }],
      ["a failed run", 502, { ...everywhere, status: "error", error: form, output: form }],
      ["a refusal", 403, { ...everywhere, error: form }],
      ["a problem", 422, { title: form, detail: form, errors: [{ path: [form], detail: form }] }],
      ["an error from in between", 504, { ...everywhere, error: form }],
      ["an answer cut short", 200, `{"invocationId":"${form}","output":[`],
    ];
    for (const [name, status, body] of bodies) {
      it(`is removed from ${name}: ${form.slice(0, 12)}…`, async () => {
        const location = `https://a.example/${form}`;
        const headers = { "retry-after": form, "www-authenticate": form, location };
        const { client, server } = await open("never");
        server.answer("/v1/runtime/invoke", { status, headers, body });
        const outcome = await client.invoke(call, key, never);
        assertAbsent(outcome);
      });
    }

    it(`is removed from a truncated response: ${form.slice(0, 12)}…`, async () => {
      const { client, server } = await open("never");
      const headers = { "content-length": "9999" };
      const body = `{"invocationId":"${form}","x`;
      server.answer("/v1/runtime/invoke", { headers, body: body.repeat(2), isCut: true });
      const outcome = await client.invoke(call, key, never);
      assert.ok(outcome.kind === "outcomeUnknown" && outcome.invocationId);
      assertAbsent(outcome);
    });

    it(`is removed from the registry's later responses: ${form.slice(0, 12)}…`, async () => {
      const row = { slug: "abc", displayName: form, description: form, tags: [form] };
      const { server, client } = await open({
        headers: { etag: `"${form.replaceAll(" ", "")}"` },
        body: {
          skills: [row, { slug: key }],
          nextCursor: form,
          inputSchema: { description: form },
          prices: [{ billingModel: form }],
          feedback: [{ text: form }],
          publishers: [{ name: form, skills: [{ slug: "abc" }] }],
        },
      });
      await client.invoke(call, key, never);
      const everything = { text: "", filters: {} };
      const page = await client.search(everything, undefined, never);
      assert.ok(page.ok);
      assertAbsent(page);
      assertAbsent(await client.skill("abc", undefined, never));
      // Nor does it return to the registry in a cursor or a tag.
      await client.search(everything, page.value.nextCursor, never);
      await client.search(everything, undefined, never);
      const carriers = sentTo(server).filter((request) => forms.some((f) => request.includes(f)));
      assert.equal(carriers.length, 1);
    });
  }

  for (const form of forms) {
    it(`is not restored by a tag from before the key was known here: ${form.slice(0, 12)}…`, async () => {
      const { server } = await open({
        headers: { etag: `"${form}"` },
        body: { skills: [{ slug: "abc" }] },
      });
      const redactor = new KeyRedactor();
      client = clientFor(server.baseUrl, { redactor });
      const everything = { text: "", filters: {} };
      await client.search(everything, undefined, never);
      redactor.learn(key);
      await client.search(everything, undefined, never);
      assert.equal(server.requests.length > 1, true);
      assert.ok(!sentTo(server).some((request) => request.includes(form)));
    });
  }

  describe("in a window that has sent nothing yet", () => {
    const everything = { text: "", filters: {} };
    const echo = ({ method }: RecordedRequest) => ({
      headers: { etag: `"${key}"` },
      body: {
        skills: [{ slug: "abc", displayName: `${method} ${key}`, description: forms[1] }],
        nextCursor: `next-${key}`,
      },
    });

    it("is not shown, and is sent back neither as a tag nor as a cursor", async () => {
      const { server } = await open(echo);
      const redactor = new KeyRedactor();
      // The storage responds after the registry.
      const keysKnown = new Promise<void>((resolve) =>
        setTimeout(() => {
          redactor.learn(key);
          resolve();
        }, 50),
      );
      client = clientFor(server.baseUrl, { redactor, keysKnown });
      for (let round = 0; round < 2; round += 1) {
        const page: Result<SkillListPage> = await client.search(everything, undefined, never);
        assert.ok(page.ok);
        assertAbsent(page);
        assert.equal(page.value.nextCursor, undefined);
      }
      assert.ok(!sentTo(server).some((request) => request.includes(key)));
    });

    it("is sent in no search text or slug", async () => {
      const { server } = await open(echo);
      client = clientFor(server.baseUrl, { redactor: new KeyRedactor(key) });
      const containsKey = { ok: false, failure: { kind: "containsKey" } };
      const text = { text: `find ${key}`, filters: {} };
      assert.deepEqual(await client.search(text, undefined, never), containsKey);
      assert.deepEqual(await client.skill(key.replaceAll("_", "-"), key, never), containsKey);
      assert.ok(!sentTo(server).some((request) => request.includes(key)));
    });
  });

  it("is removed from error responses of public routes", async () => {
    const { client } = await open({ status: 400, body: { error: { code: key, message: key } } });
    await client.invoke(call, key, never);
    assertAbsent(await client.search({ text: "", filters: {} }, undefined, never));
    assertAbsent(await client.skill("abc", undefined, never));
  });
});

/** Returns each complete request as one text. */
function sentTo(server: TestRegistry): readonly string[] {
  return server.requests.map((request) => JSON.stringify(request));
}

function assertAbsent(value: unknown): void {
  const shown = inspect(value, { depth: 12, showHidden: true, maxStringLength: null });
  for (const form of forms) assert.ok(!shown.includes(form), shown);
}
