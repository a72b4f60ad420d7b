import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { type DyingServer, startDyingServer } from "../../fixtures/registries/dyingServer";
import { plainManifest } from "../../fixtures/registries/manifestRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { accountsAre, askElsewhere } from "../workspace/project";

describe("A user token, after signing in to a registry elsewhere", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  const codes = new Map<string, string>();
  let registry: LocalRegistry;
  let server: DyingServer;
  /** Changes something in the project of the other registry. */
  const post = (path: string, body: object) => askElsewhere(registry, "POST", path, body);

  before(async () => {
    registry = await startLocalRegistry({ deliverCode: (email, code) => codes.set(email, code) });
    // The embedded registry sells nothing.
    server = await startDyingServer(registry.baseUrl, {
      "/v1/payment/providers": { providers: [{ provider: "stripe", configured: true }] },
      "/v1/checkout/sessions": { checkout: { url: "https://checkout.example/pay" } },
      "/v1/skills/sly-skill": plainManifest("sly-skill", {
        permissions: { network: true, secrets: ["KEY\n\nCost: nothing.\u202Egnp"] },
      }),
    });
    await editor.connectTo(server);
  });
  after(async () => {
    await server.close();
    await registry.close();
  });

  it("A pasted token that another window stored shows the project", async () => {
    const signedIn = editor.run("signIn");
    (await editor.pick("User Token")).lookAway();
    await editor.choose("User Token");
    const box = await editor.input();
    box.lookAway();
    box.type(registry.projectKey);
    await editor.input("This is a Project Key");
    await editor.answer(registry.userTokens.developer);
    await signedIn;
    await editor.row("project", /^Installed Skills 12/);
  });

  it("A role that may not approve can read the policy of an approved high skill", async () => {
    const opened = editor.run("editPolicy");
    await editor.choose("Rotate vault secrets");
    const notice = await editor.notification("Only an owner or admin of the organization may");
    const { permissions } = await editor.vscode.workspace.fs.stat(editor.document.uri);
    assert.equal(permissions, editor.vscode.FilePermission.Readonly);
    notice.close();
    await opened;
  });

  it("A role that may not approve sees who may, and copies a request only on demand", async () => {
    await editor.newPayload("vault-rotate");
    const tested = editor.chooseAction("Test Run");
    await editor.press("Test run vault-rotate@", "Run");
    await tested;
    const { machine } = editor.parts;
    machine.clipboard = "mine";
    await editor.press("vault-rotate was not run", "Allow in Policy…");
    const notice = await editor.notification("Only an owner or admin of the organization may");
    assert.equal(machine.clipboard, "mine");
    notice.press("Copy Request");
    await editor.until("the request", () =>
      /^Please allow vault-rotate@1\.2\.0 in the project Local Demo/.test(machine.clipboard),
    );
  });

  it("A code is found in a pasted mail", async () => {
    const signedIn = editor.run("signIn");
    await editor.choose("Sign In with Another Account…");
    await editor.choose("Code by Email");
    await editor.answer("owner@local.example");
    await editor.input(/\d:\d\d left, 5 tries/);
    await editor.answer("no code in this");
    await editor.input("contains no six-digit code");
    await editor.answer(`Hello, your code is ${codes.get("owner@local.example")}. Sent at 10:15`);
    await signedIn;
    await accountsAre(
      editor,
      "developer@local.example (Local Workspace)",
      "owner@local.example (Local Workspace)",
    );
  });

  it("The project shows the invocations of others, apart from this editor's invocations", async () => {
    await post("runtime/test", { skillSlug: "text-stats", input: { text: "by somebody else" } });
    await editor.run("refresh");
    const row = await editor.row("project", /^Recent Invocations 1/);
    await (await editor.view("project")).fold(row, true);
    await editor.row("project", /^text-stats success · not from this editor/);
  });

  it("An install asks first, and shows a hostile secret name on one line", async () => {
    const installed = editor.run("installSkill", "sly-skill");
    const dialog = await editor.dialog("Install sly-skill@1.0.0");
    const uses = "Uses 1 secret of the project: KEY Cost: nothing.\\u202Egnp";
    const line = `Permissions: ${uses}. Connects to other services over the network.`;
    assert.ok(dialog.text.split("\n").includes(line), dialog.text);
    dialog.press("Cancel");
    await installed;
  });

  it("An invocation that needed a subscription continues after its checkout", async () => {
    await editor.newPayload("market-data");
    const tested = editor.chooseAction("Test Run");
    await editor.press("Test run market-data@", "Run");
    await tested;
    await editor.press("market-data was not run", "Subscribe…");
    await editor.press("Open the checkout in the browser?", "Open");
    const notice = await editor.notification("Continue here once the checkout");
    assert.deepEqual(editor.parts.openedOutside, ["https://checkout.example/pay"]);
    await post("subscriptions", { skillSlug: "market-data", status: "active" });
    notice.press("I Have Subscribed");
    await editor.press("market-data is no longer blocked", "Invoke Again");
    await editor.row("invocations", /^market-data@\S+ 1 × test run, success/);
  });

  it("The project shows the current state after the server died during a change", async () => {
    server.dieOver("after");
    const suspended = editor.run("suspendSkill");
    await editor.choose("CSV profile");
    await editor.answer("not needed now");
    await suspended;
    await editor.notification(/It is not known whether this was changed/);
    const restored = editor.run("restoreSkill");
    await editor.choose("CSV profile");
    await restored;
    await editor.status("CSV profile restored");
  });

  it("Signing out removes the token, and reports how long it stays valid", async () => {
    const signedOut = editor.run("signOut");
    await editor.choose("owner@local.example (Local Workspace)");
    await signedOut;
    await editor.notification(/owner@local.example .* until .*, or the next sign-in here/);
    await accountsAre(editor, "developer@local.example (Local Workspace)");
  });
});

