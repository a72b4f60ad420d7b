import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

interface Picture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Returns a picture in one gray, 0 to 255. */
function plain(width: number, height: number, gray: number): Picture {
  const data = Buffer.alloc(4 * width * height, gray);
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
  return { data, width, height };
}

function withPixel(picture: Picture, index: number, gray: number): Picture {
  const data = Buffer.from(picture.data).fill(gray, 4 * index, 4 * index + 3);
  return { ...picture, data };
}

const background = plain(10, 8, 31);

const cases: [what: string, other: Picture, differing: number][] = [
  ["the same", plain(10, 8, 31), 0],
  ["a pixel rounded otherwise", withPixel(background, 12, 32), 0],
  ["a pixel of another color", withPixel(background, 12, 43), 1],
  ["two more rows", plain(10, 10, 31), 20],
  ["one column less", plain(9, 8, 31), 8],
];

describe("the comparison of pictures", () => {
  for (const [what, other, differing] of cases) {
    it(`counts ${differing} for ${what}`, async () => {
      const { comparePictures } = await program();
      assert.equal(comparePictures(background, other).differing, differing);
    });
  }

  it("compares pictures as they were written, with all their colors", async () => {
    const { comparePictures, readPicture, writePicture } = await program();
    const colors = plain(64, 32, 0);
    for (let at = 0; at < colors.data.length; at++) {
      if (at % 4 !== 3) colors.data[at] = (at * 7919) % 251;
    }
    const read = await readPicture(await writePicture(colors));
    assert.ok(read.data.equals(colors.data));
    assert.equal(comparePictures(read, colors).differing, 0);
  });
});

function program() {
  return import(pathToFileURL(resolve("scripts/pictures/comparePictures.mjs")).href);
}
