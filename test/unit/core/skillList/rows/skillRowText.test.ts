import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import { withPermissions } from "../../../../../src/core/skill/permissions";
import type { SkillSummary } from "../../../../../src/core/skill/skill";
import type { SkillEntry } from "../../../../../src/core/skillList/rows/skillRows";
import {
  actionRowText,
  branchText,
  moreRowText,
  type StatedMeasure,
  searchFacts,
  skillCountText,
  skillRowText,
  skillTooltip,
} from "../../../../../src/core/skillList/rows/skillRowText";
import type { SkillGrouping } from "../../../../../src/core/skillList/skillOrder";
import { english, languageOf } from "../../../../../src/core/text/language";
import { agreedNow } from "../../../../fixtures/agentFacts";
import { skill } from "./rowSkill";

function entry(more: Partial<SkillEntry> = {}): SkillEntry {
  return { kind: "skill", skill, isFavorite: false, ...more };
}

/** Texts that a registry may return: markup of notifications and labels, direction marks, huge sizes. */
const hostile = [
  "[x](command:workbench.action.quit)",
  "$(flame) $(zap~spin)",
  "evil\u202Etxt.exe",
  "one\ntwo\r\nthree\u2028four",
  "a\u0000b\u200Bc",
  "<img src=x onerror=alert(1)>",
  "x".repeat(1_000_000),
];

