import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fitsFormat } from "../../../../../src/core/schema/evaluate/formats";

describe("fitsFormat", () => {
  const cases: Record<string, [good: string[], bad: string[]]> = {
    date: [
      ["2024-02-29", "2000-02-29"],
      ["2023-02-29", "1900-02-29", "2026-13-01", "2026-1-01", "2026-04-31"],
    ],
    time: [
      ["09:00:00Z", "09:00:00.5+02:00", "23:59:60Z", "01:29:60+01:30"],
      ["09:00:00", "24:00:00Z", "22:59:60Z", "09:00:00+24:00"],
    ],
    "date-time": [
      ["2026-11-20T09:00:00Z", "2026-11-20t09:00:00z"],
      ["2026-11-20 09:00:00Z", "2026-11-20", "2026-11-20T09:00Z"],
    ],
    duration: [
      ["P1D", "PT1H30M", "P1Y2M3D", "P2W", "P1DT12H"],
      ["P", "PT", "P1YT", "1D", "P1Y2D", "PT1H2S", "P1D2H", "P1W1D"],
    ],
    email: [
      ["a.b+c@example.com", '"a b"@example.com', "a@[127.0.0.1]"],
      ["a", "@b", "a@", ".a@b", "a..b@c", "a@-b"],
    ],
    hostname: [
      ["a", "example.com", "xn--nxasmq6b", "1.2"],
      ["", "-a", "a-", "a..b", "a_b", "a.", "x".repeat(64)],
    ],
    ipv4: [
      ["0.0.0.0", "255.255.255.255"],
      ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4\n"],
    ],
    ipv6: [
      ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
      ["", ":", "1:2:3:4:5:6:7", "1::2::3", "12345::", "::1%eth0", "1:2:3:4:5:6:7:8:9"],
    ],
    uri: [
      [
        "https://example.com/?a=b#c",
        "urn:a:b",
        "mailto:a@b",
        "http://u:p@a:80/:",
        "http://[::1]:9",
      ],
      [
        "example.com",
        "//a/b",
        "http://a b",
        "http://a/%zz",
        "http://ä",
        "http://a:b:1",
        "http://a:x",
      ],
    ],
    "uri-reference": [
      ["", "a/b", "#a", "//a/b", "a:b:c", "/a:b:c"],
      ["a b", "\\a", "%z", "//a:b:c"],
    ],
    iri: [
      ["http://ä/ö", "http://ä:80", "http://[2001:db8::1]/"],
      ["ä", "http://<a>", "http://2001:db8::1/ö"],
    ],
    // Deciding this needs Unicode tables.
    "idn-hostname": [["ä.example", "〮한국.example"], []],
    "uri-template": [["http://a/{b}{?c,d}"], ["http://a/{b", "a}b"]],
    uuid: [
      ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
      ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638"],
    ],
    "json-pointer": [
      ["", "/", "/a~0b~1c"],
      ["a", "/a~", "/a~2"],
    ],
    "relative-json-pointer": [
      ["0", "1/a", "2#"],
      ["", "01", "-1", "/a", "0##"],
    ],
    regex: [["^a+$"], ["a("]],
    "no-such-format": [["anything"], []],
  };
  for (const [format, [good, bad]] of Object.entries(cases)) {
    it(`knows ${format}`, () => {
      for (const text of good) assert.ok(fitsFormat(format, text), text);
      for (const text of bad) assert.ok(!fitsFormat(format, text), text);
    });
  }
});
