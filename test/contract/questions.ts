import type * as vscode from "vscode";
import type { Api, Claim } from "./contract";

const close = (api: Api) => api.commands.executeCommand("workbench.action.closeQuickOpen");
const enter = (api: Api) =>
  api.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");

/** Opens a pick of two rows and waits until the first one is highlighted. */
async function openPick(
  api: Api,
  heard: string[],
): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
  const pick = api.window.createQuickPick();
  pick.items = [
    { label: "Group", kind: api.QuickPickItemKind.Separator },
    { label: "one" },
    { label: "two" },
  ];
  const isActive = new Promise<void>((done) => {
    pick.onDidChangeActive(([item]) => {
      heard.push(`active ${item?.label}`);
      if (item !== undefined) done();
    });
  });
  pick.onDidChangeSelection(([item]) => heard.push(`selection ${item?.label}`));
  pick.onDidChangeValue((value) => heard.push(`value ${value}`));
  pick.show();
  await isActive;
  return pick;
}

export const questionClaims: readonly Claim[] = [
  {
    claim: "A pick that is closed gives nothing",
    run: async (api) => {
      const picked = api.window.showQuickPick(["one", "two"]);
      await close(api);
      return (await picked) === undefined;
    },
    expected: true,
  },
  {
    claim: "Enter takes the row that is highlighted, the one object that was given",
    run: async (api) => {
      const rows = [{ label: "one" }, { label: "two" }];
      const shown = api.window.showQuickPick(rows, { onDidSelectItem: () => enter(api) });
      return rows.indexOf((await shown) as { label: string });
    },
    expected: 0,
  },
  {
    claim: "Of many rows Enter takes those that were marked",
    run: async (api) => {
      const heard: string[] = [];
      const pick = api.window.createQuickPick();
      pick.canSelectMany = true;
      pick.items = [{ label: "one" }, { label: "two", picked: true }];
      pick.selectedItems = pick.items.slice(1);
      const accepted = new Promise<void>((done) => pick.onDidAccept(done));
      pick.show();
      await enter(api);
      await accepted;
      heard.push(...pick.selectedItems.map(({ label }) => label));
      pick.dispose();
      return heard;
    },
    expected: ["two"],
  },
  {
    claim: "A second pick closes the first",
    run: async (api) => {
      const first = api.window.showQuickPick(["one"]);
      const second = api.window.showQuickPick(["two"]);
      const closed = await first;
      await close(api);
      return [closed === undefined, (await second) === undefined];
    },
    expected: [true, true],
  },
  {
    claim: "The first row that is no heading is highlighted",
    run: async (api) => {
      const pick = await openPick(api, []);
      const labels = pick.activeItems.map(({ label }) => label);
      pick.dispose();
      return labels;
    },
    expected: ["one"],
  },
  {
    claim: "Enter selects before it is told",
    run: async (api) => {
      const heard: string[] = [];
      const pick = await openPick(api, heard);
      const accepted = new Promise<void>((done) => {
        pick.onDidAccept(() => {
          heard.push(`accept ${pick.selectedItems[0]?.label}`);
          done();
        });
      });
      await enter(api);
      await accepted;
      pick.dispose();
      return heard.filter((one) => !one.startsWith("active"));
    },
    expected: ["selection one", "accept one"],
  },
  {
    claim: "A pick that the user closes tells so, and once more when it is disposed of",
    run: async (api) => {
      const pick = await openPick(api, []);
      let told = 0;
      const hidden = new Promise<void>((done) => {
        pick.onDidHide(() => {
          told += 1;
          done();
        });
      });
      await close(api);
      await hidden;
      pick.dispose();
      return told;
    },
    expected: 2,
  },
  {
    claim: "The key to go back presses the button at the top of a pick and of an input",
    run: async (api) => {
      const heard: string[] = [];
      for (const shown of [await openPick(api, []), api.window.createInputBox()]) {
        const { Back } = api.QuickInputButtons;
        shown.buttons = [Back];
        const pressed = new Promise<void>((done) => {
          shown.onDidTriggerButton((button) => {
            heard.push(`${button === Back}`);
            done();
          });
        });
        shown.show();
        await api.commands.executeCommand("workbench.action.quickInputBack");
        await pressed;
        shown.dispose();
      }
      return heard;
    },
    expected: ["true", "true"],
  },
  {
    claim: "A text that the extension puts into a pick is told like one that is typed",
    run: async (api) => {
      const heard: string[] = [];
      const pick = await openPick(api, heard);
      const told = new Promise((done) => pick.onDidChangeValue(done));
      pick.value = "tw";
      await told;
      pick.dispose();
      return heard.filter((one) => one.startsWith("value"));
    },
    expected: ["value tw"],
  },
  {
    claim: "An input that is closed gives nothing, and one with Enter its text",
    run: async (api) => {
      const left = api.window.showInputBox({ value: "left" });
      await close(api);
      const given = api.window.showInputBox({ value: "given" });
      await enter(api);
      return [(await left) === undefined, await given];
    },
    expected: [true, "given"],
  },
  {
    claim: "Enter is refused while what is typed is wrong",
    run: async (api) => {
      const asked: string[] = [];
      let isEnded = false;
      const given = api.window.showInputBox({
        value: "wrong",
        validateInput: (text) => {
          asked.push(text);
          return "It is wrong.";
        },
      });
      void given.then(() => {
        isEnded = true;
      });
      await enter(api);
      const endedByEnter = isEnded;
      await close(api);
      return [endedByEnter, (await given) === undefined, asked[0]];
    },
    expected: [false, true, "wrong"],
  },
  {
    claim: "A notification that is cleared gives nothing",
    run: async (api) => {
      const said = api.window.showInformationMessage("Contract", "Yes", "No");
      await api.commands.executeCommand("notifications.clearAll");
      return (await said) === undefined;
    },
    expected: true,
  },
  {
    claim: "Work with progress gives what it gives, and fails as it fails",
    run: async (api) => {
      const options = { location: api.ProgressLocation.Notification, title: "Contract" };
      const given = await api.window.withProgress(
        options,
        async (_, token) => token.isCancellationRequested,
      );
      const failed = await api.window
        .withProgress(options, async () => {
          throw new Error("no");
        })
        .then(
          () => "done",
          (error: Error) => error.message,
        );
      return [given, failed];
    },
    expected: [false, "no"],
  },
];
