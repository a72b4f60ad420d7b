import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { askEditorForProxy } from "../../src/host/connect/readNetworkSettings";
import { makeAuthority } from "../fixtures/network/certificates";
import { type ConnectProxy, startConnectProxy } from "../fixtures/network/connectProxy";
import { type ForeignRegistry, startForeignRegistry } from "../fixtures/registries/foreignRegistry";
import { dataFolder, pathsBelow } from "./dataFolder";
import { eventually } from "./eventually";
import { useWindow } from "./window/useWindow";

const password = "hunter2-canary";

describe("The editor's network settings", () => {
  const authority = makeAuthority();
  const window = useWindow({ steps: true });
  let folder = "";
  let registry: ForeignRegistry;
  let proxy: ConnectProxy;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "network-"));
    window.atEnd(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "authority.pem"), authority.cert);
    const tls = authority.issue(["registry.example"]);
    registry = await startForeignRegistry({ dialect: "camel", tls });
    window.atEnd(() => registry.close());
    const credentials = `user:${password}`;
    proxy = await startConnectProxy({ targetPort: registry.port, credentials });
    window.atEnd(() => proxy.close());
    const extra = process.env["NODE_EXTRA_CA_CERTS"];
    window.atEnd(() => {
      if (extra === undefined) delete process.env["NODE_EXTRA_CA_CERTS"];
      else process.env["NODE_EXTRA_CA_CERTS"] = extra;
    });
    process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "authority.pem");
    await window.openContainer("Skill Registry");
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", ""));
    // A name that only the proxy knows.
    await vscode.commands.executeCommand("skillRegistry.connect", "https://registry.example");
  });
  after(async () => {
    for (const name of ["proxy", "proxySupport", "proxyAuthorization"]) await set(name, undefined);
  });

  const set = (name: string, value: string | undefined) =>
    vscode.workspace.getConfiguration("http").update(name, value, true);
  const listed = () => window.treeRow(/^Ledger Close/);

  it("are suggested if nothing can be reached without them", async () => {
    await window.view("Skills").getByText("If your network needs a proxy").first().waitFor();
  });

  it("connect the registry as soon as they name the proxy", async () => {
    await set("proxy", `http://user:${password}@127.0.0.1:${proxy.port}`);
    await listed().waitFor();
  });

  it("disconnect it when they switch proxies off", async () => {
    await set("proxySupport", "off");
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await window
      .view("Skills")
      .getByText(/not be reached|could not be found/)
      .first()
      .waitFor();
    await set("proxySupport", undefined);
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await listed().waitFor();
  });

  it("report a proxy's rejection, without its password", async () => {
    await set("proxy", `http://user:${password}-wrong@127.0.0.1:${proxy.port}`);
    const heads = proxy.heads.length;
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await eventually("the proxy was asked", () => proxy.heads.length > heads);
    await vscode.commands.executeCommand("skillRegistry.openSkill", "word-tally");
    await window.webview.getByText(/connection through the proxy failed \(407\)/).waitFor();
    await vscode.commands.executeCommand("skillRegistry.copyReport");
    assert.ok(!(await vscode.env.clipboard.readText()).includes(password));
    await set("proxy", `http://127.0.0.1:${proxy.port}`);
    await set("proxyAuthorization", `Basic ${Buffer.from(`user:${password}`).toString("base64")}`);
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await listed().waitFor();
    assert.deepEqual(await logsWith(password), []);
  });

  it("can be read through the editor's own proxy lookup, in this version of the editor", async () => {
    await set("proxy", "http://proxy.example:3128");
    const answer = await eventually("the proxy's name", async () => {
      const said = await askEditorForProxy("https://other.example/");
      return said.includes("proxy.example:3128") && said;
    });
    assert.equal(answer, "PROXY proxy.example:3128");
    assert.equal(await askEditorForProxy("https://localhost/"), "DIRECT");
  });
});

/** The log files of this run that hold a text. */
async function logsWith(text: string): Promise<string[]> {
  const logs = (await pathsBelow(dataFolder(), "files")).filter((path) => path.endsWith(".log"));
  assert.ok(logs.length > 0);
  const found: string[] = [];
  for (const path of logs) {
    // The log files of a browser's databases may disappear at any time.
    const content = await readFile(path, "utf8").catch(() => "");
    if (content.includes(text)) found.push(path);
  }
  return found;
}
