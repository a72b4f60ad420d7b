import { withChange } from "../../src/protocol/pageChange";
import type { HostMessage, SkillPage } from "../../src/protocol/pageMessages";
import type { PageMessage } from "../../src/protocol/readPageMessage";
import type { Board } from "./screen/board";
import { fits } from "./screen/board";
import type { MemoryPanel } from "./screen/memoryPanel";

/** The page of a skill or of a comparison: what it shows, and what a person does in it. */
export class Page {
  constructor(
    readonly panel: MemoryPanel,
    private readonly board: Board,
  ) {}

  /** What it now shows. Undefined before its first content. */
  get shown(): SkillPage | undefined {
    return (this.panel.messages as HostMessage[]).reduce<SkillPage | undefined>(
      (shown, message) => {
        if (message.type === "snapshot") return message.page;
        return message.type === "change" && shown !== undefined
          ? withChange(shown, message)
          : shown;
      },
      undefined,
    );
  }

  /** Every text of what it shows, a line each. */
  get text(): string {
    return textsOf(this.shown).join("\n");
  }

  /** Waits until it shows a text. */
  shows(wanted: string | RegExp): Promise<unknown> {
    return this.board.until(`${wanted} on the page ${this.panel.title}`, () =>
      fits(this.text, wanted),
    );
  }

  /** Sends a message, as the page does after a person's action. */
  send(message: PageMessage): void {
    this.panel.send(message);
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
