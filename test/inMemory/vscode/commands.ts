import { isTrue } from "./when";

/** An entry of a menu in the manifest. */
interface MenuEntry {
  readonly command?: string;
  readonly when?: string;
  readonly group?: string;
}

/** The members of the manifest that the stand-in reads, with texts in the editor's language. */
export interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly commands: readonly {
      command: string;
      title: string;
      category?: string;
      enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly views: Readonly<Record<string, readonly { id: string; name: string }[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when?: string }[];
    readonly configuration: { properties: Record<string, { default?: unknown; scope?: string }> };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a command is given whatever its caller gives.
export type Handler = (...given: any[]) => unknown;

/** Commands, context keys, and the menus that the manifest defines. */
export class Commands {
  private readonly registered = new Map<string, Handler>();
  /** The context keys set with `setContext`. */
  readonly keys = new Map<string, unknown>();
  /** The editor's own commands that were run, each with its arguments. */
  readonly ran: (readonly [string, ...unknown[]])[] = [];

  constructor(
    private readonly manifest: Manifest,
    /** The editor's own commands. */
    private readonly own: Readonly<Record<string, Handler>>,
    /** Called when a context key was set. */
    private readonly keySet: () => void = () => undefined,
  ) {}

  register(id: string, handler: Handler, self?: unknown): { dispose(): void } {
    if (this.registered.has(id)) throw new Error(`command '${id}' already exists`);
    this.registered.set(id, handler.bind(self));
    return { dispose: () => this.registered.delete(id) };
  }

  /** Runs a command. Rejects if it does not exist, or with its own rejection. */
  async run(id: string, ...given: unknown[]): Promise<unknown> {
    if (id === "setContext") {
      this.keys.set(String(given[0]), given[1]);
      this.keySet();
      return undefined;
    }
    const handler = this.registered.get(id);
    if (handler !== undefined) return handler(...given);
    this.ran.push([id, ...given]);
    const own = this.own[id];
    if (own === undefined) throw new Error(`command '${id}' not found`);
    return own(...given);
  }

  list(): string[] {
    return [...this.registered.keys(), ...Object.keys(this.own)];
  }

  /**
   * Returns the command with this title in the palette, including its category. Throws if the palette does not offer
   * it.
   */
  inPalette(title: string): string {
    const found = this.palette().find(([, shown]) => shown === title);
    if (found === undefined) throw new Error(`The palette has no “${title}”.`);
    return found[0];
  }

  /** The commands that the palette offers, each with its title. */
  palette(): (readonly [command: string, title: string])[] {
    const hidden = new Map(
      (this.manifest.contributes.menus["commandPalette"] ?? []).map(({ command, when }) => [
        command,
        when,
      ]),
    );
    return this.manifest.contributes.commands
      .filter(({ command }) => isTrue(hidden.get(command), (key) => this.keys.get(key)))
      .map(({ command, category, title }) => [
        command,
        category === undefined ? title : `${category}: ${title}`,
      ]);
  }

  /** Returns the welcome text of a view without rows, and its buttons. */
  welcome(view: string): string {
    return this.manifest.contributes.viewsWelcome
      .filter((one) => one.view === view && isTrue(one.when, (key) => this.keys.get(key)))
      .map(({ contents }) => contents)
      .join("\n");
  }

  /** Returns the visible entries of a menu at a place, each with its command. */
  menu(
    id: string,
    place: Readonly<Record<string, unknown>> = {},
  ): [title: string, command: string][] {
    const keys = (key: string) => (key in place ? place[key] : this.keys.get(key));
    const { commands, menus } = this.manifest.contributes;
    return (menus[id] ?? [])
      .filter(({ when }) => isTrue(when, keys))
      .flatMap(({ command }): [string, string][] => {
        const shown = commands.find((one) => one.command === command);
        return command === undefined ? [] : [[shown?.title ?? command, command]];
      });
  }
}
