import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PolicyCache } from "../../../../src/host/connect/policyCache";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";

const key = "skh_9f86d081884c7d659a2feaa0c55ad015";
const registry = (origin: string) => ({ origin }) as ConnectedRegistry;
const here = registry("https://a.example");
const accepted = {
  kind: "accepted",
  skills: 1,
  listed: [["text-stats", { installStatus: "installed" }]],
  complete: true,
} as const;

function open() {
  const kept = new Map<string, unknown>();
  const memory = {
    keys: () => [...kept.keys()],
    get: (name: string) => kept.get(name),
    update: async (name: string, value: unknown) => void kept.set(name, value),
  };
  // A second window reads what the first one has stored.
  const window = () => new PolicyCache(memory as ConstructorParameters<typeof PolicyCache>[0]);
  return { kept, window };
}

describe("the policies cached for a key", () => {
  it("are known in every window, for this registry and key only, without containing the key", async () => {
    const { kept, window } = open();
    await window().note(here, key, accepted);
    const told = window().policyFor(here, key, "text-stats");
    assert.ok(told?.kind === "listed");
    assert.deepEqual(told.listed, { installStatus: "installed" });
    assert.equal(window().policyFor(here, `${key}0`, "text-stats"), undefined);
    assert.equal(window().policyFor(registry("https://b.example"), key, "text-stats"), undefined);
    assert.ok(!JSON.stringify([...kept]).includes(key.slice(4)));
  });

  it("report when one was stored or removed, and not otherwise", async () => {
    const cache = open().window();
    const told: string[] = [];
    let doing = "";
    cache.onDidChange(() => told.push(doing));
    for (doing of ["accepted", "unknown"] as const) {
      await cache.note(here, key, doing === "accepted" ? accepted : { kind: "unknown" });
    }
    doing = "forgotten";
    await cache.forget(here);
    assert.deepEqual(told, ["accepted", "forgotten"]);
  });

  it("are replaced when the registry rejects the key, and removed with the key", async () => {
    const { window } = open();
    await window().note(here, key, accepted);
    await window().note(here, key, { kind: "unknown" });
    assert.ok(window().policyFor(here, key, "text-stats"));
    await window().note(here, key, { kind: "refused" });
    assert.equal(window().policyFor(here, key, "text-stats")?.kind, "refused");
    await window().note(here, key, accepted);
    await window().forget(here);
    assert.equal(window().policyFor(here, key, "text-stats"), undefined);
  });
});
