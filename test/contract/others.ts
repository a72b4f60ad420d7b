import type * as vscode from "vscode";
import type { Api, Claim } from "./contract";

const setting = "history.maxEntries";
const settings = ({ workspace }: Api) => workspace.getConfiguration("skillRegistry");

/** Changes a setting of the user's until a script has ended. */
async function changed<T>(api: Api, value: unknown, work: () => T | Promise<T>): Promise<T> {
  try {
    await settings(api).update(setting, value, true);
    return await work();
  } finally {
    await settings(api).update(setting, undefined, true);
  }
}

async function refuses(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}

export const otherClaims: readonly Claim[] = [
  {
    claim: "A setting tells its default and the user's value apart",
    run: async (api) => {
      const look = () => {
        const { key, defaultValue, globalValue, workspaceValue } =
          settings(api).inspect(setting) ?? {};
        return [key, defaultValue, globalValue, workspaceValue];
      };
      return [look(), await changed(api, 7, look), look()];
    },
    expected: [
      ["skillRegistry.history.maxEntries", 1000, undefined, undefined],
      ["skillRegistry.history.maxEntries", 1000, 7, undefined],
      ["skillRegistry.history.maxEntries", 1000, undefined, undefined],
    ],
  },
  {
    claim: "Settings that were read stay as they were",
    run: async (api) => {
      const before = settings(api);
      return changed(api, 7, () => [before.get(setting), settings(api).get(setting)]);
    },
    expected: [1000, 7],
  },
  {
    claim: "A change of a setting is told with its section, before the update ends",
    run: async (api, place) => {
      place.hear(api.workspace.onDidChangeConfiguration, (event) =>
        ["skillRegistry", `skillRegistry.${setting}`, "skillRegistry.baseUrl", "http"]
          .map((section) => event.affectsConfiguration(section))
          .join(),
      );
      return changed(api, 7, () => [...place.heard]);
    },
    expected: ["true,true,false,false"],
  },
  {
    claim: "A workspace cannot set what is the application's, nor anybody what is not registered",
    run: async (api) => [
      await refuses(() => settings(api).update(setting, 7, false)),
      await refuses(() => settings(api).update("noSuchSetting", 7, true)),
    ],
    expected: [true, true],
  },
  {
    claim: "A setting that is not there gives what stands in for it",
    run: (api) => [
      settings(api).get("noSuchSetting", 3),
      settings(api).get("noSuchSetting") === undefined,
      settings(api).has("noSuchSetting"),
      settings(api).has(setting),
    ],
    expected: [3, true, false, true],
  },
  {
    claim: "Diagnostics are kept by address, and each change is told",
    run: async (api, place) => {
      const uri = api.Uri.parse("contract:/marked.json");
      place.hear(api.languages.onDidChangeDiagnostics, ({ uris }) =>
        uris.some((one) => one.toString() === uri.toString()) ? "changed" : undefined,
      );
      const collection = api.languages.createDiagnosticCollection("contract");
      const problem = new api.Diagnostic(new api.Range(0, 0, 0, 1), "no");
      collection.set(uri, [problem]);
      const found = api.languages.getDiagnostics(uri);
      await place.hears("changed");
      collection.delete(uri);
      const left = api.languages.getDiagnostics(uri).length;
      collection.dispose();
      return [found.length, found[0]?.severity, found[0]?.message, left];
    },
    expected: [1, 0, "no", 0],
  },
  {
    claim: "A language and a pattern fit a document, another scheme does not",
    run: async (api, { file }) => {
      const document = await api.workspace.openTextDocument(await file("a.skill-input.json"));
      const fits = (selector: vscode.DocumentSelector) =>
        api.languages.match(selector, document) > 0;
      return [
        fits({ language: "json" }),
        fits([{ language: "jsonc" }, { pattern: "**/*.skill-input.json" }]),
        fits({ pattern: "**/*.{json,txt}" }),
        fits({ language: "json", scheme: "untitled" }),
        fits({ pattern: "*.skill-suite.json" }),
      ];
    },
    expected: [true, true, true, false, false],
  },
  {
    claim: "A provider of completions that is exclusive for a document silences the others",
    run: async (api, { file }) => {
      const document = await api.workspace.openTextDocument(await file("exclusive.txt", "a"));
      const provider = (label: string) => ({
        provideCompletionItems: () => [new api.CompletionItem(label)],
      });
      const selector = { pattern: document.uri.fsPath, exclusive: true };
      const registered = [
        api.languages.registerCompletionItemProvider({ language: "plaintext" }, provider("all")),
        api.languages.registerCompletionItemProvider(selector, provider("one")),
      ];
      const list = await api.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        new api.Position(0, 0),
      );
      for (const one of registered) one.dispose();
      return list.items.map(({ label }) => label);
    },
    expected: ["one"],
  },
  {
    claim: "A command gets the very argument it is run with, and gives back what it returns",
    run: async (api) => {
      const given = {};
      const command = api.commands.registerCommand(
        "contract.echo",
        (argument) => argument === given,
      );
      const echoed = await api.commands.executeCommand("contract.echo", given);
      const isTaken = await refuses(() => api.commands.registerCommand("contract.echo", () => {}));
      command.dispose();
      return [echoed, isTaken, await refuses(() => api.commands.executeCommand("contract.echo"))];
    },
    expected: [true, true, true],
  },
  {
    claim: "A file that is not there is not found, and one that is written is",
    run: async (api, { file }) => {
      const uri = api.Uri.joinPath(await file("there.txt"), "../new.txt");
      const code = await Promise.resolve(api.workspace.fs.stat(uri)).then(
        () => "found",
        (error: vscode.FileSystemError) => [error instanceof api.FileSystemError, error.code],
      );
      await api.workspace.fs.writeFile(uri, new TextEncoder().encode("abc"));
      const { type, size } = await api.workspace.fs.stat(uri);
      const names = await api.workspace.fs.readDirectory(api.Uri.joinPath(uri, ".."));
      return [code, type, size, names.map(([name]) => name).sort()];
    },
    expected: [[true, "FileNotFound"], 1, 3, ["new.txt", "there.txt"]],
  },
  {
    claim: "Without a folder there is nothing to find, and a path stays whole",
    run: async (api) => [
      (await api.workspace.findFiles("**/*")).length,
      api.workspace.asRelativePath("/some/where.json"),
      api.workspace.getWorkspaceFolder(api.Uri.file("/some/where.json")) === undefined,
      api.workspace.workspaceFolders === undefined,
    ],
    expected: [0, "/some/where.json", true, true],
  },
  {
    claim: "Addresses are joined, changed and written",
    run: ({ Uri }) => [
      Uri.joinPath(Uri.file("/a/b"), "../c d.json").toString(),
      Uri.file("/a/b").with({ scheme: "untitled" }).toString(),
      Uri.parse("skill:/x?y=1#z").query,
      Uri.from({ scheme: "skill", path: "/x", query: "y=a b" }).toString(true),
    ],
    expected: ["file:///a/c%20d.json", "untitled:/a/b", "y=1", "skill:/x?y=a b"],
  },
  {
    claim: "Ranges are put in order, and selections know where they began",
    run: ({ Position, Range, Selection }) => {
      const range = new Range(1, 5, 0, 2);
      const selection = new Selection(new Position(1, 5), new Position(0, 2));
      return [
        [range.start.line, range.start.character],
        range.contains(new Position(1, 5)),
        range.intersection(new Range(2, 0, 3, 0)) === undefined,
        [selection.isReversed, selection.active.line],
      ];
    },
    expected: [[0, 2], true, true, [true, 0]],
  },
  {
    claim: "A test stands below the one that it was added to",
    run: (api) => {
      const controller = api.tests.createTestController("contract", "Contract");
      const parent = controller.createTestItem("parent", "Parent");
      const child = controller.createTestItem("child", "Child");
      controller.items.add(parent);
      parent.children.add(child);
      const found = [controller.items.size, child.parent === parent, parent.parent === undefined];
      parent.children.delete("child");
      const left = parent.children.size;
      controller.dispose();
      return [...found, left];
    },
    expected: [1, true, true, 0],
  },
];
