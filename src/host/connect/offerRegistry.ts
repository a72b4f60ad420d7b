import * as vscode from "vscode";
import { isAskedEnough } from "../../core/registry/registryToOffer";
import { lastReviews } from "../../core/review/files/reviewFiles";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import type { Memory, StoredValue } from "../ui/stored";
import { askedRegistries, wantedRegistry } from "./glanceAtReviews";

/** The dependencies of offering the registry of a repository. */
export interface RegistryOfferParts {
  readonly reviews: WorkspaceReviews;
  readonly memory: Memory;
  /** Connects to an address, signs in there, takes a Project Key, and shows a payload of the repository. */
  readonly connect: (address: string) => Promise<void>;
}

/**
 * Offers to connect to the registry that a workspace's reviews are of, once for each in a workspace and at most one in
 * a window. Nothing is connected to, read or changed before the user agrees.
 */
export class RegistryOffer extends Owner {
  private readonly asked: StoredValue<readonly string[]>;
  private hasAsked = false;

  constructor(private readonly parts: RegistryOfferParts) {
    super();
    this.asked = askedRegistries(parts.memory);
    this.own(parts.reviews.onDidChange(() => void this.offer()));
  }

  private async offer(): Promise<void> {
    const { reviews, memory, connect } = this.parts;
    const asked = this.asked.get();
    if (this.hasAsked || isAskedEnough(asked)) return;
    const registries = lastReviews(reviews.all).map(({ registry }) => registry);
    const wanted = wantedRegistry(registries, memory);
    if (wanted === undefined) return;
    this.hasAsked = true;
    const agree = vscode.l10n.t("Connect and Sign In");
    const answer = await inform(
      vscode.l10n.t(
        "The reviews of this repository are of the registry {0}. Connect to it in this window, sign in and take a Project Key?",
        wanted,
      ),
      agree,
      vscode.l10n.t("Not Now"),
    );
    await this.asked.set([...asked, wanted]);
    if (answer === agree) await connect(wanted);
  }
}
