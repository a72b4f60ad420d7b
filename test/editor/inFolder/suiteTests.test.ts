import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { SuiteTests, type SuiteTestsParts } from "../../../src/host/suites/suiteTests";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { bareSkill } from "../../fixtures/skillDetail";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const suite = {
  format: 1,
  skill: "text-stats",
  cases: [
    { name: "two words", payload: { text: "Good morning" }, expect: { output: { "/words": 2 } } },
    { name: "no text", payload: {}, expect: { invalid: ["required"] } },
    { name: "three words", payload: { text: "a b c" }, expect: { output: { "/words": 2 } } },
    { name: "wrong payload", payload: { text: 1 } },
  ],
};
const text = JSON.stringify(suite, undefined, 2);
const inLatin1 = { name: "not UTF-8", payloadFile: "latin1.json" };
const withFile = { ...suite, cases: [...suite.cases, inLatin1] };
const textWithFile = JSON.stringify(withFile, undefined, 2);
const lineOf = (part: string) =>
  textWithFile.slice(0, textWithFile.lastIndexOf(part)).split("\n").length - 1;

describe("Suites in the Test Explorer", () => {
  const window = useWindow();

  async function written(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root !== undefined);
    const uri = vscode.Uri.joinPath(root, path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
    window.atEnd(() => vscode.workspace.fs.delete(uri));
    return uri;
  }

  const rows = () => window.page.locator(".test-explorer .monaco-list-row");
  const row = (name: string) => rows().filter({ hasText: name });

  async function expand(): Promise<void> {
    const closed = window.page.locator('.test-explorer .monaco-list-row[aria-expanded="false"]');
    // A row that is drawn anew or opens by itself meanwhile is found the next time.
    const options = { timeout: 2_000 };
    if ((await closed.count()) > 0)
      await closed.first().locator(".monaco-tl-twistie").click(options);
  }

  const told = (name: string, word: string) =>
    eventually(`${name} ${word}`, async () => {
      const labels = await row(name).evaluateAll((all) =>
        all.map((one) => one.getAttribute("aria-label") ?? ""),
      );
      if (labels.some((label) => label.includes(word))) return true;
      await expand();
      return false;
    });

  /** Suites with a controller of their own, and what a run says of each case. */
  function observedSuites(id: string, parts: SuiteTestsParts) {
    const controller = vscode.tests.createTestController(id, "Fake Suites");
    window.atEnd(() => controller.dispose());
    const results: string[] = [];
    const messages: vscode.TestMessage[] = [];
    const note = (word: string) => (item: vscode.TestItem, found?: unknown) => {
      results.push(`${item.label}: ${word}`);
      if (Array.isArray(found)) messages.push(...found);
    };
    const run = {
      enqueued: () => {},
      started: () => {},
      ended: () => {},
      appendOutput: () => {},
      end: () => {},
      passed: note("passed"),
      failed: note("failed"),
      errored: note("errored"),
      skipped: note("skipped"),
    };
    const observed = new Proxy(controller, {
      get: (target, name) =>
        name === "createTestRun" ? () => run : Reflect.get(target, name, target),
    });
    const suites = new SuiteTests(observed, parts);
    window.atEnd(() => suites.dispose());
    return { suites, controller, results, messages };
  }

  const changing = foreignSkills[0]?.manifest as JsonObject;
  const cases = ["asked for first", "asked for later"].map((name) => ({
    name,
    payload: { text: name },
  }));

  /** Runs two cases, with five minutes between them. Resolves to what was sent, once the first question is open. */
  async function runTwoCases(name: string, meanwhile: () => void): Promise<readonly string[]> {
    const sent: string[] = [];
    const registry = await startForeignRegistry({
      dialect: "camel",
      prices: true,
      intercept: ({ path, body }) => {
        if (path !== "/v1/runtime/invoke") return false;
        sent.push(body);
        meanwhile();
        letPass(5);
        return false;
      },
    });
    await window.connectTo(registry);
    const set = vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.answer(registry.projectKey);
    await set;
    const text = JSON.stringify({ format: 1, skill: "word-tally", cases });
    const uri = await written(`unwatched/${name}.skill-suite.json`, text);
    await vscode.workspace.openTextDocument(uri);
    await vscode.commands.executeCommand("workbench.view.testing.focus");
    await eventually("the suite", async () => {
      await vscode.commands.executeCommand("testing.refreshTests");
      return (await row(name).count()) > 0;
    });
    // While a question is open, no row can be expanded.
    await eventually("the cases", async () => {
      await expand();
      return (await row(name).and(window.page.locator('[aria-expanded="true"]')).count()) > 0;
    });
    await window.chooseFromMenu(row(name), "Execute Using Profile...");
    await window.choose("Invoke Live");
    await window.pressInDialog("Run the cases by invoking their skills?", "Invoke All");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    return sent;
  }

  it("are checked offline by default, and invoked by a profile that says the cost first", async () => {
    // No watcher looks there, as none may see a file that is written in the instant its folder is made.
    const first = await written("unwatched/words.skill-suite.json", text);
    await vscode.workspace.openTextDocument(first);
    await vscode.commands.executeCommand("workbench.view.testing.focus");
    // The entry comes with the first file, and refreshing reaches only entries that are there.
    await eventually("the suite", async () => {
      await vscode.commands.executeCommand("testing.refreshTests");
      return (await row("words").count()) > 0;
    });
    await told("two words", "two words");
    await vscode.commands.executeCommand("testing.runAll");
    await told("two words", "Skipped");
    await told("no text", "Passed");
    await told("wrong payload", "Failed");

    await window.chooseFromMenu(row("three words"), "Execute Using Profile...");
    await window.choose("Invoke Live");
    await window.dialog.getByText("1 invocation, free.").waitFor();
    await window.pressInDialog("Run the cases by invoking their skills?", "Invoke All");
    await told("three words", "Failed");
    // Whoever is not signed in is asked to on the way, and stays among the cases.
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.signOut"));
    await vscode.commands.executeCommand("testing.runAll");
    await told("three words", "Skipped");
    await window.chooseFromMenu(row("three words"), "Execute Using Profile...");
    await window.choose("Test Run, Not Billed");
    await window.dialog.getByText("1 test run, not billed.").waitFor();
    await window.pressInDialog("Run the cases in the project?", "Run All");
    await window.choose("developer@local.example");
    await told("three words", "Failed");
    await written("inputs/other.skill-suite.json", "{");
    await eventually("what is broken", async () => {
      await expand();
      return (await rows().filter({ hasText: "is missing at the end" }).count()) > 0;
    });
  });

  it("send nothing more to a skill that changed while they ran for long", async () => {
    const before = changing["outputSchema"] ?? null;
    window.atEnd(() => {
      changing["outputSchema"] = before;
    });
    const sent = await runTwoCases("changing", () => {
      changing["outputSchema"] = { type: "string" };
    });
    await told("asked for first", "Passed");
    await told("asked for later", "Errored");
    assert.equal(sent.length, 1);
    const reason = "it changed at the registry after it was agreed to";
    await window.page.getByText(reason).first().waitFor();
  });

  it("ask again after five minutes what had to be agreed to", async () => {
    await window.set("skillRegistry.cost.dailyCeilingCents", 5);
    const sent = await runTwoCases("limited", () => {});
    const question = "Exceed your daily spending limit?";
    await window.dialog.getByText("This invocation of word-tally costs €0.06.").waitFor();
    await window.pressInDialog(question, "Invoke Anyway");
    await window.dialog.getByText("With €0.03 spent today").waitFor();
    await told("asked for first", "Passed");
    await window.pressInDialog(question, "Cancel");
    await told("asked for later", "Errored");
    assert.equal(sent.length, 1);
    const reason = "it would exceed the daily spending limit";
    await window.page.getByText(reason).first().waitFor();
  });

  it("say what differs at its place, and send nothing that was not agreed to", async () => {
    await written("inputs/latin1.json", Buffer.from('{"text":"Müller"}', "latin1"));
    const uri = await written("inputs/fake.skill-suite.json", textWithFile);
    const questions: string[] = [];
    const sent: string[] = [];
    const isAgreed = { value: false };
    const skill = { ...bareSkill, inputSchema: {}, outputSchema: {} };
    const parts: SuiteTestsParts = {
      details: { find: async () => ({ ok: true, value: skill }) },
      checks: {
        checkText: async (_, payload) => {
          const isValid = payload !== '{"text":1}' && payload !== "{}";
          const problem = { code: "required", message: "No.", severity: "error" as const };
          return {
            state: isValid ? "valid" : "invalid",
            hiddenProblems: 0,
            problems: isValid ? [] : [{ ...problem, start: 0, end: 1, pointer: "" }],
          };
        },
      },
      sender: {
        agrees: async (planned, level) => {
          questions.push(`${level} ${planned.map(({ count }) => count)}`);
          return isAgreed.value;
        },
        open: async () => ({
          skill,
          send: async ({ inputText }) => {
            sent.push(inputText);
            return {
              kind: "success",
              acceptedNotRun: false,
              outputText: '{"words":2.5}',
              durationMs: 1,
            };
          },
        }),
      },
    };
    const { suites, controller, results, messages } = observedSuites("fakeSuites", parts);
    await suites.discover();
    const item = controller.items.get(uri.toString());
    assert.ok(item !== undefined);
    const { token } = new vscode.CancellationTokenSource();
    const runAt = async (level: "offline" | "live") => {
      results.length = 0;
      await suites.run(new vscode.TestRunRequest([item]), token, level);
      return results;
    };
    const cases = withFile.cases.map(({ name }) => name);
    assert.deepEqual(
      await runAt("live"),
      cases.map((name) => `${name}: skipped`),
    );
    assert.deepEqual([questions, sent], [["live 4"], []]);

    assert.deepEqual(await runAt("offline"), [
      "two words: skipped",
      "no text: passed",
      "three words: skipped",
      "wrong payload: failed",
      "not UTF-8: failed",
    ]);
    assert.deepEqual([questions, sent], [["live 4"], []]);

    messages.length = 0;
    isAgreed.value = true;
    await runAt("live");
    assert.deepEqual(sent, ['{"text":"Good morning"}', '{"text":"a b c"}']);
    const shown = messages.map(({ message, expectedOutput, actualOutput, location }) => [
      message,
      expectedOutput,
      actualOutput,
      location?.range.start.line,
    ]);
    assert.deepEqual(shown.slice(1), [
      ["Expected 2 at /words; it is 2.5.", "2", "2.5", lineOf('"/words"')],
      ["The payload is not valid: No. (required)", undefined, undefined, lineOf('"payload"')],
      ["latin1.json could not be read.", undefined, undefined, lineOf('"payloadFile"')],
    ]);
  });

  it("ask nothing more once their run is stopped", async () => {
    const two = JSON.stringify({ ...suite, cases: suite.cases.slice(0, 1) });
    const uris = [
      await written("inputs/stop1.skill-suite.json", two),
      await written("inputs/stop2.skill-suite.json", two),
    ];
    let stopping = new vscode.CancellationTokenSource();
    let stopAt = "";
    const done: string[] = [];
    /** Notes what a run does, and stops it there. */
    const reach = (step: string) => {
      done.push(step);
      if (step === stopAt) stopping.cancel();
    };
    const skill = { ...bareSkill, inputSchema: {}, outputSchema: {} };
    const { suites, controller, results } = observedSuites("stoppedSuites", {
      details: {
        find: async () => {
          reach(`read ${done.filter((step) => step.startsWith("read")).length + 1}`);
          return { ok: true, value: skill };
        },
      },
      checks: { checkText: async () => ({ state: "valid", hiddenProblems: 0, problems: [] }) },
      sender: {
        agrees: async () => {
          reach("ask for all");
          return true;
        },
        open: async () => {
          reach("ask for one");
          return {
            skill,
            send: async (_, __, signal) => {
              reach("send");
              signal.throwIfAborted();
              return {
                kind: "success",
                acceptedNotRun: false,
                outputText: '{"words":2}',
                durationMs: 1,
              };
            },
          };
        },
      },
    });
    await suites.discover();
    const items = uris.map((uri) => controller.items.get(uri.toString()) ?? assert.fail());
    for (const [at, ...steps] of stops) {
      stopping = new vscode.CancellationTokenSource();
      stopAt = at;
      done.length = 0;
      results.length = 0;
      await suites.run(new vscode.TestRunRequest(items), stopping.token, "live");
      stopping.dispose();
      assert.deepEqual(done, steps);
      assert.equal(results.length, 2);
      assert.equal(results.at(-1), "two words: skipped");
    }
  });
});

/** Lets minutes pass on the clock of this extension host, which never goes back. */
function letPass(minutes: number): void {
  const { now } = performance;
  performance.now = () => now.call(performance) + minutes * 60_000;
}

/** Where a run of two suites is stopped, and all it does: reading a skill for the price, or for the run, and asking. */
const stops: readonly (readonly [at: string, ...steps: string[]])[] = [
  ["read 1", "read 1"],
  ["read 2", "read 1", "read 2"],
  ["read 3", "read 1", "read 2", "ask for all", "read 3"],
  ["send", "read 1", "read 2", "ask for all", "read 3", "ask for one", "send"],
  ["read 4", "read 1", "read 2", "ask for all", "read 3", "ask for one", "send", "read 4"],
];
