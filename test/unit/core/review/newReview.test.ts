import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import { isVersionReview, type Review } from "../../../../src/core/review/files/reviewFiles";
import { loadReviewFolder } from "../../../../src/core/review/files/reviewFolder";
import {
  criterionText,
  firstPolicy,
  type NewReview,
  newReview,
  recordReview,
  type TeamFileStore,
} from "../../../../src/core/review/newReview";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { type Chunked, runSync } from "../../../../src/core/text/chunked";
import { english, languageOf } from "../../../../src/core/text/language";
import { reviewedSkill } from "./reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const nothing: ReviewFiles = { policy: firstPolicy(), reviews: [], contracts: new Map() };

/** A folder of reviews in memory. The file `full` cannot be written. */
class MemoryFolder implements TeamFileStore {
  readonly texts = new Map<string, string>();
  /** The written files, in order. */
  readonly written: string[] = [];
  full = "";
  /** A link that leads out of the repository. */
  outside = "";

  list = async (folder: string) =>
    [...this.texts.keys()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1));

  read = async (name: string) => {
    if (name === this.outside) return { kind: "outside" } as const;
    const text = this.texts.get(name);
    return text === undefined ? ({ kind: "none" } as const) : ({ kind: "text", text } as const);
  };

  work = async <Value>(work: Chunked<Value>) => runSync(work);

  write = async (name: string, text: string) => {
    if (name === this.full) throw new Error("EROFS");
    this.written.push(name);
    this.texts.set(name, text);
  };

  /** Reads the folder, all of which must be valid. */
  async files(): Promise<ReviewFiles> {
    const { reviews } = await loadReviewFolder(this, digest, english);
    if (reviews.kind === "none") return nothing;
    assert.ok(reviews.kind === "read", JSON.stringify(reviews));
    return reviews.files;
  }

  /** Resolves to the reviews as `version` or `from → version`, each with the reviewer. */
  async said(): Promise<readonly string[]> {
    const { reviews } = await this.files();
    return reviews.filter(isVersionReview).map(({ from, version, who }) => {
      return from === undefined ? `${version} ${who}` : `${from} → ${version} ${who}`;
    });
  }
}

/** Returns a review by somebody who sees these files. */
function made(
  files: ReviewFiles,
  version: string,
  who: string,
  changes: Partial<SkillDetail> = {},
): NewReview {
  const review = newReview(files, {
    slug: "text-stats",
    registry: "https://registry.example",
    skill: skillAtRegistry(reviewedSkill(changes, { version }), digest),
    criteria: ["safe-to-try"],
    who,
    when: "2026-01-01T00:00:00Z",
    isWhole: false,
  });
  assert.ok(review);
  return review;
}

const record = (review: NewReview, folder: MemoryFolder) =>
  recordReview(review, folder, digest, english);

/** Returns a folder in which Ann has reviewed 1.0.0. */
async function reviewed(): Promise<MemoryFolder> {
  const folder = new MemoryFolder();
  assert.equal((await record(made(nothing, "1.0.0", "Ann"), folder)).kind, "recorded");
  return folder;
}

describe("the description of a criterion", () => {
  const description = firstPolicy().criteria["safe-to-try"]?.description ?? "";
  const german = languageOf("de", { [description]: "Gelesen." });

  it("is in the reader's language if the team kept that of the first policy", () => {
    assert.equal(criterionText(description, german), "Gelesen.");
  });

  it("is the team's own text otherwise", () => {
    assert.equal(criterionText(`${description} Twice.`, german), `${description} Twice.`);
  });
});

