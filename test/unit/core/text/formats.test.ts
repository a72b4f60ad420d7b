import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { collator, dateFormat, numberFormat } from "../../../../src/core/text/formats";

describe("a format of numbers, times or texts", () => {
  it("is created once for a locale and its options", () => {
    const percent = { style: "percent" } as const;
    assert.equal(numberFormat("de", { ...percent }), numberFormat("de", percent));
    assert.notEqual(numberFormat("de", percent), numberFormat("de"));
    assert.notEqual(numberFormat("de"), numberFormat("en"));
    assert.equal(numberFormat("de").format(1234.5), "1.234,5");
    assert.equal(collator("en", { numeric: true }).compare("a10", "a9"), 1);
  });

  it("follows the zone of its machine", () => {
    const zone = process.env["TZ"];
    const hour = (name: string) => {
      process.env["TZ"] = name;
      return dateFormat("en", { hour: "2-digit", hourCycle: "h23" }).format(0);
    };
    try {
      assert.deepEqual([hour("Asia/Tokyo"), hour("UTC"), hour("Asia/Tokyo")], ["09", "00", "09"]);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });
});