describe("the row of a skill", () => {
  it("shows unusual facts, then the publisher, and reads all of them to screen readers", () => {
    const words = skillRowText(entry(), english);
    assert.equal(words.label, "Text statistics");
    assert.equal(words.description, "per invocation · Plainworks");
    assert.equal(
      words.sentence,
      "Text statistics, verified, low permissions, per invocation, 1.0.0, Plainworks",
    );
    assert.deepEqual(words.icon, { id: "workspace-trusted", color: "charts.green" });
    assert.equal(words.context, "skill");
  });

  it("starts with the team's reviews, also for a screen reader", () => {
    for (const [standing, said] of [
      ["reviewed", "reviewed"],
      ["unreviewed", "not reviewed"],
      ["drifted", "not as reviewed"],
    ] as const) {
      const { description, sentence } = skillRowText(entry({ standing }), english);
      assert.equal(description, `${said} · per invocation · Plainworks`);
      assert.ok(sentence.endsWith(`, Plainworks, ${said}`), sentence);
    }
  });

  it("reports that agents may invoke it; the tooltip has version and last day", () => {
    const agreement = agreedNow(undefined, { version: "1.0.0", until: "2026-03-01" });
    const { description, sentence } = skillRowText(entry({ agreement }), english);
    assert.equal(description, "agents allowed · per invocation · Plainworks");
    assert.ok(sentence.endsWith(", Plainworks, agents allowed"), sentence);
    const tooltip = skillTooltip(skill, english, agreement).replaceAll("\\", "");
    assert.match(tooltip, /You let agents invoke version 1\.0\.0 until .*2026/);
    assert.doesNotMatch(skillTooltip(skill, english), /agents/);
  });

  it("shows the permissions' level, and if the registry states a lower one", () => {
    const permissions = {
      network: false,
      browser: false,
      filesystem: "write",
      secretCount: 0,
      secretNames: [],
    } as const;
    const described = (more: Partial<SkillSummary>) =>
      skillRowText(entry({ skill: withPermissions({ ...skill, ...more }, permissions) }), english);
    const understated = described({ permissionLevel: "medium" });
    assert.match(understated.description, /^high permissions \(registry: medium\) · /);
    assert.match(understated.sentence, /, high permissions \(registry: medium\), /);
    assert.match(described({ permissionLevel: "HIGH" }).description, /^high permissions · /);
    assert.match(
      described({ permissionLevel: "green" }).description,
      /^high permissions \(registry: green\)/,
    );
    const { permissionLevel: _, ...unstated } = skill;
    const derived = withPermissions(unstated, permissions);
    assert.match(
      skillRowText(entry({ skill: derived }), english).description,
      /^high permissions · /,
    );
  });

  const rows: readonly (readonly [Partial<SkillSummary>, string, string])[] = [
    [{ billingModel: "free" }, "workspace-trusted", "Plainworks"],
    [{ billingModel: "free", permissionLevel: "LOW" }, "workspace-trusted", "Plainworks"],
    [{ permissionLevel: "medium" }, "key", "medium permissions · per invocation · Plainworks"],
    [{ permissionLevel: "high" }, "unlock", "high permissions · per invocation · Plainworks"],
    [{ verificationStatus: "submitted" }, "circle-large-outline", "submitted · per invocation"],
    [
      { verificationStatus: "submitted", permissionLevel: "medium" },
      "circle-large-outline",
      "submitted · medium permissions",
    ],
    [{ verificationStatus: "deprecated", permissionLevel: "high" }, "unlock", "deprecated · high"],
    [{ verificationStatus: "suspended", permissionLevel: "high" }, "circle-slash", "suspended"],
    [{ verificationStatus: "blue", billingModel: "barter" }, "question", "blue · barter"],
  ];
  for (const [more, icon, start] of rows) {
    it(`with ${JSON.stringify(more)} has its own icon and starts with the most important fact`, () => {
      const words = skillRowText(entry({ skill: { ...skill, ...more } }), english);
      assert.equal(words.icon?.id, icon);
      assert.ok(words.description.startsWith(start), words.description);
    });
  }

  it("marks sample prices and counts in the row, its sentence, a search and the tooltip", () => {
    const numbers = { installs: 12, averageRating: 4.5 };
    const sample = { ...skill, isSample: true, numbers } as const;
    const words = skillRowText(
      entry({ skill: sample, measure: { name: "installs", value: 12 } }),
      english,
    );
    assert.equal(words.description, "sample: 12 installs · sample price · Plainworks");
    assert.match(words.sentence, /per invocation \(sample\), 1\.0\.0, .*sample: 12 installs/);
    assert.ok(searchFacts(sample, english).includes("per invocation (sample)"));
    const tooltip = skillTooltip(sample, english).replaceAll("\\", "");
    assert.match(tooltip, /Billed per invocation \(sample\)/);
    assert.match(tooltip, /Sample figures: Installs: 12 · Rating: 4\.5 of 5/);
    const free = { ...sample, billingModel: "free" } as const;
    const dated = { name: "lastChange", value: new Date(2026, 10, 20, 9).getTime() } as const;
    const { description } = skillRowText(entry({ skill: free, measure: dated }), english);
    assert.equal(description, "Nov 20, 2026 · Plainworks");
  });

  it("does not repeat its group's name", () => {
    const submitted = { ...skill, verificationStatus: "submitted" };
    const shown = (group: SkillGrouping) =>
      skillRowText(entry({ skill: submitted, group }), english).description;
    assert.equal(shown("publisher"), "submitted · per invocation");
    assert.equal(shown("state"), "per invocation · Plainworks");
    assert.equal(shown("task"), "submitted · per invocation · Plainworks");
  });

  it("omits values that its registry does not return", () => {
    const { slug, displayName, description, tags, version, numbers } = skill;
    const bare = { slug, displayName, description, tags, version, numbers };
    assert.equal(skillRowText(entry({ skill: bare }), english).description, "");
  });

  it("starts with the sort value if the row does not show it already", () => {
    const shown = (measure: StatedMeasure) => {
      const { description, sentence } = skillRowText(entry({ measure }), english);
      return [description.split(" · ")[0], sentence.split(", Plainworks")[1]];
    };
    const cases: readonly (readonly [StatedMeasure, string])[] = [
      [{ name: "installs", value: 1312 }, "1,312 installs"],
      [{ name: "installs", value: 1 }, "1 install"],
      [{ name: "calls", value: 0 }, "0 invocations"],
      [{ name: "successRate", value: 0.9814 }, "98.1% successful"],
      [{ name: "lastChange", value: new Date(2026, 10, 20, 9).getTime() }, "Nov 20, 2026"],
    ];
    for (const [measure, words] of cases) {
      assert.deepEqual(shown(measure), [words, `, ${words}`]);
    }
    assert.deepEqual(shown({ name: "permissionLevel", value: 2 }), ["per invocation", ""]);
    assert.deepEqual(shown({ name: "lastChange", value: 1e300 }), ["per invocation", ""]);
  });

  it("describes favorites and missing skills in words, not by a sign alone", () => {
    const favorite = skillRowText(entry({ isFavorite: true }), english);
    assert.match(favorite.sentence, /, favorite$/);
    assert.match(favorite.description, /^★ per invocation · /);
    assert.equal(favorite.context, "skill.favorite");
    const gone = skillRowText(entry({ isFavorite: true, absence: "notListed" }), english);
    assert.match(gone.sentence, /, no longer listed$/);
  });

  it("offers no installation of a skill that is submitted or deprecated", () => {
    const contexts = ["verified", "submitted", "deprecated", "odd", undefined].map((status) => {
      const { skill, ...rest } = entry({ isFavorite: true });
      const { verificationStatus: _, ...unverified } = skill;
      const changed = status === undefined ? unverified : { ...skill, verificationStatus: status };
      return skillRowText({ ...rest, skill: changed }, english).context;
    });
    const not = "skill.favorite notInstallable";
    assert.deepEqual(contexts, ["skill.favorite", not, not, "skill.favorite", "skill.favorite"]);
  });

  it("offers no installation of a version that the project runs", () => {
    assert.equal(
      skillRowText(entry({ isInstalled: true }), english).context,
      "skill notInstallable",
    );
    assert.equal(skillRowText(entry({}), english).context, "skill");
  });

  it("in the search shows status, level, task and price first", () => {
    assert.deepEqual(searchFacts(skill, english).slice(0, 4), [
      "verified",
      "low permissions",
      "content",
      "per invocation",
    ]);
  });

  for (const text of hostile) {
    it(`is one short line without icons for ${JSON.stringify(text.slice(0, 40))}`, () => {
      const evil: SkillSummary = {
        ...skill,
        displayName: text,
        version: text,
        verificationStatus: text,
        permissionLevel: text,
        billingModel: text,
        publisher: { name: text },
      };
      const words = skillRowText(entry({ skill: evil }), english);
      for (const shown of [words.label, words.description]) {
        assert.ok(shown.length <= 200, `${shown.length}`);
        assert.doesNotMatch(shown, /\$\(/);
        assert.doesNotMatch(shown, /[\p{Cc}\u200B\u2028\u202E]/u);
      }
      assert.doesNotMatch(words.sentence, /[\n\r\u202E]/);
      const group = { kind: "branch", id: "group", title: text, skills: [], isOpen: true } as const;
      assert.doesNotMatch(branchText(group, english).label, /\$\(|[\n\r\u202E]/);
    });

    it(`has a tooltip without markup for ${JSON.stringify(text.slice(0, 40))}`, () => {
      const evil: SkillSummary = {
        ...skill,
        displayName: text,
        description: text,
        tags: [text],
        version: text,
        verificationStatus: text,
        permissionLevel: text,
        billingModel: text,
        task: text,
        publisher: { name: text, status: text, trustLevel: text },
        author: { name: text, url: `https://${text}` },
        understatedLevel: text,
      };
      const markdown = skillTooltip(evil, english);
      assert.ok(markdown.length < 20_000, `${markdown.length}`);
      assert.doesNotMatch(markdown, /(?<!\\)\]\(|(?<!\\)<|\$\(|[\u202E\u200B]/);
    });
  }
});

describe("the row of a skill in another language", () => {
  const german = languageOf(
    "de",
    JSON.parse(readFileSync(resolve("l10n/bundle.l10n.de.json"), "utf8")),
  );

  it("has no English words of ours", () => {
    const words = skillRowText(entry({ isFavorite: true }), german);
    assert.equal(
      words.sentence,
      "Text statistics, verifiziert, geringe Berechtigungen, je Aufruf, 1.0.0, Plainworks, Favorit",
    );
    assert.doesNotMatch(skillTooltip(skill, german), /power|Verified|registry does/);
    const draft = { ...skill, verificationStatus: "draft" };
    assert.match(skillRowText(entry({ skill: draft }), german).description, /^Entwurf · /);
  });
});

describe("a number of skills", () => {
  it("has digits grouped as in the reader's language", () => {
    const german = languageOf("de", { "{count} skills": "{count} Skills" });
    assert.deepEqual(
      [skillCountText(1, english), skillCountText(12_000, english), skillCountText(12_000, german)],
      ["1 skill", "12,000 skills", "12.000 Skills"],
    );
  });
});

describe("a row with an action", () => {
  it("is highlighted if it is the likeliest to help", () => {
    const action = { action: "refresh", title: "Try Again" } as const;
    const icons = [true, false].map(
      (isPrimary) => actionRowText({ kind: "action", action, isPrimary }).icon,
    );
    assert.deepEqual(icons, [{ id: "refresh", color: "textLink.foreground" }, { id: "refresh" }]);
  });
});

describe("the row that loads more skills", () => {
  it("shows how many are loaded, and is read as a whole sentence", () => {
    const row = { kind: "more", shown: 1300, total: 100_000 } as const;
    const words = moreRowText(row, english);
    assert.equal(words.description, "1,300 of 100,000");
    assert.equal(words.sentence, "Load more skills… 1,300 of 100,000 loaded");
    const { description } = moreRowText({ kind: "more", shown: 1300 }, english);
    assert.equal(description, "1,300 loaded");
  });
});
