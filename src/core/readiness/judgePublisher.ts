import type { Publisher, SkillDetail } from "../skill/skill";
import { parseUrl } from "../text/parseUrl";
import { oneLine } from "../text/plainText";
import { type Judging, type Verdict, withoutEvidence } from "./readinessFacts";

/** Judges whether the publisher is active at the registry. */
export function judgePublisher(skill: SkillDetail, { at, language: { t } }: Judging): Verdict {
  const { slug, publisher } = skill.summary;
  if (publisher === undefined) {
    return withoutEvidence(
      skill.unanswered?.includes("publisher")
        ? t("The registry did not return the publisher.")
        : t("The registry provides no publisher."),
    );
  }
  const name = oneLine(publisher.name, 100);
  const evidence = [{ kind: "skill", slug, at } as const];
  const blocked = blockedWord(publisher);
  if (blocked !== undefined) {
    const message = t("The publisher {name} is “{status}” at the registry.", {
      name,
      status: oneLine(blocked, 60),
    });
    return { state: "no", message, evidence };
  }
  // Some registries return only a trust level for a publisher, and only for an active one.
  const word = publisher.status ?? publisher.trustLevel ?? "";
  if (!["active", "verified"].includes(word.toLowerCase())) {
    return withoutEvidence(
      t("The registry does not state whether the publisher {name} is active.", { name }),
    );
  }
  return { state: "yes", message: t("The publisher {name} is active.", { name }), evidence };
}

/** Returns the word that marks a publisher as not fully active; unknown words do not count. */
function blockedWord({ status, trustLevel }: Publisher): string | undefined {
  const words = ["pending", "restricted", "suspended", "limited", "blocked"];
  return [status, trustLevel].find((word) => words.includes(word?.toLowerCase() ?? ""));
}

/** Judges whether the skill has an address for support that can be opened. */
export function judgeSupport(
  { supportUrl = "", summary }: SkillDetail,
  { at, language: { t } }: Judging,
): Verdict {
  const evidence = [{ kind: "skill", slug: summary.slug, at } as const];
  if (supportUrl.trim() === "") {
    return { state: "no", message: t("The publisher provides no support address."), evidence };
  }
  const address = oneLine(supportUrl, 200);
  if (!isAddress(supportUrl)) {
    const message = t("The support address cannot be opened: {address}", { address });
    return { state: "no", message, evidence };
  }
  return { state: "yes", message: t("Support: {address}", { address }), evidence };
}

function isAddress(text: string): boolean {
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return true;
  return ["https:", "http:", "mailto:"].includes(parseUrl(text)?.protocol ?? "");
}
