import * as vscode from "vscode";
import {
  hasOfferedMaximum,
  type OfferedRegistry,
  registriesToOffer,
} from "../../core/registry/registryToOffer";
import { lastReviews } from "../../core/review/files/reviewFiles";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import type { Memory, StoredValue } from "../ui/stored";
import { askedRegistries, offerContext } from "./glanceAtReviews";

/** The dependencies of offering a repository's registry. */
interface RegistryOfferParts {
  readonly reviews: WorkspaceReviews;
  readonly environments: Pick<WorkspaceEnvironments, "list" | "onDidChange">;
  readonly memory: Memory;
  /** Connects to a registry, signs in, sets a Project Key, and shows a payload of the repository. */
  readonly connect: (offered: OfferedRegistry) => Promise<void>;
}

/**
 * Offers to connect to the registries of a workspace's environments and reviews. A window asks at most once, and about
 * each registry only once per workspace. Until the user agrees, no registry is contacted and no setting changes.
 */
export class RegistryOffer extends Owner {
  private readonly asked: StoredValue<readonly string[]>;
  private hasAsked = false;

  constructor(private readonly parts: RegistryOfferParts) {
    super();
    this.asked = askedRegistries(parts.memory);
    this.own(
      parts.reviews.onDidChange(() => void this.offer()),
      parts.environments.onDidChange(() => void this.offer()),
    );
    void this.offer();
  }

  private async offer(): Promise<void> {
    const { reviews, environments, memory, connect } = this.parts;
    if (this.hasAsked || hasOfferedMaximum(this.asked.get())) return;
    const [listed] = await Promise.all([environments.list(), reviews.isReviewing()]);
    const context = offerContext(memory);
    if (this.hasAsked || context === undefined) return;
    const reviewed = lastReviews(reviews.all).map(({ registry }) => registry);
    const offered = registriesToOffer(listed, reviewed, context);
    if (offered.length === 0) return;
    this.hasAsked = true;
    const buttons = buttonsOf(offered);
    const answer = await inform(questionOf(offered), ...buttons, vscode.l10n.t("Not Now"));
    await this.asked.set([...this.asked.get(), ...offered.map(({ address }) => address)]);
    const chosen = offered[buttons.indexOf(answer ?? "")];
    if (chosen !== undefined) await connect(chosen);
  }
}

function questionOf(offered: readonly OfferedRegistry[]): string {
  const [only, ...others] = offered;
  if (only !== undefined && others.length === 0) {
    return only.environment === undefined
      ? vscode.l10n.t(
          "The reviews of this repository are of the registry {0}. Connect to it in this window, sign in and set a Project Key?",
          only.address,
        )
      : vscode.l10n.t(
          "This repository has the environment {0} ({1}). Connect to it in this window, sign in and set a Project Key?",
          only.environment,
          only.address,
        );
  }
  const all = offered.map(({ address, environment }) =>
    environment === undefined
      ? vscode.l10n.t("{0} (reviews)", address)
      : vscode.l10n.t("{0} ({1})", environment, address),
  );
  return vscode.l10n.t(
    "This repository names {0}. Connect to one in this window, sign in and set a Project Key?",
    all.join(", "),
  );
}

/** Returns a button per registry: the name of the environment, or the host of the reviews' registry. */
function buttonsOf(offered: readonly OfferedRegistry[]): readonly string[] {
  if (offered.length === 1) return [vscode.l10n.t("Connect and Sign In")];
  return offered.map(({ address, environment }) => environment ?? new URL(address).host);
}
