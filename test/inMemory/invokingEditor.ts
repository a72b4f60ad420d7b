import { MemoryEditor } from "./memoryEditor";
import { Machine } from "./vscode/machine";

// A separate program: an editor in which a person invokes `text-stats` with one text after another. Prints each text
// whose end it showed. Its arguments are the folder of its machine, the registry, a Project Key and the texts.

const [folder, baseUrl = "", projectKey = "", ...texts] = process.argv.slice(2);
const settings = { "skillRegistry.history.keepTexts": "always" };
const editor = new MemoryEditor({ machine: new Machine(folder), settings });
void invokeAll().then(() => process.exit());

async function invokeAll(): Promise<void> {
  await editor.connectTo({ baseUrl });
  for (const text of texts) {
    await editor.newPayload("text-stats", JSON.stringify({ text }));
    await invoke();
    process.stdout.write(`${text}\n`);
  }
}

/** Invokes the active payload and answers all questions, as a person would. */
async function invoke(): Promise<void> {
  const { board, quickInputs } = editor.parts;
  let isOver = false;
  const invoking = editor.run("invoke").finally(() => {
    isOver = true;
    board.changed();
  });
  while (!isOver) {
    const asked = await editor.until("the end of the invocation, or a question", () => {
      const dialog = editor.parts.notices.find(({ kind }) => kind === "dialog");
      return isOver ? "none" : (dialog ?? (quickInputs.current && "key"));
    });
    if (asked === "key") await editor.answer(projectKey);
    else if (asked !== "none") asked.press("Invoke");
  }
  await invoking;
}