describe("A remedy", () => {
  const editor = useEditor();

  it("It changes no project if the window has switched to another registry since the rejection", async () => {
    const [blocking, other] = await Promise.all([startLocalRegistry(), startLocalRegistry()]);
    const signIn = async (registry: LocalRegistry) => {
      await editor.connectTo(registry);
      const signedIn = editor.run("signIn");
      await editor.choose("User Token");
      await editor.answer(registry.userTokens.owner);
      await signedIn;
      await editor.status("Local Demo");
    };
    await signIn(blocking);
    await editor.newPayload("vault-rotate");
    const tested = editor.chooseAction("Test Run");
    await editor.press("Test run vault-rotate@", "Run");
    await tested;
    const notice = await editor.notification("vault-rotate was not run");
    await signIn(other);
    notice.press("Allow in Policy…");
    await editor.notification("Not connected to the registry that blocked vault-rotate");
    assert.ok(!editor.parts.notices.some(({ kind }) => kind === "dialog"));
    await Promise.all([blocking.close(), other.close()]);
  });
});

describe("A remedy whose project is still being read", () => {
  const editor = useEditor();

  it("It changes no project if the window switches to another registry meanwhile", async () => {
    const [blocking, other] = await Promise.all([startLocalRegistry(), startLocalRegistry()]);
    const server = await startDyingServer(blocking.baseUrl);
    const signIn = async (at: { readonly baseUrl: string }, token: string) => {
      await editor.connectTo(at);
      const signedIn = editor.run("signIn");
      await editor.choose("User Token");
      await editor.answer(token);
      await signedIn;
      await editor.status("Local Demo");
    };
    await signIn(other, other.userTokens.owner);
    await signIn(server, blocking.userTokens.owner);
    await editor.newPayload("vault-rotate");
    const releaseReads = server.holdReadsAfterChange();
    const tested = editor.chooseAction("Test Run");
    await editor.press("Test run vault-rotate@", "Run");
    await tested;
    await editor.press("vault-rotate was not run", "Allow in Policy…");
    await editor.progress("Reading the project");
    await editor.connectTo(other);
    releaseReads();
    await editor.notification("Not connected to the registry that blocked vault-rotate");
    assert.ok(!editor.parts.notices.some(({ kind }) => kind === "dialog"));
    await Promise.all([server.close(), blocking.close(), other.close()]);
  });
});

describe("A command for a project", () => {
  const editor = useEditor();
  let registry: LocalRegistry;
  let forgetful: TestRegistry;
  before(async () => {
    registry = await startLocalRegistry();
    const answers = {
      "/v1/developer/projects": { status: 401, body: { error: "Unknown token." } },
    };
    forgetful = await startTestRegistry(answers, { behind: registry });
    await editor.connectTo(forgetful);
  });
  after(async () => {
    await forgetful.close();
    await registry.close();
  });

  it("It reports that nobody is signed in if the registry ended the session", async () => {
    const created = editor.run("createProjectKey");
    await editor.choose("For This Editor");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await created;
    await editor.notification("You are not signed in to this registry.");
  });
});
