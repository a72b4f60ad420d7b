import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isSuccessStatus } from "../../../../src/core/registry/httpStatus";

describe("an HTTP status", () => {
  it("reports success from 200 to 299", () => {
    const statuses = [100, 199, 200, 204, 299, 300, 304, 404, 500];
    assert.deepEqual(statuses.filter(isSuccessStatus), [200, 204, 299]);
  });
});
