import type * as vscode from "vscode";
import type { Api, Claim, Place } from "./contract";

/** Records all events of the documents with these names. */
function hearOf(api: Api, { hear }: Place, ...names: string[]): void {
  const note = (what: string) => (document: vscode.TextDocument) => {
    const name = document.uri.path.split("/").at(-1) ?? "";
    return names.includes(name) ? `${what} ${name}` : undefined;
  };
  const { workspace } = api;
  hear(workspace.onDidOpenTextDocument, note("open"));
  hear(workspace.onDidCloseTextDocument, note("close"));
  hear(workspace.onDidSaveTextDocument, note("saved"));
  hear(workspace.onWillSaveTextDocument, ({ document }) => note("will save")(document));
  hear(workspace.onDidChangeTextDocument, ({ document, contentChanges }) =>
    note(`change of ${contentChanges.length}`)(document),
  );
}

function insertion(api: Api, uri: vscode.Uri, text: string): vscode.WorkspaceEdit {
  const edit = new api.WorkspaceEdit();
  edit.insert(uri, new api.Position(0, 0), text);
  return edit;
}

/** Closes an unsaved document, for which the window opens a tab by itself at some time. */
async function closeUnsaved({ commands, window }: Api, document: vscode.TextDocument) {
  await window.showTextDocument(document);
  await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

export const documentClaims: readonly Claim[] = [
  {
    claim: "A file's language goes by its ending",
    run: async ({ workspace }, { file }) => {
      const names = ["a.json", "b.jsonc", "c.skill-input.json", "d.txt", "e.md"];
      const found: string[] = [];
      for (const name of names) {
        found.push((await workspace.openTextDocument(await file(name))).languageId);
      }
      return found;
    },
    expected: ["json", "jsonc", "json", "plaintext", "markdown"],
  },
  {
    claim: "A document that is opened twice is one",
    run: async ({ workspace }, { file }) => {
      const uri = await file("one.json");
      const [one, other] = await Promise.all([
        workspace.openTextDocument(uri),
        workspace.openTextDocument(uri),
      ]);
      return one === other;
    },
    expected: true,
  },
  {
    claim: "A text that never was a file is untitled and unsaved",
    run: async (api) => {
      const made = await api.workspace.openTextDocument({ language: "json", content: "{}" });
      const { isUntitled, isDirty, uri, languageId } = made;
      const found = [isUntitled, isDirty, uri.scheme, languageId, made.getText()];
      await closeUnsaved(api, made);
      return found;
    },
    expected: [true, true, "untitled", "json", "{}"],
  },
  {
    claim: "A file that is not there cannot be opened",
    run: async ({ Uri, workspace }) =>
      workspace.openTextDocument(Uri.file("/no/such/file.json")).then(
        () => "opened",
        (error) => error instanceof Error,
      ),
    expected: true,
  },
  {
    claim: "A document under an untitled address of a file is empty until it is written",
    run: async (api) => {
      const uri = api.Uri.file("/no/such/new.json").with({ scheme: "untitled" });
      const made = await api.workspace.openTextDocument(uri);
      const found = [made.getText(), made.languageId, made.isDirty, made.isUntitled];
      await closeUnsaved(api, made);
      return found;
    },
    expected: ["", "json", true, true],
  },
  {
    claim: "An edit is told once with what changed, and makes the document unsaved",
    run: async (api, place) => {
      const uri = await place.file("edited.json", "ab");
      const document = await api.workspace.openTextDocument(uri);
      const { version } = document;
      const changes: unknown[] = [];
      place.hear(api.workspace.onDidChangeTextDocument, ({ document: of, contentChanges }) => {
        if (of !== document || contentChanges.length === 0) return undefined;
        changes.push(
          ...contentChanges.map(({ text, rangeOffset, rangeLength }) => ({
            text,
            rangeOffset,
            rangeLength,
          })),
        );
        return "changed";
      });
      await api.workspace.applyEdit(insertion(api, uri, "c"));
      await place.hears("changed");
      return [changes, document.getText(), document.isDirty, document.version - version];
    },
    expected: [[{ text: "c", rangeOffset: 0, rangeLength: 0 }], "cab", true, 1],
  },
  {
    claim: "Another language is told as of a document that is closed and opened again",
    run: async (api, place) => {
      const document = await api.workspace.openTextDocument(await place.file("other.json"));
      hearOf(api, place, "other.json");
      const changed = await api.languages.setTextDocumentLanguage(document, "jsonc");
      return [place.heard, changed === document, document.languageId];
    },
    expected: [["close other.json", "open other.json"], true, "jsonc"],
  },
  {
    claim: "Saving is announced before it is done",
    run: async (api, place) => {
      const uri = await place.file("saved.json", "{}");
      const document = await api.workspace.openTextDocument(uri);
      await api.workspace.applyEdit(insertion(api, uri, " "));
      hearOf(api, place, "saved.json");
      await document.save();
      await place.hears("saved saved.json");
      const heard = place.heard.filter((one) => !one.startsWith("change"));
      return [
        heard,
        document.isDirty,
        new TextDecoder().decode(await api.workspace.fs.readFile(uri)),
      ];
    },
    expected: [["will save saved.json", "saved saved.json"], false, " {}"],
  },
  {
    claim: "What is changed while saving is announced goes into the file",
    run: async (api, place) => {
      const uri = await place.file("late.json", "{}");
      const document = await api.workspace.openTextDocument(uri);
      await api.workspace.applyEdit(insertion(api, uri, " "));
      const adding = api.workspace.onWillSaveTextDocument((event) => {
        if (event.document !== document) return;
        event.waitUntil(Promise.resolve([api.TextEdit.insert(new api.Position(0, 0), "\n")]));
      });
      await document.save();
      adding.dispose();
      return new TextDecoder().decode(await api.workspace.fs.readFile(uri));
    },
    expected: "\n {}",
  },
  {
    claim:
      "A renamed file's document is closed, and opened under its new name, before the renaming is told",
    run: async (api, place) => {
      const before = await place.file("before.json", "{}");
      await api.window.showTextDocument(before);
      const after = api.Uri.joinPath(before, "../after.json");
      hearOf(api, place, "before.json", "after.json");
      place.hear(api.workspace.onDidRenameFiles, ({ files }) => `rename of ${files.length}`);
      const edit = new api.WorkspaceEdit();
      edit.renameFile(before, after);
      await api.workspace.applyEdit(edit);
      await Promise.all(["rename of 1", "open after.json"].map(place.hears));
      await place.hears("close before.json");
      return [
        [...place.heard].sort(),
        api.window.activeTextEditor?.document.uri.path === after.path,
      ];
    },
    expected: [["close before.json", "open after.json", "rename of 1"], true],
  },
  {
    claim: "A file in a folder that is renamed is shown under its new name, in every column",
    run: async (api, place) => {
      const before = await place.file("in/deep.json", "{}");
      await api.window.showTextDocument(before, { viewColumn: api.ViewColumn.One });
      await api.window.showTextDocument(before, { viewColumn: api.ViewColumn.Two });
      const after = api.Uri.joinPath(before, "../../out/deep.json");
      place.hear(api.workspace.onDidCloseTextDocument, ({ uri }) =>
        uri.toString() === before.toString() ? "close" : undefined,
      );
      place.hear(api.workspace.onDidRenameFiles, ({ files }) => `rename of ${files.length}`);
      const edit = new api.WorkspaceEdit();
      edit.renameFile(api.Uri.joinPath(before, ".."), api.Uri.joinPath(after, ".."));
      await api.workspace.applyEdit(edit);
      await Promise.all(["rename of 1", "close"].map(place.hears));
      const shown = () => api.window.visibleTextEditors.map(({ document }) => document.uri.path);
      while (shown().length < 2 || shown().some((path) => path !== after.path)) {
        await new Promise((done) => api.window.onDidChangeVisibleTextEditors(done));
      }
      return shown().length;
    },
    expected: 2,
  },
  {
    claim: "A document of a read-only file system follows its provider",
    run: async (api, place) => {
      const changed = new api.EventEmitter<vscode.FileChangeEvent[]>();
      let text = "one";
      let mtime = 1;
      const none = () => {
        throw new Error("Nothing else is asked for.");
      };
      const provider = api.workspace.registerFileSystemProvider(
        "contract",
        {
          onDidChangeFile: changed.event,
          watch: () => ({ dispose: () => undefined }),
          stat: () => ({ type: api.FileType.File, ctime: 0, mtime, size: 0 }),
          // A byte order mark is no part of the text.
          readFile: () => new TextEncoder().encode(`\ufeff${text}`),
          ...{ readDirectory: none, createDirectory: none, writeFile: none },
          ...{ delete: none, rename: none },
        },
        { isReadonly: true },
      );
      const uri = api.Uri.parse("contract:/made.json");
      const document = await api.workspace.openTextDocument(uri);
      const first = document.getText();
      await api.window.showTextDocument(document);
      place.hear(api.workspace.onDidChangeTextDocument, ({ document: of }) =>
        of === document && of.getText() === "two" ? "changed" : undefined,
      );
      text = "two";
      mtime = 2;
      changed.fire([{ type: api.FileChangeType.Changed, uri }]);
      await place.hears("changed");
      provider.dispose();
      return [first, document.getText(), document.isDirty];
    },
    expected: ["one", "two", false],
  },
  {
    claim: "Places outside of a text are moved to its ends",
    run: async ({ Position, Range, workspace }, { file }) => {
      const document = await workspace.openTextDocument(await file("ends.txt", "ab\r\ncd"));
      const { line, character } = document.positionAt(99);
      const lineEnd = document.positionAt(3);
      return [
        [line, character],
        [lineEnd.line, lineEnd.character],
        document.offsetAt(new Position(0, 99)),
        document.offsetAt(new Position(9, 0)),
        document.lineCount,
        document.lineAt(1).text,
        document.getText(new Range(0, 1, 1, 1)),
      ];
    },
    expected: [[1, 2], [0, 2], 2, 6, 2, "cd", "b\r\nc"],
  },
];
