import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { Owner } from "../../../../src/host/ui/owner";

class Part extends Owner {
  readonly order: string[] = [];

  begin(name: string): string {
    return this.own({ name, dispose: () => this.order.push(name) }).name;
  }

  get hasEnded(): boolean {
    return this.untilDisposed.aborted;
  }
}

describe("Owner", () => {
  it("disposes of owned objects once, the last first, after it has ended open work", () => {
    const part = new Part();
    assert.equal(part.begin("first"), "first");
    part.begin("second");
    assert.equal(part.hasEnded, false);
    part.dispose();
    part.dispose();
    assert.equal(part.hasEnded, true);
    assert.deepEqual(part.order, ["second", "first"]);
  });

  it("disposes at once of objects created too late", () => {
    const part = new Part();
    part.dispose();
    part.begin("late");
    assert.deepEqual(part.order, ["late"]);
  });
});
