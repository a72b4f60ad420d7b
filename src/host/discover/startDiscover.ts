import type * as vscode from "vscode";
import type { RegistryConnection } from "../connect/registryConnection";
import type { OutputChannels } from "../ui/outputChannels";
import type { Register } from "../ui/owner";
import { Favorites } from "./favorites";
import { ListMemory } from "./listMemory";
import { pickSkill, type SkillAction } from "./pickSkill";
import { RowDetails } from "./rowDetails";
import { SkillCatalog } from "./skillCatalog";
import { SkillsView, type SkillsViewParts } from "./skillsView";

/** The dependencies of finding skills. */
interface DiscoverSources extends Omit<SkillsViewParts, "catalog" | "favorites" | "details"> {
  readonly context: Pick<vscode.ExtensionContext, "workspaceState" | "globalState">;
  readonly connection: RegistryConnection;
  readonly channels: OutputChannels;
  readonly register: Register;
}

/** Builds the Skills view, and everything else that finds skills. */
export function startDiscover(sources: DiscoverSources) {
  const { context, connection, channels, register } = sources;
  const memory = new ListMemory(context.workspaceState, context.globalState);
  const catalog = register(new SkillCatalog(connection, memory, channels));
  const favorites = register(new Favorites(memory));
  const details = register(new RowDetails(connection));
  const view = register(new SkillsView({ ...sources, catalog, favorites, details }));
  const source = { connection, details };
  return {
    memory,
    catalog,
    favorites,
    rowDetails: details,
    view,
    source,
    /** Lets the user choose a skill. Undefined if they canceled, or chose one of the actions. */
    pickSkill: (title: string, actions?: readonly SkillAction[]) =>
      pickSkill(source, title, actions),
  };
}
