import assert from "node:assert/strict";
import { mock } from "node:test";
import { afterEach, describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { english } from "../../../../src/core/text/language";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import type { Connection } from "../../../../src/host/connect/registryConnection";
import { type PinnedVersions, SkillDetails } from "../../../../src/host/inspect/skillDetails";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import type { SkillPin } from "../../../../src/registry/routes/readSkill";
import { readPinnedSkill } from "../../../../src/registry/workspace/readProject";
import { mockTimeouts } from "../../../fixtures/mockTimeouts";
import { clientFor } from "../../../fixtures/registries/clientFor";
import { plainManifest } from "../../../fixtures/registries/manifestRegistry";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../../fixtures/registries/testRegistry";

const slug = "abc";
const price = { billingModel: "per_call", unitAmountCents: 3, currency: "EUR" };

describe("the details of skills", () => {
  let server: TestRegistry;
  let client: RegistryClient;
  let details: SkillDetails;

  /** Starts a registry whose responses come from `state` at each request; `slow` ones wait until they are released. */
  async function open(
    answers: { manifest: JsonObject; prices: JsonValue; installs?: number },
    project: PinnedVersions = {
      pinOf: async () => undefined,
      onDidChange: new ChangeEvent<void>().event,
    },
  ) {
    const held: (() => void)[] = [];
    const state = {
      slow: "",
      failing: "",
      isHidden: false,
      changed: [] as string[],
      /** Called when a response waits to be released. */
      noteHeld: () => {},
      /** Called when a request has ended for the client, with its log line. */
      noteEnd: (_: string) => {},
    };
    server = await startTestRegistry({
      "**": async ({ path, headers }) => {
        const { pathname } = new URL(path, "http://registry");
        const part = pathname.split("/")[4] ?? pathname.split("/")[3];
        const body = state.isHidden ? undefined : bodyOf(pathname, answers);
        if (part === state.failing) return { status: 500, body: { error: "Down." } };
        if (part === state.slow) {
          await new Promise<void>((resolve) => {
            held.push(resolve);
            state.noteHeld();
          });
        }
        return answerWith(body, headers["if-none-match"]);
      },
    });
    client = clientFor(server.baseUrl, { log: (line) => state.noteEnd(line) });
    const registry = { client, baseUrl: server.baseUrl };
    const connection = {
      current: async () => ({ ok: true, registry }) as unknown as Connection,
      onDidChange: () => ({ dispose: () => undefined }),
    };
    details = new SkillDetails(connection, english, () => {}, project);
    details.onDidChange((name) => state.changed.push(name));
    return {
      state,
      release: (count = held.length) => held.splice(0, count).map((answer) => answer()),
    };
  }

  afterEach(async () => {
    mock.timers.reset();
    details.dispose();
    client.close();
    await server.close();
  });

  const asked = (path: string) => server.requests.filter((request) => request.path === path);
  const find = async () => {
    const found = await details.find(slug);
    assert.ok(found.ok);
    return found.value;
  };
  const refresh = async () => {
    const read = await details.refresh(slug);
    assert.ok(read.ok);
    return read.value;
  };

  it("are cached, and read again on request with the tag of the response", async () => {
    const answers = { manifest: plainManifest(slug), prices: [] };
    const { state } = await open(answers);
    const first = await find();
    await find();
    assert.equal(asked(`/v1/skills/${slug}`).length, 1);
    assert.equal(await refresh(), first);
    const [, again] = asked(`/v1/skills/${slug}`);
    assert.match(again?.headers["if-none-match"] ?? "", /^"/);
    assert.equal(asked(`/v1/skills/${slug}/feedback?limit=12`).length, 1);
    assert.deepEqual(state.changed, []);
  });

  it("report a different response for the same version", async () => {
    const answers = { manifest: plainManifest(slug), prices: [] as JsonValue };
    const { state } = await open(answers);
    await find();
    answers.prices = [price];
    assert.deepEqual((await refresh()).prices, [price]);
    assert.deepEqual((await find()).prices, [price]);
    assert.deepEqual(state.changed, [slug]);
    answers.manifest = plainManifest(slug, { permissions: { network: true, filesystem: "write" } });
    assert.equal((await refresh()).permissions?.filesystem, "write");
    assert.deepEqual(state.changed, [slug, slug]);
  });

  it("that arrive after their registry was left are not cached for the next one", async () => {
    const { state, release } = await open({ manifest: plainManifest(slug), prices: [] });
    state.slow = slug;
    const held = new Promise<void>((done) => {
      state.noteHeld = done;
    });
    const late = refresh();
    await held;
    details.forgetAll();
    state.slow = "";
    release();
    await late;
    assert.deepEqual(state.changed, []);
    await find();
    assert.equal(asked(`/v1/skills/${slug}`).length, 2);
  });

  it("come from the reading that started last, even if an earlier one ends later", async () => {
    const answers = { manifest: plainManifest(slug), prices: [] };
    const { state, release } = await open(answers);
    await details.find(slug, "1.0.0");
    state.slow = slug;
    const nextIsHeld = () =>
      new Promise<void>((done) => {
        state.noteHeld = done;
      });
    let held = nextIsHeld();
    const early = find();
    await held;
    answers.manifest = plainManifest(slug, { permissions: { network: true, filesystem: "write" } });
    held = nextIsHeld();
    const late = details.refresh(slug, "1.0.0");
    await held;
    release(1);
    await early;
    release();
    const read = await late;
    assert.ok(read.ok && read.value.permissions?.filesystem === "write");
    assert.deepEqual(await details.find(slug, "1.0.0"), read);
  });

  it("are equal if the registry only changed its counts", async () => {
    const answers = { manifest: plainManifest(slug), prices: [], installs: 1 };
    const { state } = await open(answers);
    const first = await find();
    answers.installs = 2;
    assert.equal(await refresh(), first);
    assert.deepEqual(state.changed, []);
  });

  it("do not wait for a late price, and include it when it arrives", async () => {
    const { state, release } = await open({ manifest: plainManifest(slug), prices: [price] });
    state.slow = "prices";
    const early = await find();
    assert.deepEqual([early.prices, early.unanswered], [undefined, ["prices"]]);
    assert.deepEqual(early.loading, ["prices"]);
    release();
    while (state.changed.length === 0) await new Promise(setImmediate);
    const late = await find();
    assert.deepEqual([late.prices, late.unanswered], [[price], undefined]);
    assert.equal(late.loading, undefined);
    assert.equal(asked(`/v1/skills/${slug}`).length, 1);
  });

  it("wait briefly for the price if money depends on it", async () => {
    const { state } = await open({ manifest: plainManifest(slug), prices: [price] });
    await find();
    state.slow = "prices";
    // The waiting time passes once all other responses have arrived, however busy the machine is; the price never
    // comes.
    const others = new Set([`/v1/skills/${slug}:`, "/v1/skills/search?"]);
    const isHeld = new Promise<void>((resolve) => {
      state.noteHeld = resolve;
    });
    const areThere = new Promise<void>((resolve) => {
      state.noteEnd = (line) => {
        for (const path of others) if (line.startsWith(`GET ${path}`)) others.delete(path);
        if (others.size === 0) resolve();
      };
    });
    mockTimeouts();
    const reading = refresh();
    await Promise.all([isHeld, areThere]);
    mock.timers.tick(3000);
    assert.deepEqual((await reading).unanswered, ["prices"]);
  });

  it("mark a price that cannot be read as unanswered, not as missing", async () => {
    const { state } = await open({ manifest: plainManifest(slug), prices: [price] });
    state.failing = "prices";
    const { unanswered, loading } = await find();
    assert.deepEqual([unanswered, loading], [["prices"], undefined]);
    state.failing = "";
    assert.deepEqual((await refresh()).prices, [price]);
  });

  describe("in a project", () => {
    const newest = plainManifest(slug, { version: "2.0.0", permissions: { network: true } });
    const old = plainManifest(slug, { inputSchema: { required: ["csv"] } });
    const repinned = new ChangeEvent<void>();
    let pin: SkillPin | undefined;

    /** Opens a registry that only publishes 2.0.0, like the public gateway, and a project that runs 1.0.0. */
    async function openProject(read?: SkillPin["read"]) {
      const route = "/v1/projects/p/installed-skills";
      const body = { installedSkills: [{ skillSlug: slug, version: "1.0.0", manifest: old }] };
      const copy = async () => (await readPinnedSkill(body, slug, route)) ?? assert.fail();
      pin = { version: "1.0.0", project: "Team", read: read ?? copy };
      const project = { pinOf: async () => pin, onDidChange: repinned.event };
      return open({ manifest: newest, prices: [price] }, project);
    }

    it("belong to the pinned version, with the public facts of the skill", async () => {
      await openProject();
      const { summary, inputSchema, permissions, latestVersion, prices, pinned } = await find();
      assert.equal(summary.version, "1.0.0");
      assert.deepEqual(inputSchema, { required: ["csv"] });
      assert.equal(permissions?.network, false);
      assert.equal(latestVersion, "2.0.0");
      assert.deepEqual(prices, [price]);
      assert.deepEqual(pinned, { version: "1.0.0", project: "Team" });
      assert.equal(await refresh(), await find());
    });

    it("are the public ones if another version is requested, with the project's version", async () => {
      await openProject();
      const read = await details.find(slug, "2.0.0");
      assert.ok(read.ok);
      assert.equal(read.value.summary.version, "2.0.0");
      assert.deepEqual(read.value.pinned, { version: "1.0.0", project: "Team" });
    });

    it("exist for a skill that is not public at all", async () => {
      const { state } = await openProject();
      state.isHidden = true;
      assert.equal((await find()).summary.version, "1.0.0");
      assert.equal(await details.exists(slug), true);
    });

    it("are never another version's if the project's cannot be read", async () => {
      const failure = { kind: "errorAnswer", status: 500 } as const;
      await openProject(async () => ({ ok: false, failure }));
      assert.deepEqual(await details.find(slug), { ok: false, failure });
    });

    it("are the public ones if the registry returns no installed version", async () => {
      await openProject(async () => ({ ok: false, failure: { kind: "notFound" } }));
      assert.equal((await find()).summary.version, "2.0.0");
    });

    it("are read again after the project pins another version, and only then", async () => {
      const { state } = await openProject();
      await find();
      repinned.fire();
      await new Promise(setImmediate);
      assert.deepEqual(state.changed, []);
      pin = undefined;
      repinned.fire();
      while (state.changed.length === 0) await new Promise(setImmediate);
      assert.equal((await find()).summary.version, "2.0.0");
    });
  });

  it("are not requested by each check after a failure, but as soon as a user asks", async () => {
    const { state } = await open({ manifest: plainManifest(slug), prices: [] });
    state.isHidden = true;
    const own = () => asked(`/v1/skills/${slug}`).length;
    for (let check = 0; check < 50; check += 1) {
      assert.equal(await details.exists(slug), false);
      const found = await details.findForCheck(slug);
      assert.ok(!found.ok && found.failure.kind === "notFound");
    }
    assert.equal(own(), 1);
    state.isHidden = false;
    await find();
    assert.equal(own(), 2);
    assert.deepEqual(state.changed, [slug]);
    assert.ok((await details.findForCheck(slug)).ok);
  });

  it("do not record a failure of an earlier registry, nor whether it had the skill", async () => {
    const { state, release } = await open({ manifest: plainManifest(slug), prices: [] });
    state.isHidden = true;
    state.slow = slug;
    const isHeld = new Promise<void>((resolve) => {
      state.noteHeld = resolve;
    });
    const late = details.exists(slug);
    await isHeld;
    // The next registry has the skill.
    details.forgetAll();
    state.isHidden = false;
    state.slow = "";
    release();
    assert.equal(await late, undefined);
    assert.ok((await details.findForCheck(slug)).ok);
  });

  it("are removed with a deleted skill", async () => {
    const answers = { manifest: plainManifest(slug), prices: [] };
    await open(answers);
    await find();
    answers.manifest = {};
    const gone = await details.refresh(slug);
    assert.ok(!gone.ok && gone.failure.kind === "notFound");
    assert.ok(!(await details.find(slug)).ok);
  });
});

function bodyOf(
  path: string,
  {
    manifest,
    prices,
    installs = 0,
  }: { manifest: JsonObject; prices: JsonValue; installs?: number },
): JsonValue | undefined {
  if (path === "/v1/skills/search") {
    const row = { slug, displayName: slug, version: "1.0.0", verificationStatus: "verified" };
    return {
      skills: [{ ...row, installCount: installs, updatedAt: `2026-11-20T09:00:0${installs}Z` }],
    };
  }
  if (path === `/v1/skills/${slug}`) return "name" in manifest ? manifest : undefined;
  return path.endsWith("/prices") ? { prices } : undefined;
}

/** Responds with an ETag computed from the body; 404 without a body, 304 if the client has it already. */
function answerWith(body: JsonValue | undefined, known: string | undefined): Answer {
  if (body === undefined) return { status: 404, body: { error: "Nothing here." } };
  const etag = `"${Buffer.from(JSON.stringify(body)).toString("base64url").slice(0, 400)}"`;
  return etag === known ? { status: 304 } : { headers: { etag }, body };
}
