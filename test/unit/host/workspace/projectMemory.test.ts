import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { accountKey, type UserSession } from "../../../../src/core/account/sessions";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { ProjectMemory } from "../../../../src/host/workspace/projectMemory";
import { memento } from "./memorySecrets";

const registry = {
  baseUrl: "https://registry.example",
  origin: "https://registry.example",
  isBuiltIn: false,
} as ConnectedRegistry;
const session = (userId: string, organizationId: string): UserSession => ({
  userId,
  email: `${userId}@example.com`,
  organizationId,
  organization: organizationId,
  role: "owner",
  tokenId: `${userId}-${organizationId}`,
  origin: registry.origin,
  token: "shub_user_0",
  isOurs: true,
});
const [atOne, atTwo, other] = [
  session("ann", "one"),
  session("ann", "two"),
  session("bob", "one"),
] as const;
const shop = (of: UserSession) => ({ account: accountKey(of), slug: "shop", name: "Shop" });

describe("a workspace's memory of accounts and projects", () => {
  it("has a project for each account, which returns when the account is used again", async () => {
    const kept = memento();
    const memory = new ProjectMemory(kept, memento());
    await memory.useAccount(registry, atOne);
    await memory.choose(registry, shop(atOne));
    await memory.useAccount(registry, atTwo);
    // The other organization's project is not used for this one, even after a reload.
    for (const one of [memory, new ProjectMemory(kept, memento())]) {
      assert.equal(one.chosenAt(registry), undefined);
      assert.equal(one.accountAt(registry), accountKey(atTwo));
    }
    const docs = { account: accountKey(atTwo), slug: "docs", name: "Docs" };
    await memory.choose(registry, docs);
    await memory.useAccount(registry, atOne);
    assert.deepEqual(memory.chosenAt(registry), shop(atOne));
    await memory.useAccount(registry, atTwo);
    assert.deepEqual(memory.chosenAt(registry), docs);
  });

  it("keeps the project for another person of the same organization", async () => {
    const memory = new ProjectMemory(memento(), memento());
    await memory.choose(registry, shop(atOne));
    await memory.useAccount(registry, other);
    assert.deepEqual(memory.chosenAt(registry), shop(other));
  });

  it("reads a choice of an earlier version, and nothing from a damaged one", async () => {
    const kept = memento({
      chosenProjects: { [registry.baseUrl]: { ...shop(atOne), projects: 7 } },
    });
    const memory = new ProjectMemory(kept, memento());
    await memory.useAccount(registry, atTwo);
    assert.equal(memory.chosenAt(registry), undefined);
    await memory.useAccount(registry, atOne);
    assert.deepEqual(memory.chosenAt(registry), shop(atOne));
  });
});
