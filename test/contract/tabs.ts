import type * as vscode from "vscode";
import type { Api, Claim } from "./contract";

/** The tabs of each column by their labels; a preview in parentheses, the active one with a star. */
function columns({ window }: Api): string[] {
  return window.tabGroups.all.map(({ tabs }) =>
    tabs
      .map(
        ({ label, isPreview, isActive }) =>
          `${isPreview ? `(${label})` : label}${isActive ? "*" : ""}`,
      )
      .join(" "),
  );
}

export const tabClaims: readonly Claim[] = [
  {
    claim: "A preview takes the place of the preview before",
    run: async (api, { file }) => {
      for (const name of ["one.txt", "two.txt"]) {
        await api.window.showTextDocument(await file(name), { preview: true });
      }
      return columns(api);
    },
    expected: ["(two.txt)*"],
  },
  {
    claim: "A tab that is no preview is kept, and one that is edited is none any more",
    run: async (api, { file }) => {
      await api.window.showTextDocument(await file("kept.txt"), { preview: false });
      const edited = await file("edited.txt");
      await api.window.showTextDocument(edited, { preview: true });
      const edit = new api.WorkspaceEdit();
      edit.insert(edited, new api.Position(0, 0), "x");
      await api.workspace.applyEdit(edit);
      while (columns(api)[0]?.includes("(")) {
        await new Promise((done) => api.window.tabGroups.onDidChangeTabs(done));
      }
      await api.window.showTextDocument(await file("next.txt"), { preview: true });
      const shown = columns(api);
      await api.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      return shown;
    },
    expected: ["kept.txt edited.txt (next.txt)*"],
  },
  {
    claim: "A preview that is shown again to be kept is kept",
    run: async (api, { file }) => {
      const uri = await file("same.txt");
      await api.window.showTextDocument(uri, { preview: true });
      await api.window.showTextDocument(uri, { preview: false });
      return columns(api);
    },
    expected: ["same.txt*"],
  },
  {
    claim: "What is shown beside without the focus leaves the active editor as it is",
    run: async (api, { file }) => {
      const [one, other] = [await file("one.txt"), await file("other.txt")];
      await api.window.showTextDocument(one, { preview: false });
      const viewColumn = api.ViewColumn.Beside;
      const shown = await api.window.showTextDocument(other, { viewColumn, preserveFocus: true });
      return [
        columns(api).length,
        shown.viewColumn,
        api.window.activeTextEditor?.document.fileName === one.fsPath,
        api.window.visibleTextEditors.length,
        api.window.tabGroups.activeTabGroup.viewColumn,
      ];
    },
    expected: [2, 2, true, 2, 1],
  },
  {
    claim: "A column goes with its last tab",
    run: async (api, { file }) => {
      await api.window.showTextDocument(await file("one.txt"), { preview: false });
      const viewColumn = api.ViewColumn.Two;
      await api.window.showTextDocument(await file("two.txt"), { viewColumn, preview: false });
      const tab = api.window.tabGroups.all[1]?.tabs[0];
      if (tab !== undefined) await api.window.tabGroups.close(tab);
      return columns(api);
    },
    expected: ["one.txt*"],
  },
  {
    claim: "A file's document outlasts its last tab for a while",
    run: async (api, { file }) => {
      const { document } = await api.window.showTextDocument(await file("closing.txt"));
      const tab = api.window.tabGroups.activeTabGroup.activeTab;
      if (tab !== undefined) await api.window.tabGroups.close(tab);
      return [document.isClosed, api.workspace.textDocuments.includes(document)];
    },
    expected: [false, true],
  },
  {
    claim: "A tab that is gone cannot be closed",
    run: async (api, { file }) => {
      await api.window.showTextDocument(await file("gone.txt"));
      const tab = api.window.tabGroups.activeTabGroup.activeTab as vscode.Tab;
      await api.window.tabGroups.close(tab);
      return Promise.resolve()
        .then(() => api.window.tabGroups.close(tab))
        .then(
          () => "closed",
          (error) => error instanceof Error,
        );
    },
    expected: true,
  },
  {
    claim: "A text is shown with its selection, and its tab knows its address",
    run: async (api, { file }) => {
      const uri = await file("selected.txt", "one\ntwo");
      const selection = new api.Range(1, 0, 1, 3);
      const editor = await api.window.showTextDocument(uri, { selection });
      const input = api.window.tabGroups.activeTabGroup.activeTab?.input;
      return [
        editor.document.getText(editor.selection),
        editor.selection.active.character,
        input instanceof api.TabInputText && input.uri.toString() === uri.toString(),
      ];
    },
    expected: ["two", 3, true],
  },
  {
    claim: "Two texts are compared in one tab under the title given",
    run: async (api, { file }) => {
      const [one, other] = [await file("one.txt", "1"), await file("other.txt", "2")];
      await api.commands.executeCommand("vscode.diff", one, other, "One and the other");
      const tab = api.window.tabGroups.activeTabGroup.activeTab;
      const { input } = tab ?? {};
      return [
        tab?.label,
        input instanceof api.TabInputTextDiff &&
          [input.original, input.modified].map(({ path }) => path.split("/").at(-1)),
      ];
    },
    expected: ["One and the other", ["one.txt", "other.txt"]],
  },
  {
    claim: "A page is active when it opens, and no text editor is",
    run: async (api, { file }) => {
      await api.window.showTextDocument(await file("under.txt"), { preview: false });
      const { viewType, active, visible, tab } = await openPage(api);
      return [viewType, active, visible, tab, api.window.activeTextEditor === undefined];
    },
    expected: ["contract.page", true, true, "mainThreadWebview-contract.page", true],
  },
  {
    claim: "A page behind another tab tells that it is not seen, and tells again when it is",
    // That it is then loaded anew is shown by test/editor/inspect/page.test.ts: a browser may load a page late or never.
    run: async (api, { file }) => {
      const panel = api.window.createWebviewPanel("contract.page", "Page", api.ViewColumn.Active);
      const told: boolean[] = [];
      const tells = (visible: boolean) =>
        new Promise<void>((done) => {
          panel.onDidChangeViewState(() => {
            told.push(panel.visible);
            if (panel.visible === visible) done();
          });
        });
      const isHidden = tells(false);
      await api.window.showTextDocument(await file("over.txt"), { preview: false });
      await isHidden;
      const isSeen = tells(true);
      panel.reveal();
      await isSeen;
      return [told.includes(false), told.at(-1)];
    },
    expected: [true, true],
  },
  {
    claim: "A page that is closed tells so once and takes nothing more",
    run: async (api) => {
      const panel = api.window.createWebviewPanel("contract.page", "Page", api.ViewColumn.Active);
      let told = 0;
      panel.onDidDispose(() => {
        told += 1;
      });
      panel.dispose();
      panel.dispose();
      let isRefused = false;
      try {
        panel.webview.html = "<p>";
      } catch {
        isRefused = true;
      }
      return [told, isRefused];
    },
    expected: [1, true],
  },
];

async function openPage(api: Api) {
  const panel = api.window.createWebviewPanel("contract.page", "Page", api.ViewColumn.Active);
  const { tabGroups } = api.window;
  const page = () => {
    const input = tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof api.TabInputWebview ? input : undefined;
  };
  while (page() === undefined) {
    await new Promise((changed) => tabGroups.onDidChangeTabs(changed));
  }
  const { active, visible, viewType } = panel;
  return { active, visible, viewType, tab: page()?.viewType };
}
