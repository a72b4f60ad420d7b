import { failureWords } from "../../core/registry/failureWords";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { LastLists } from "../../core/skillList/lastLists";
import { loadPages } from "../../core/skillList/loadPages";
import { startList } from "../../core/skillList/skillList";
import type { SkillQuery } from "../../core/skillList/skillQuery";
import { english } from "../../core/text/language";
import { localize } from "../../core/text/localizableText";
import { oneLine } from "../../core/text/plainText";
import type { RegistryConnection } from "../connect/registryConnection";
import type { OutputChannels } from "../words/outputChannels";
import type { CatalogState, LoadedCatalog } from "./catalogState";

/** Asks the registry in use for its list; where it fails, the last list that answers the same stays. */
export class ListLoader {
  private readonly last = new LastLists();

  constructor(
    private readonly connection: RegistryConnection,
    private readonly channels: OutputChannels,
  ) {}

  /** Loads the first page. `current` is what is shown so far, of this very question. */
  async first(
    query: SkillQuery,
    current: CatalogState,
    signal: AbortSignal,
  ): Promise<CatalogState> {
    const connection = await this.connection.current();
    if (!connection.ok) {
      this.channels.noteFailure(localize(connection.problem, english));
      return { kind: "notConnected", problem: connection.problem };
    }
    const { client, isBuiltIn, baseUrl, name: registryName } = connection.registry;
    // The built-in registry has another port in each window.
    const registry = isBuiltIn ? "" : baseUrl;
    const from = { registry, registryName };
    const question = JSON.stringify([registry, query]);
    const page = await client.search(query, undefined, signal);
    if (page.ok) {
      const dated = { list: startList(page.value), loadedAt: Date.now() };
      this.last.keep(question, dated);
      return { kind: "list", ...from, ...dated };
    }
    if (signal.aborted) return current;
    const { failure } = page;
    this.note(baseUrl, failure);
    const kept = current.kind === "list" ? current : this.last.find(question);
    if (kept === undefined) return { kind: "failed", registryName, failure };
    const { list, loadedAt } = kept;
    const problem = { kind: "stale", since: loadedAt, failure } as const;
    return { kind: "list", ...from, list, loadedAt, problem };
  }

  /** Loads `wanted` skills more, where the registry can be asked; a failure leaves what is there. */
  async further(
    query: SkillQuery,
    loaded: LoadedCatalog,
    wanted: number,
    signal: AbortSignal,
  ): Promise<LoadedCatalog> {
    const connection = await this.connection.current();
    if (!connection.ok) return loaded;
    const { client, baseUrl } = connection.registry;
    const ask = (cursor: string) => client.search(query, cursor, signal);
    const { list, failure } = await loadPages(loaded.list, wanted, ask, signal);
    const { problem, ...rest } = loaded;
    if (failure !== undefined && !signal.aborted) {
      this.note(baseUrl, failure);
      return { ...rest, list, problem: { kind: "interrupted", since: Date.now(), failure } };
    }
    // What comes after a stale start does not make the start any newer.
    return problem?.kind === "stale" ? { ...rest, list, problem } : { ...rest, list };
  }

  private note(baseUrl: string, failure: RegistryFailure): void {
    const request = `GET ${baseUrl}/v1/skills/search`;
    this.channels.noteFailure(`${request}: ${oneLine(failureWords(failure, english), 1000)}`);
  }
}
