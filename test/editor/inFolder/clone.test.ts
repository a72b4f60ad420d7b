import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { makeAuthority } from "../../fixtures/network/certificates";
import { startConnectProxy } from "../../fixtures/network/connectProxy";
import { startTestRegistry } from "../../fixtures/registries/testRegistry";
import { useWindow } from "../window/useWindow";

const [staging, production] = ["https://staging.example", "https://production.example"];

/** Tests that a person can take the steps one after the other; tests in memory cover each step. */
describe("A clone with two environments", () => {
  const window = useWindow({ steps: true });
  let registry: LocalRegistry;

  before(async () => {
    const authority = makeAuthority();
    registry = await startLocalRegistry();
    window.atEnd(() => registry.close());
    const hosts = [staging, production].map((address) => new URL(address).host);
    const server = await startTestRegistry({}, { behind: registry, tls: authority.issue(hosts) });
    window.atEnd(() => server.close());
    const proxy = await startConnectProxy({ targetPort: server.port });
    window.atEnd(() => proxy.close());
    const folder = await mkdtemp(join(tmpdir(), "clone-"));
    window.atEnd(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "authority.pem"), authority.cert);
    const extra = process.env["NODE_EXTRA_CA_CERTS"];
    window.atEnd(() => {
      if (extra === undefined) delete process.env["NODE_EXTRA_CA_CERTS"];
      else process.env["NODE_EXTRA_CA_CERTS"] = extra;
    });
    process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "authority.pem");
    await window.set("http.proxy", `http://127.0.0.1:${proxy.port}`);
    await window.openContainer("Skill Registry");
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", ""));
    window.atEnd(() => window.removeProjectKey());
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", staging));
  });

  async function put(path: string, content: unknown): Promise<void> {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root !== undefined);
    const file = join(root.uri.fsPath, path);
    window.atEnd(() => rm(file));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(content));
  }

  it("It needs five choices until its first invocation: environment, way to sign in, payload, ▷, consent", async () => {
    await put("text-stats.skill-input.json", { text: "{{greeting}}" });
    await put(".skill-registry/environments.json", {
      format: 1,
      environments: {
        staging: { registry: staging, project: "local-demo", values: { greeting: "Hello you" } },
        production: { registry: production, values: { greeting: "Good day to you" } },
      },
    });
    // A clone has its files before its window opens. Here, the editor may not watch the new folder yet.
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    const offer = window.notification("This repository names staging");
    await window.press(offer.getByRole("button", { name: "staging" }));
    await window.choose("User Token");
    await window.answer(registry.userTokens.owner);
    await window.choose("text-stats.skill-input.json");
    await window.statusBarItem(/text-stats(@[\d.]+)?: valid/).waitFor();
    await window.press(window.codeLens(/^▷ Invoke/));
    await window.pressInDialog("Invoke text-stats@1.0.0?", "Invoke");
    await window.page.getByText('"characters": 9').first().waitFor();
    assert.equal(registry.invocations().length, 1);
  });

  it("It switches environments in two clicks, and asks about each new address once", async () => {
    await window.press(window.codeLens(/^staging$/));
    await window.choose("production");
    await window.pressInDialog(`Use the registry ${production}`, "Use Registry");
    await window.codeLens(/^production$/).waitFor();
    await window.press(window.codeLens(/^production$/));
    await window.choose("staging");
    await window.codeLens(/^staging$/).waitFor();
  });
});