describe("a new review", () => {
  it("is written last, after the files that it needs", async () => {
    const folder = new MemoryFolder();
    const recording = await record(made(nothing, "1.0.0", "Ann"), folder);
    assert.deepEqual(recording, {
      kind: "recorded",
      reviewsText: folder.texts.get("reviews.json"),
      policy: firstPolicy(),
    });
    assert.deepEqual(folder.written, [
      "contracts/text-stats@1.0.0.json",
      "policy.json",
      "reviews.json",
    ]);
    assert.deepEqual(await folder.said(), ["1.0.0 Ann"]);
    await record(made(await folder.files(), "1.1.0", "Ann"), folder);
    assert.equal(folder.written.filter((name) => name === "policy.json").length, 1);
  });

  it("is not written if a target is a link out of the repository", async () => {
    const folder = new MemoryFolder();
    folder.outside = "contracts/text-stats@1.0.0.json";
    assert.deepEqual(await record(made(nothing, "1.0.0", "Ann"), folder), {
      kind: "refused",
      file: folder.outside,
      problem: "This file is a link that leads out of the folder. Replace it with a file.",
    });
    assert.deepEqual(folder.written, []);
  });

  it("keeps reviews that others wrote meanwhile", async () => {
    const folder = await reviewed();
    const seen = await folder.files();
    await record(made(seen, "0.9.0", "Bo"), folder);
    await record(made(seen, "1.1.0", "Cy"), folder);
    assert.deepEqual(await folder.said(), ["1.0.0 Ann", "1.0.0 → 0.9.0 Bo", "1.0.0 → 1.1.0 Cy"]);
  });

  it("attests the step that the person saw, even if somebody else reviewed it meanwhile", async () => {
    const folder = await reviewed();
    const seen = await folder.files();
    await record(made(seen, "1.1.0", "Bo"), folder);
    await record(made(seen, "1.1.0", "Cy"), folder);
    assert.deepEqual((await folder.said()).at(-1), "1.0.0 → 1.1.0 Cy");
  });

  it("keeps reviews without a policy", async () => {
    const folder = await reviewed();
    folder.texts.delete("policy.json");
    assert.equal((await record(made(nothing, "1.1.0", "Bo"), folder)).kind, "recorded");
    assert.deepEqual(await folder.said(), ["1.0.0 Ann", "1.1.0 Bo"]);
  });

  const permissions = { ...reviewedSkill().permissions, secretCount: 2.5 };
  const refused: readonly (readonly [
    what: string,
    review: NewReview,
    file: string,
    problem: string,
  ])[] = [
    [
      "a contract is too large",
      made(nothing, "1.1.0", "Bo", { inputSchema: { description: "x".repeat(4_000_000) } }),
      "contracts/text-stats@1.1.0.json",
      "This file is too large: at most 4000000 characters are read.",
    ],
    [
      "a contract is of half a secret",
      made(nothing, "1.1.0", "Bo", { permissions } as Partial<SkillDetail>),
      "contracts/text-stats@1.1.0.json",
      "contract.permissions.secretCount: Must be a whole number, not 2.5.",
    ],
    [
      "its last day is in no calendar",
      withReview(made(nothing, "1.1.0", "Bo"), { until: "2026-02-30" }),
      "reviews.json",
      "reviews[1].until: This date does not exist.",
    ],
  ];
  for (const [what, review, file, problem] of refused) {
    it(`is not written if ${what}`, async () => {
      const folder = await reviewed();
      const before = new Map(folder.texts);
      assert.deepEqual(await record(review, folder), { kind: "refused", file, problem });
      assert.deepEqual(folder.texts, before);
    });
  }

  it("is not written into a folder that was damaged meanwhile", async () => {
    const folder = await reviewed();
    folder.texts.set("reviews.json", "{");
    const recording = await record(made(nothing, "1.1.0", "Bo"), folder);
    assert.ok(recording.kind === "broken");
    assert.deepEqual(
      recording.broken.map(({ name }) => name),
      ["reviews.json"],
    );
    assert.equal(folder.texts.get("reviews.json"), "{");
  });

  for (const full of ["contracts/text-stats@1.0.0.json", "reviews.json"]) {
    it(`leaves the folder unchanged if ${full} cannot be written`, async () => {
      const folder = await reviewed();
      const before = new Map(folder.texts);
      folder.full = full;
      const again = made(await folder.files(), "1.0.0", "Bo", { outputSchema: true });
      const recording = await record(again, folder);
      assert.ok(recording.kind === "failed");
      assert.equal(recording.file, full);
      assert.deepEqual(folder.texts, before);
    });
  }

  it("damages no folder if the first write fails", async () => {
    for (const full of ["contracts/text-stats@1.0.0.json", "policy.json", "reviews.json"]) {
      const folder = new MemoryFolder();
      folder.full = full;
      assert.equal((await record(made(nothing, "1.0.0", "Ann"), folder)).kind, "failed");
      assert.deepEqual(await folder.said(), []);
    }
  });
});

function withReview(review: NewReview, changes: Partial<Review>): NewReview {
  return { ...review, review: { ...review.review, ...changes } as NewReview["review"] };
}
