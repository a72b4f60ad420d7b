import type { SkillDetail } from "../../src/core/skill/skill";

/** Replaces every text of a skill, and adds a member of that name to each object of its JSON. */
export function withEveryText(detail: SkillDetail, text: string): SkillDetail {
  const replace = (part: unknown, inJson: boolean): unknown => {
    if (typeof part === "string") return text;
    if (Array.isArray(part)) return part.map((item) => replace(item, inJson));
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).map(([name, value]) => [
      name,
      name === "type" && inJson ? value : replace(value, inJson || jsonParts.includes(name)),
    ]);
    if (inJson) entries.push([text, text]);
    return Object.fromEntries(entries);
  };
  return replace(detail, false) as SkillDetail;
}

const jsonParts = ["manifest", "inputSchema", "outputSchema", "input", "output"];
