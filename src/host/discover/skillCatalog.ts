import * as vscode from "vscode";
import { moreWanted } from "../../core/skillList/loadPages";
import { type SkillArrangement, wireSort } from "../../core/skillList/order/skillArrangement";
import type { SkillList } from "../../core/skillList/skillList";
import type { SkillListing } from "../../core/skillList/skillListing";
import type { SkillQuery } from "../../core/skillList/skillQuery";
import type { RegistryConnection } from "../connect/registryConnection";
import { viewIds } from "../ids";
import type { OutputChannels } from "../words/outputChannels";
import type { CatalogState } from "./catalogState";
import { ListLoader } from "./listLoader";
import type { ListMemory } from "./listMemory";

/** Rows that are filled up to where a registry gives pages of few rows, or filters are applied here. */
const firstRows = 20;

/**
 * Loads the registry's list for the current query, page by page. A newer request drops an older
 * one; a failing refresh keeps the last list and says since when it is stale.
 */
export class SkillCatalog {
  private readonly changed = new vscode.EventEmitter<CatalogState>();
  private readonly subscription: vscode.Disposable;
  private readonly loader: ListLoader;
  private loading = new AbortController();
  private loadingMore: Promise<void> | undefined;
  private current: CatalogState = { kind: "loading" };
  private listing: SkillListing;
  private settled: Promise<void> | undefined;

  /** Fires with each new state. */
  readonly onDidChange = this.changed.event;

  constructor(
    connection: RegistryConnection,
    private readonly memory: ListMemory,
    channels: OutputChannels,
  ) {
    this.loader = new ListLoader(connection, channels);
    this.listing = memory.listing;
    this.subscription = connection.onDidChange(() => this.reload());
  }

  get state(): CatalogState {
    return this.current;
  }

  get query(): SkillQuery {
    return this.listing.query;
  }

  get arrangement(): SkillArrangement {
    return this.listing.arrangement;
  }

  /** Resolves when there is a state to show; starts to load where nothing was yet. */
  async ready(): Promise<void> {
    this.settled ??= this.refresh();
    for (let awaited: unknown; this.current.kind === "loading" && awaited !== this.settled; ) {
      awaited = this.settled;
      await awaited;
    }
  }

  /** Shows what another query finds. Resolves when it is loaded. */
  setQuery(query: SkillQuery): Promise<void> {
    return this.setListing({ query, arrangement: this.arrangement });
  }

  /** Lays the list out in another way, asking the registry anew where its own order changes. */
  async setArrangement(arrangement: SkillArrangement): Promise<void> {
    const isSameOrder = wireSort(arrangement.order) === wireSort(this.arrangement.order);
    if (!isSameOrder) return this.setListing({ query: this.query, arrangement });
    this.listing = { query: this.query, arrangement };
    this.changed.fire(this.current);
    await this.memory.keepListing(this.listing);
  }

  /** Shows what another query finds in another arrangement. Resolves when it is loaded. */
  async setListing(listing: SkillListing): Promise<void> {
    this.listing = listing;
    await Promise.all([this.memory.keepListing(listing), this.reload()]);
  }

  /** Loads the first page anew. Resolves when the new state stands. */
  refresh(): Promise<void> {
    this.loading.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.loadingMore = undefined;
    this.settled = this.load(loading.signal);
    showBusy(this.settled);
    return this.settled;
  }

  /** Loads about as many skills as there are, where there are more. Several calls at once are one. */
  loadMore(): Promise<void> {
    return this.loadUpTo(moreWanted);
  }

  dispose(): void {
    this.loading.abort();
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** What stood is about something else, so that a failure may not keep that. */
  private reload(): Promise<void> {
    this.current = { kind: "loading" };
    const loaded = this.refresh();
    this.changed.fire(this.current);
    return loaded;
  }

  private async load(signal: AbortSignal): Promise<void> {
    const state = await this.loader.first(this.wireQuery(), this.current, signal);
    if (signal.aborted) return;
    this.show(state);
    void this.loadUpTo(({ skills }) => firstRows - skills.length);
  }

  private loadUpTo(wanted: (list: SkillList) => number): Promise<void> {
    if (this.loadingMore !== undefined) return this.loadingMore;
    const loading = this.loadFurther(wanted, this.loading.signal).finally(() => {
      if (this.loadingMore === loading) this.loadingMore = undefined;
    });
    this.loadingMore = loading;
    showBusy(loading);
    return loading;
  }

  private async loadFurther(
    wanted: (list: SkillList) => number,
    signal: AbortSignal,
  ): Promise<void> {
    const { current } = this;
    if (current.kind !== "list" || current.list.nextCursor === undefined) return;
    const count = wanted(current.list);
    if (count <= 0) return;
    const state = await this.loader.further(this.wireQuery(), current, count, signal);
    if (!signal.aborted) this.show(state);
  }

  private wireQuery(): SkillQuery {
    const sort = wireSort(this.arrangement.order);
    return sort === undefined ? this.query : { ...this.query, sort };
  }

  private show(state: CatalogState): void {
    this.current = state;
    this.changed.fire(state);
  }
}

/** Shows progress at the top of the Skills view until the work is done. */
function showBusy(work: Promise<void>): void {
  void vscode.window.withProgress({ location: { viewId: viewIds.skills } }, () => work);
}
