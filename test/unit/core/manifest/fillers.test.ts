import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { hasPlaceholder, isFiller, isPrivateHost } from "../../../../src/core/manifest/fillers";

/** Returns the items for which `test` returns the opposite of what is expected. */
const wrong = (test: (text: string) => boolean, expected: boolean, texts: readonly string[]) =>
  texts.filter((text) => test(text) !== expected);

describe("fillers of a manifest", () => {
  it("are texts left from a template", () => {
    const fillers = ["TODO", "todo.", "TODO: describe it", "Lorem ipsum dolor sit amet", "xxx"];
    const more = [
      "Description here",
      "Your description goes here",
      "<add a short description here>",
    ];
    assert.deepEqual(wrong(isFiller, true, [...fillers, ...more]), []);
  });

  it("are no texts that mention such words", () => {
    const texts = [
      "Manages todo lists",
      "Todo - lists for teams",
      "Finds TODO comments in code",
      "Name",
      "Tells who is here",
    ];
    assert.deepEqual(wrong(isFiller, false, [...texts, "The text", ""]), []);
  });

  it("are placeholders in an address", () => {
    const test = (text: string) => hasPlaceholder(new URL(text));
    const addresses = [
      "https://example.com/",
      "https://api.example.org/a",
      "https://your-domain.com",
    ];
    const more = [
      "https://a.dev/{id}/run",
      "https://a.dev/?k={{KEY}}",
      "https://a.dev/<path>",
      "https://a.dev/YOUR_PATH",
    ];
    assert.deepEqual(wrong(test, true, [...addresses, ...more]), []);
    const real = [
      "https://run.example/words",
      "https://notexample.com/",
      "https://a.dev/your-words",
      "https://a.dev/%20",
    ];
    assert.deepEqual(wrong(test, false, real), []);
  });

  it("are hosts that nobody else reaches", () => {
    const test = (host: string) => isPrivateHost(new URL(`https://${host}/`).hostname);
    const names = [
      "localhost",
      "localhost.",
      "a.localhost",
      "printer.local",
      "a.internal",
      "build",
      "words.corp",
      "a.home.arpa",
      "words.test",
      "words.invalid",
    ];
    const addresses = [
      "127.0.0.1",
      "0x7f.1",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
    ];
    const v6 = ["[::1]", "[::]", "[fd00::1]", "[fe80::1]", "[::ffff:192.168.1.1]"];
    assert.deepEqual(wrong(test, true, [...names, ...addresses, ...v6]), []);
    const reached = [
      "run.example",
      "fd.example",
      "172.32.0.1",
      "100.128.0.1",
      "8.8.8.8",
      "[2001:db8::1]",
      "[::ffff:8.8.8.8]",
    ];
    assert.deepEqual(wrong(test, false, [...reached, "internal.dev", "test.dev"]), []);
  });
});
