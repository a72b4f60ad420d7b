import assert from "node:assert/strict";
import type { Result } from "../../../../src/core/registry/registryFailure";

/** Returns the value of a result, or fails. */
export function valueIn<Value>(result: Result<Value>): Value {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** Returns the failure of a result, or fails. */
export function failureIn(result: Result<unknown>) {
  assert.ok(!result.ok, JSON.stringify(result));
  return result.failure;
}
