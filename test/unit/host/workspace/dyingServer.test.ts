import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { mayHaveTakenEffect } from "../../../../src/core/account/sessions";
import { changeNotice } from "../../../../src/core/project/changes";
import { copyNewKey, rotateKey } from "../../../../src/core/project/keyChanges";
import { activeKeys, type ProjectDetail } from "../../../../src/core/project/project";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { Result } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { UserSessions } from "../../../../src/host/workspace/account/userSessions";
import { CurrentProject } from "../../../../src/host/workspace/currentProject";
import type { SignedIn } from "../../../../src/host/workspace/signedIn";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../../src/localRegistry/startLocalRegistry";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import type {
  NewProjectKey,
  WorkspaceRoutes,
} from "../../../../src/registry/workspace/workspaceRoutes";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import {
  type Death,
  type DyingServer,
  startDyingServer,
} from "../../../fixtures/registries/dyingServer";
import { MemorySecrets, memento } from "./memorySecrets";

const slug = "local-demo";

/** A change of the project: how to make it, the fact that it changes, and that fact afterwards. */
interface Change {
  /** Prepares the project. */
  readonly start?: (routes: WorkspaceRoutes) => Promise<Result<unknown>>;
  readonly make: (routes: WorkspaceRoutes, detail: ProjectDetail) => Promise<Result<unknown>>;
  readonly fact: (detail: ProjectDetail) => unknown;
  readonly done: unknown;
}

const skill = (detail: ProjectDetail, name: string) =>
  detail.skills.find((one) => one.slug === name);
const status = (name: string) => (detail: ProjectDetail) => skill(detail, name)?.status;
const setStatus = (name: string, word: "installed" | "suspended" | "removed") =>
  ((routes) =>
    routes.setInstallStatus(
      slug,
      name,
      { status: word, reason: "no reason" },
      never,
    )) as Change["make"];
const pin = (version: string) => (routes: WorkspaceRoutes) =>
  routes.install(slug, "redact-pii", version, never);
const entriesOf = (updates: ProjectDetail["updates"]) =>
  updates.filter(
    ({ skillSlug, targetVersion }) => skillSlug === "redact-pii" && targetVersion === "2.0.0",
  );
const keyCount = (detail: ProjectDetail) => activeKeys(detail.keys).length;

/** Returns the parts of a project that the changes affect, without what the window adds from manifests. */
function gist({ skills, keys, updates }: ProjectDetail) {
  const rows = skills.map((one) => [
    one.slug,
    one.version,
    one.status,
    one.approvalState,
    one.policy?.rateLimitPerMinute,
  ]);
  return { skills: rows, keys, updates };
}

/** Each change leaves the project unchanged for the following ones, as far as they use it. */
const changes: Readonly<Record<string, Change>> = {
  "creating a key": {
    make: (routes) => routes.createKey(slug, "New", never),
    fact: keyCount,
    done: 2,
  },
  "revoking a key": {
    make: (routes, { keys }) =>
      routes.revokeKey(slug, activeKeys(keys)[0]?.id ?? "", "no reason", never),
    fact: keyCount,
    done: 1,
  },
  "installing a version": {
    make: pin("2.0.0"),
    fact: (detail) => skill(detail, "redact-pii")?.version,
    done: "2.0.0",
  },
  "suspending a skill": {
    make: setStatus("csv-profile", "suspended"),
    fact: status("csv-profile"),
    done: "suspended",
  },
  "restoring a skill": {
    make: setStatus("sql-format", "installed"),
    fact: status("sql-format"),
    done: "installed",
  },
  "removing a skill": {
    make: setStatus("json-diff", "removed"),
    fact: status("json-diff"),
    done: "removed",
  },
  "approving a skill": {
    make: async (routes) => {
      const policies = await routes.policies(slug, never);
      const policy = policies.ok ? policies.value.get("status-notice")?.row : undefined;
      assert.ok(policy !== undefined);
      const approved = { ...policy, approvalRequired: false };
      return routes.putPolicy(slug, "status-notice", approved, never);
    },
    fact: (detail) => skill(detail, "status-notice")?.approvalState,
    done: "approved",
  },
  "changing a policy": {
    make: async (routes) => {
      const policies = await routes.policies(slug, never);
      const policy = policies.ok ? policies.value.get("text-stats")?.row : undefined;
      assert.ok(policy !== undefined);
      return routes.putPolicy(slug, "text-stats", { ...policy, rateLimitPerMinute: 7 }, never);
    },
    fact: (detail) => skill(detail, "text-stats")?.policy?.rateLimitPerMinute,
    done: 7,
  },
  "ignoring another entry about an update": {
    make: (routes, { updates }) =>
      routes.settleUpdate(slug, entriesOf(updates)[1]?.id ?? "", { status: "ignored" }, never),
    fact: ({ updates }) => entriesOf(updates).length,
    done: 1,
  },
  "adopting an update": {
    // Installing had pinned the same version.
    start: pin("1.1.0"),
    make: (routes, { updates }) => {
      const [update] = entriesOf(updates);
      return routes.settleUpdate(slug, update?.id ?? "", { status: "adopted" }, never);
    },
    fact: (detail) => skill(detail, "redact-pii")?.version,
    done: "2.0.0",
  },
  "rolling back to an earlier version": {
    start: pin("2.0.0"),
    make: pin("1.1.0"),
    fact: (detail) => skill(detail, "redact-pii")?.version,
    done: "1.1.0",
  },
};

