import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { BatchChoice } from "../../../../src/core/audit/delivery";

/** Delivers entries to a collector until none is left or `pauses` pauses have passed. */
function deliver(count: number, rejects: (id: string, request: number) => boolean, pauses = 0) {
  const choice = new BatchChoice();
  let left = Array.from({ length: count }, (_, index) => String(index));
  const setAside: string[] = [];
  let requests = 0;
  for (let paused = 0; paused <= pauses; ) {
    const { ids: named, areExcluded } = choice.candidates;
    const ids = left.filter((id) => named.includes(id) !== areExcluded).slice(0, choice.size);
    if (ids.length === 0) {
      const next = choice.end();
      if (next === "done") break;
      if (next === "pause") paused += 1;
      continue;
    }
    requests += 1;
    const request = requests;
    if (ids.some((id) => rejects(id, request))) {
      const next = choice.reject(ids);
      if (next === "pause") paused += 1;
      if (next !== "setAside") continue;
      setAside.push(...ids);
    } else choice.take(ids);
    left = left.filter((id) => !ids.includes(id));
  }
  return { left, setAside, requests };
}

describe("the choice of the next events for the audit export", () => {
  for (const bad of [["0"], ["499"], ["100"], ["0", "99", "250"], ["7", "8", "9"]]) {
    it(`sets aside only ${bad.join(", ")} of 500, which the collector always rejects`, () => {
      const { left, setAside, requests } = deliver(500, (id) => bad.includes(id), 3);
      assert.deepEqual([left, setAside.sort()], [[], [...bad].sort()]);
      assert.ok(requests < 70, `${requests} requests`);
    });
  }

  it("sets aside seven bad entries at the start, although four rejections cause a pause", () => {
    const isBad = (id: string) => Number(id) < 7;
    const { left, setAside } = deliver(20, isBad, 4);
    assert.deepEqual([left, setAside.length], [[], 7]);
  });

  it("sets nothing aside while the collector accepts nothing, however long", () => {
    const { left, setAside } = deliver(20, () => true, 30);
    assert.deepEqual([left.length, setAside], [20, []]);
  });

  it("sets aside nothing that was rejected only during an outage", () => {
    const { left, setAside } = deliver(20, (_, request) => request < 30, 30);
    assert.deepEqual([left, setAside], [[], []]);
  });

  it("sets aside a bad last entry after the collector accepted all others", () => {
    assert.deepEqual(deliver(3, (id) => id === "2").setAside, ["2"]);
  });

  it("keeps a single rejected entry until another one is accepted", () => {
    assert.deepEqual(deliver(1, () => true, 5).left, ["0"]);
  });
});
