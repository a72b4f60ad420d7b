import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  readOfferedRegistries,
  registriesNamedIn,
  registriesToOffer,
  registryToOffer,
} from "../../../../src/core/registry/registryToOffer";

const wanted = "https://registry.example";
const builtIn = { inUse: "built-in", isBuiltIn: true, alreadyOffered: [] };

describe("the registry offered because of reviews", () => {
  it("It is the one with the most reviewed versions, after those that were asked about", () => {
    const other = "https://other.example";
    const reviews = [other, wanted, wanted];
    assert.equal(registryToOffer(reviews, builtIn), wanted);
    assert.equal(registryToOffer(reviews, { ...builtIn, alreadyOffered: [wanted] }), other);
    assert.equal(
      registryToOffer(reviews, { ...builtIn, alreadyOffered: [wanted, other] }),
      undefined,
    );
    assert.equal(registryToOffer([], builtIn), undefined);
  });

  it("It is not offered if the registry in use is reviewed, unless that is built in", () => {
    const inUse = "https://mine.example";
    const reviews = [wanted, inUse, "built-in"];
    assert.equal(
      registryToOffer(reviews, { inUse, isBuiltIn: false, alreadyOffered: [] }),
      undefined,
    );
    assert.equal(
      registryToOffer(reviews.slice(0, 1), { inUse, isBuiltIn: false, alreadyOffered: [] }),
      wanted,
    );
    assert.equal(registryToOffer(reviews, builtIn), wanted);
  });

  const hostile = [
    "built-in",
    "http://registry.example",
    "https://user:password@registry.example",
    "https://registry.example@evil.example",
    "https://REGISTRY.example",
    "https://registry.example.",
    "https://registry.example:443",
    "https://registry.example?a",
    "https://registry.example#a",
    "https://registry.example\\evil.example",
    "https://registry\u202e.example",
    "https://régistry.example",
    "https://localhost",
    "https://localhost:8443",
    "https://app.localhost",
    "http://127.0.0.1:29170",
    "https://127.0.0.1",
    "https://127.1",
    "https://0.0.0.0",
    "https://10.0.0.1",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    `https://${"a".repeat(60)}.${"b".repeat(60)}.example`,
    "https://",
  ];
  for (const address of hostile) {
    it(`It is never ${JSON.stringify(address)}`, () => {
      assert.equal(registryToOffer([address], builtIn), undefined);
    });
  }

  it("It is found in a file without parsing it", () => {
    const text = JSON.stringify(
      { reviews: [{ registry: wanted }, { skill: "registry" }] },
      null,
      2,
    );
    assert.deepEqual(registriesNamedIn(text), [wanted]);
    assert.deepEqual(registriesNamedIn('{"registry":"https://a'), []);
    assert.deepEqual(registriesNamedIn(`{"registry":"${"a".repeat(101)}"}`), []);
  });

  it("Stored answers count if they are a list of registries", () => {
    assert.deepEqual(readOfferedRegistries([wanted, 1, null]), [wanted]);
    assert.deepEqual(readOfferedRegistries("x"), []);
    assert.equal(readOfferedRegistries(Array(60).fill(wanted)).length, 50);
  });
});

describe("the registries offered because of environments", () => {
  const staging = { name: "staging", registry: "https://staging.example" };
  const production = { name: "production", registry: "https://registry.example/api" };
  const local = { name: "local", registry: "built-in" };
  const all = [staging, local, production];

  it("Have their names and order, without the built-in one", () => {
    assert.deepEqual(registriesToOffer(all, [], builtIn), [
      { address: staging.registry, environment: "staging" },
      { address: production.registry, environment: "production" },
    ]);
  });

  it("Include the reviews' registry if no environment has it", () => {
    assert.deepEqual(registriesToOffer([staging], [wanted], builtIn).at(-1), { address: wanted });
    assert.equal(registriesToOffer(all, [wanted, wanted], builtIn).length, 2);
    const four = [1, 2, 3, 4].map((n) => ({ name: `e${n}`, registry: `https://e${n}.example` }));
    assert.deepEqual(
      registriesToOffer(four, [wanted], builtIn).map(({ address }) => address),
      ["https://e1.example", "https://e2.example", wanted],
    );
  });

  it("Are none if a named registry is in use, or if the user was asked about all of them", () => {
    for (const inUse of [staging.registry, wanted]) {
      const context = { inUse, isBuiltIn: false, alreadyOffered: [] };
      assert.deepEqual(registriesToOffer([staging], [wanted], context), []);
    }
    const asked = [staging.registry, production.registry];
    assert.deepEqual(registriesToOffer(all, [], { ...builtIn, alreadyOffered: asked }), []);
  });

  it("Are limited to the number that a notification shows with whole addresses", () => {
    const long = [1, 2, 3].map((n) => ({
      name: "n".repeat(50),
      registry: `https://e${n}.${"a".repeat(60)}.example`,
    }));
    const offered = registriesToOffer(long, [], builtIn);
    assert.equal(offered.length, 2);
  });
});
