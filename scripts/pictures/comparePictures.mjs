import pixelmatch from "pixelmatch";
import sharp from "sharp";

/**
 * The tolerated difference of a color, as a share of the way from black to white: processors round colors differently.
 */
const threshold = 0.02;

/** Reads a PNG as `{ data, width, height }`, four bytes a pixel, without its transparency. */
export async function readPicture(png) {
  const opaque = sharp(png).removeAlpha().ensureAlpha();
  const { data, info } = await opaque.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Writes a picture as PNG, with every color as it is. */
export function writePicture({ data, width, height }) {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/**
 * Compares two pictures by pixels. Returns the number of different ones, including all that only one picture has, and a
 * picture of the differences.
 */
export function comparePictures(expected, actual) {
  const width = Math.max(expected.width, actual.width);
  const height = Math.max(expected.height, actual.height);
  const data = Buffer.alloc(4 * width * height);
  const [one, other] = [expected, actual].map((picture) => onCanvas(picture, width, height));
  const differing = pixelmatch(one, other, data, width, height, { threshold, includeAA: true });
  return { differing, difference: { data, width, height } };
}

/** Joins pictures side by side into one PNG. */
export function sideBySide(...pictures) {
  const gap = 8;
  const width = pictures.reduce((sum, picture) => sum + picture.width + gap, -gap);
  const height = Math.max(...pictures.map((picture) => picture.height));
  const lefts = pictures.map((_, index) =>
    pictures.slice(0, index).reduce((sum, before) => sum + before.width + gap, 0),
  );
  return sharp({ create: { width, height, channels: 4, background: "#ff00ff" } })
    .composite(
      pictures.map((picture, index) => ({
        input: picture.data,
        raw: { width: picture.width, height: picture.height, channels: 4 },
        left: lefts[index],
        top: 0,
      })),
    )
    .png()
    .toBuffer();
}

/** Draws a picture at the top left of a transparent picture of this size. */
function onCanvas({ data, width: own, height: rows }, width, height) {
  if (own === width && rows === height) return data;
  const canvas = Buffer.alloc(4 * width * height);
  for (let row = 0; row < rows; row++) {
    data.copy(canvas, 4 * width * row, 4 * own * row, 4 * own * (row + 1));
  }
  return canvas;
}
