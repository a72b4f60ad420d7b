import assert from "node:assert/strict";
import { afterEach, beforeEach } from "mocha";
import type { UserSession } from "../../../../src/core/account/sessions";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import { ChangeEvent } from "../../../../src/engine/changeEvent";
import type { ConnectedRegistry } from "../../../../src/host/connect/registryConnection";
import { UserSessions } from "../../../../src/host/workspace/account/userSessions";
import { CurrentProject } from "../../../../src/host/workspace/currentProject";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../../src/localRegistry/startLocalRegistry";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { MemorySecrets, memento } from "./memorySecrets";

type Role = "owner" | "developer" | "finance";

/** Opens windows at a registry of its own for each test. */
export function useProjectWindows() {
  let server: LocalRegistry;
  let secrets: MemorySecrets;
  const clock = { now: Date.parse("2026-11-22T10:00:00Z") };
  const redactor = new KeyRedactor();
  const opened: { dispose(): unknown }[] = [];
  beforeEach(async () => {
    server = await startLocalRegistry({ now: () => clock.now });
    secrets = new MemorySecrets();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    await server.close();
  });

  /** Opens a window with its own connection and workspace; the user's memory may be shared. */
  function openWindow({
    baseUrl = server.baseUrl,
    userMemory = memento(),
    memory = memento(),
    findKey = async (): Promise<string | undefined> => undefined,
    changeMade = async (): Promise<void> => undefined,
  } = {}) {
    const { origin } = new URL(baseUrl);
    const client = clientFor(baseUrl, { redactor });
    const registry = { baseUrl, origin, name: origin, isBuiltIn: false, client };
    const changed = new ChangeEvent<void>();
    const sessions = new UserSessions(secrets.storage, () => clock.now);
    const connection = {
      current: async () => ({ ok: true as const, registry: registry as ConnectedRegistry }),
      onDidChange: changed.event,
    };
    const project = new CurrentProject(
      {
        connection,
        sessions,
        workspaceMemory: memory,
        userMemory,
        findKey,
        changeMade,
        namedProject: () => undefined,
      },
      () => clock.now,
    );
    opened.push(project, sessions, { dispose: () => client.close() });
    const signIn = async (session: UserSession) => project.accounts.signIn(registry, session);
    return { registry, client, sessions, project, signIn, changed };
  }

  async function sessionFor(role: Role, isOurs = true): Promise<UserSession> {
    const window = openWindow();
    const { origin } = window.registry;
    const token = { kind: "userToken", origin, text: server.userTokens[role] } as const;
    if (isOurs) {
      const made = await window.client.signIn.passwordLogin(role, server.password, never);
      assert.ok(made.ok);
      return made.value;
    }
    const account = await window.client.workspace(token).account(never);
    assert.ok(account.ok);
    return { ...account.value, origin, token: token.text, isOurs };
  }
  return {
    get server() {
      return server;
    },
    set server(next: LocalRegistry) {
      server = next;
    },
    get secrets() {
      return secrets;
    },
    clock,
    openWindow,
    sessionFor,
  };
}
