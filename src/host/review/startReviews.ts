import type * as vscode from "vscode";
import type { RegistryConnection } from "../connect/registryConnection";
import type { ThisSkill } from "../discover/thisSkill";
import type { SkillFiles } from "../skillFiles";
import type { Register } from "../ui/owner";
import { ReadinessDocuments, type ReadinessSources } from "./checkReadiness";
import { ReviewProblems } from "./checkReviews";
import { ContractDocuments } from "./contractDocuments";
import { reviewCommands } from "./reviewCommands";
import type { WorkspaceReviews } from "./workspaceReviews";

/** The dependencies of a team's reviews. */
interface ReviewSources extends Omit<ReadinessSources, "documents"> {
  readonly connection: RegistryConnection;
  readonly reviews: Pick<WorkspaceReviews, "elsewhere">;
  readonly files: SkillFiles;
  readonly thisSkill: ThisSkill;
  readonly context: Pick<vscode.ExtensionContext, "extensionUri">;
  readonly register: Register;
}

/** Builds the commands for a team's reviews, and the documents that they show. */
export function startReviews(sources: ReviewSources) {
  const { connection, reviews, files, thisSkill, context, register } = sources;
  const contracts = register(new ContractDocuments());
  const documents = register(new ReadinessDocuments());
  const commands = reviewCommands({
    connection,
    contracts,
    problems: register(new ReviewProblems(files, (slug) => reviews.elsewhere(slug))),
    readiness: { ...sources, documents },
    extension: context.extensionUri,
    thisSkill,
  });
  return { commands, contracts, readiness: documents };
}