describe("a server that dies during a change", () => {
  let registry: LocalRegistry;
  let dying: DyingServer;
  let client: RegistryClient;
  let direct: WorkspaceRoutes;
  let project: CurrentProject;
  let who: SignedIn;
  const parts: { dispose(): unknown }[] = [];

  async function start(): Promise<void> {
    registry = await startLocalRegistry();
    dying = await startDyingServer(registry.baseUrl);
    const redactor = new KeyRedactor();
    const { baseUrl } = dying;
    const { origin } = new URL(baseUrl);
    client = clientFor(baseUrl, { redactor });
    parts.push({ dispose: () => client.close() });
    const connected = { baseUrl, origin, name: origin, isBuiltIn: false, client };
    const sessions = new UserSessions(new MemorySecrets().storage);
    project = new CurrentProject({
      connection: {
        current: async () => ({ ok: true, registry: connected as ConnectedRegistry }),
        onDidChange: new ChangeEvent<void>().event,
      },
      sessions,
      workspaceMemory: memento(),
      userMemory: memento(),
      findKey: async () => undefined,
      namedProject: () => undefined,
      changeMade: async () => undefined,
    });
    parts.push(project, sessions);
    const text = registry.userTokens.owner;
    const user = { kind: "userToken", origin, text } as const;
    const account = await client.workspace(user).account(never);
    assert.ok(account.ok);
    const session = { ...account.value, origin, token: text, isOurs: false };
    await project.accounts.signIn(connected as ConnectedRegistry, session);
    await project.ready();
    who = (await project.accounts.inUse()) as SignedIn;
    const behind = clientFor(registry.baseUrl);
    direct = behind.workspace({ ...user, origin: new URL(registry.baseUrl).origin });
    parts.push({ dispose: () => behind.close() });
    await direct.setInstallStatus(
      slug,
      "sql-format",
      { status: "suspended", reason: "a reason" },
      never,
    );
    await project.refresh();
  }

  async function end(): Promise<void> {
    for (const part of parts.splice(0)) part.dispose();
    await dying.close();
    await registry.close();
  }

  function shown(): ProjectDetail {
    const { state } = project;
    assert.ok(state.kind === "project", JSON.stringify(state));
    return state.detail;
  }

  async function truth(): Promise<ProjectDetail> {
    const read = await direct.project(slug, never);
    assert.ok(read.ok);
    return read.value;
  }

  const deaths: readonly (readonly [death: Death, when: string])[] = [
    ["before", "before the change is made"],
    ["after", "after the change is made"],
    ["middle", "while the change is answered"],
  ];
  for (const [death, when] of deaths) {
    describe(when, () => {
      before(start);
      after(end);
      for (const [name, { start: prepare, make, fact, done }] of Object.entries(changes)) {
        it(`lets the project show the registry's state after ${name}, with a message that the outcome is unknown`, async () => {
          assert.ok((await prepare?.(direct))?.ok !== false);
          await project.refresh();
          const was = fact(shown());
          dying.dieOver(death);
          const answer = await make(who.routes, shown());
          assert.ok(!answer.ok && mayHaveTakenEffect(answer.failure), JSON.stringify(answer));
          const notice = changeNotice(answer.failure, english);
          assert.match(notice.message, /^It is not known whether this was changed/);
          await project.followChange(who, answer);
          assert.deepEqual(gist(shown()), gist(await truth()));
          const isMade = JSON.stringify(fact(shown())) !== JSON.stringify(was);
          assert.equal(isMade, death !== "before");
          if (isMade) assert.equal(fact(shown()), done);
          // An outage must sign nobody out.
          assert.ok((await project.accounts.inUse()) !== undefined);
        });
      }
    });
  }

  describe("and stays down", () => {
    before(start);
    after(end);
    it("shows old data as old, and current data once it is back", async () => {
      dying.dieOver("after", 2);
      const answer = await setStatus("csv-profile", "suspended")(who.routes, shown());
      await project.followChange(who, answer);
      const { state } = project;
      assert.ok(state.kind === "project" && state.problem !== undefined);
      assert.equal(status("csv-profile")(shown()), "installed");
      await project.refresh();
      assert.deepEqual(gist(shown()), gist(await truth()));
      assert.equal(status("csv-profile")(shown()), "suspended");
    });
  });

  /**
   * The moment of a rotation at which the server dies, and then: the result, the key in use, and the number of active
   * keys.
   */
  const rotations: readonly (readonly [
    at: "create" | "check" | "revoke",
    death: Death,
    kind: string,
    inUse: "old" | "new",
    active: number,
  ])[] = [
    ["create", "before", "notCreated", "old", 1],
    ["create", "after", "notCreated", "old", 2],
    ["check", "before", "oldStays", "old", 2],
    ["check", "middle", "oldStays", "old", 2],
    ["revoke", "before", "notRevoked", "new", 2],
    ["revoke", "after", "notRevoked", "new", 1],
  ];
  describe("during a key's replacement", () => {
    for (const [at, death, kind, inUse, active] of rotations) {
      it(`leaves the ${inUse} key in use and working: at its step “${at}” (${death})`, async () => {
        try {
          await start();
          const old = registry.projectKey;
          const [row] = activeKeys(shown().keys);
          let kept = old;
          const change = async <Value>(work: () => Promise<Result<Value>>) => {
            const answer = await work();
            await project.followChange(who, answer);
            return answer.ok ? answer.value : undefined;
          };
          const dieAt = (step: string) => step === at && dying.dieOver(death);
          const rotation = await rotateKey({
            create: async () => {
              dieAt("create");
              const made = await change(() => who.routes.createKey(slug, "New", never));
              kept = made?.key ?? kept;
              return made;
            },
            works: async ({ key }) => {
              dieAt("check");
              return (await client.readKey(key, never)).kind === "accepted";
            },
            keepOld: async () => {
              kept = old;
            },
            revokeOld: async () => {
              dieAt("revoke");
              const work = () => who.routes.revokeKey(slug, row?.id ?? "", "replaced", never);
              return (await change(work)) === true;
            },
          });
          assert.deepEqual([rotation.kind, kept === old ? "old" : "new"], [kind, inUse]);
          assert.equal((await client.readKey(kept, never)).kind, "accepted");
          await project.refresh();
          assert.deepEqual(gist(shown()), gist(await truth()));
          assert.equal(activeKeys(shown().keys).length, active);
        } finally {
          await end();
        }
      });
    }

    const copies: readonly (readonly [death: Death | undefined, kind: string, active: number])[] = [
      [undefined, "revoked", 1],
      ["before", "notRevoked", 2],
      ["after", "notRevoked", 1],
    ];
    for (const [death, kind, active] of copies) {
      it(`shows a key that cannot be copied as ${kind} if it dies ${death ?? "never"}`, async () => {
        try {
          await start();
          const copied = await copyNewKey<NewProjectKey>({
            create: async (copy) => {
              const answer = await who.routes.createKey(slug, "CI", never);
              if (answer.ok) await copy(answer.value);
              return answer.ok ? answer.value : undefined;
            },
            copy: () => Promise.reject(new Error("No clipboard.")),
            revoke: async ({ row }) => {
              if (death !== undefined) dying.dieOver(death);
              const answer = await who.routes.revokeKey(slug, row.id, "not copied", never);
              await project.followChange(who, answer);
              return answer.ok;
            },
          });
          assert.equal(copied.kind, kind);
          assert.deepEqual(gist(shown()), gist(await truth()));
          assert.equal(activeKeys(shown().keys).length, active);
        } finally {
          await end();
        }
      });
    }

    it("replaces the key without a failure", async () => {
      const steps: string[] = [];
      const step =
        <Value>(name: string, value: Value) =>
        async () => {
          steps.push(name);
          return value;
        };
      const rotation = await rotateKey({
        create: step("create", "new"),
        works: step("check", true),
        keepOld: step("keep old", undefined),
        revokeOld: step("revoke", true),
      });
      assert.deepEqual(rotation, { kind: "replaced", key: "new" });
      assert.deepEqual(steps, ["create", "check", "revoke"]);
    });
  });
});
