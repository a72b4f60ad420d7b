import type { Result } from "../../core/registry/registryFailure";
import { booleanOf, listOf, member, objectOf, unwrapList } from "../decode/field";
import type { PublicReader } from "../routes/publicReader";
import { decoded } from "./userRoutes";

/** Reads whether a registry takes payments: whether any provider of them is set up. */
export async function readTakesPayments(
  reader: PublicReader,
  signal: AbortSignal,
): Promise<Result<boolean>> {
  const route = "/v1/payment/providers";
  return decoded(await reader.read(route, signal), route, "providers", (body) => {
    const list = unwrapList(body, "providers");
    const providers = list && listOf([...list.items], objectOf);
    return providers?.some((one) => booleanOf(member(one, "configured")) === true);
  });
}
