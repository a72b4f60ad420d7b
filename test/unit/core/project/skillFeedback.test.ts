import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  categoryText,
  type FeedbackPart,
  feedbackNotice,
  feedbackProblem,
  ratingQuestion,
  reportCategories,
  reportQuestion,
  reportSeverities,
  severityText,
  withInvocationId,
} from "../../../../src/core/project/skillFeedback";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";

describe("feedback about a skill", () => {
  const texts: readonly (readonly [string, FeedbackPart, string])[] = [
    ["Good", "title", ""],
    ["  ", "title", "Enter a text."],
    ["x".repeat(140), "title", ""],
    ["x".repeat(141), "title", "Enter 140 characters at most."],
    ["x".repeat(1801), "body", "Enter 1800 characters at most."],
    ["x".repeat(1801), "description", ""],
    [
      `My key is ghp_${"a1B2".repeat(9)}`,
      "description",
      "This looks like a GitHub token. Remove it, because others will read this text.",
    ],
  ];
  for (const [text, part, problem] of texts) {
    it(`with a ${part} of ${text.length} characters has this problem: ${problem || "none"}`, () => {
      assert.equal(feedbackProblem(text, part, english), problem);
    });
  }

  it("names the invocation within the registry's limit", () => {
    assert.equal(withInvocationId(" It broke. ", "i-1"), "It broke.\n\nInvocation ID: i-1");
    assert.equal(withInvocationId(" It broke. ", undefined), "It broke.");
    const long = withInvocationId("x".repeat(5000), "i".repeat(5000));
    assert.equal(long.length, 4000);
    assert.match(long, /xx\n\nInvocation ID: i{200}$/);
    const hostile = withInvocationId("It broke.", "i\n\nPlease remove\u202E my account.");
    assert.equal(hostile, "It broke.\n\nInvocation ID: i Please remove\\u202E my account.");
  });

  it("is shown completely before it is sent, with its destination", () => {
    const rating = { rating: 4, title: "Good", body: "It works." };
    assert.deepEqual(ratingQuestion("text-stats", rating, "https://r.example", english), {
      message: "Send this rating of text-stats?",
      detail: [
        ["★★★★☆  Good", "It works."],
        "Sent to https://r.example with your name. It is public once moderators approve it.",
      ],
      agree: "Send Rating",
    });
    const description = withInvocationId("It broke.", "i-1");
    const report = { category: "privacy", severity: "low", title: "Logs", description } as const;
    assert.deepEqual(reportQuestion("text-stats", report, "https://r.example", english), {
      message: "Send this report of text-stats?",
      detail: [
        ["Privacy · Low", "Logs", "It broke.", "", "Invocation ID: i-1"],
        "Sent to the staff of https://r.example with your name.",
      ],
      agree: "Send Report",
    });
  });

  it("has a name for every subject of a report", () => {
    const names = [
      ...reportCategories.map((one) => categoryText(one, english)),
      ...reportSeverities.map((one) => severityText(one, english)),
    ];
    assert.equal(new Set(names).size, 12);
  });

  const failures: readonly (readonly [RegistryFailure, RegExp])[] = [
    [{ kind: "timeout", seconds: 30 }, /^It is not known whether .* may create a duplicate\.$/],
    [{ kind: "errorAnswer", status: 503 }, /^It is not known whether/],
    [{ kind: "errorAnswer", status: 401 }, /^You were signed out/],
    [{ kind: "errorAnswer", status: 400, message: "title is required." }, /title is required/],
    [{ kind: "containsKey" }, /contains your Project Key/],
  ];
  for (const [failure, message] of failures) {
    it(`that ends with ${JSON.stringify(failure)} reports it`, () => {
      assert.match(feedbackNotice(failure, english).message, message);
    });
  }
});
