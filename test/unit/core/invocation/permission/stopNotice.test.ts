import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type Question,
  type Stop,
  stopNotice,
} from "../../../../../src/core/invocation/permission/question";
import { english, l10nText } from "../../../../../src/core/text/language";

const failure = { kind: "timeout", seconds: 30 } as const;
const verdict = { kind: "no", code: "skill_not_verified", text: l10nText("It is new.") } as const;

describe("the notice after an invocation that was not sent", () => {
  const declined = (question: Question): Stop => ({ kind: "declined", question });
  const cases: readonly (readonly [Stop, RegExp, string])[] = [
    [{ kind: "registryChanged" }, /another registry or environment was chosen/, "connect"],
    [{ kind: "termsUnknown", failure }, /could not be read\. .* 30 s/, "sendAgain openSettings"],
    [{ kind: "otherVersion", failure }, /did not respond within 30 s/, "openSettings"],
    [
      { kind: "notCallable", verdict },
      /not invoked: It is new\. \(skill_not_verified\)$/,
      "askPublisher openSkill",
    ],
    [{ kind: "noLongerValid" }, /input schema has changed/, "showInput"],
    [{ kind: "changed", message: "It has changed." }, /^It has changed\.$/, ""],
    [{ kind: "notRecorded" }, /could not be recorded/, ""],
    [declined({ kind: "inProgress" }), /already being invoked/, "sendAgain"],
    [declined({ kind: "rateLimit", seconds: 7 }), /again in 7 s/, "sendWhenAllowed drop"],
  ];
  for (const [stop, message, actions] of cases) {
    const kind = stop.kind === "declined" ? stop.question.kind : stop.kind;
    it(`gives the reason after ${kind}, and an action`, () => {
      const notice = stopNotice("s", stop, english);
      assert.match(notice?.message ?? "", message);
      assert.equal(notice?.actions.map(({ action }) => action).join(" "), actions);
    });
  }

  const ownDecisions: readonly Stop[] = [
    { kind: "canceled" },
    { kind: "noSender" },
    declined({ kind: "dailyLimit", reason: "It costs $5." }),
  ];
  for (const stop of ownDecisions) {
    it(`is empty after the person's own decision: ${stop.kind}`, () => {
      assert.equal(stopNotice("s", stop, english), undefined);
    });
  }
});
