import type { WebGLRenderer } from 'pixi.js';

/** What the stage shows, as 8-bit red, green, blue and alpha (255), row by row from the top left. */
export interface Snapshot {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The same as a PNG file. */
  readonly toBlob: () => Promise<Blob>;
}

const asPng = async (width: number, height: number, pixels: Uint8ClampedArray<ArrayBuffer>): Promise<Blob> => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no canvas to write a picture with');
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
};

/** Reads the picture drawn just before, in the same task: later the browser may have thrown it away. */
export const readSnapshot = ({ gl }: WebGLRenderer): Snapshot => {
  const width = gl.drawingBufferWidth;
  const height = gl.drawingBufferHeight;
  const upsideDown = new Uint8Array(width * height * 4);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, upsideDown);
  const pixels = new Uint8ClampedArray(width * height * 4);
  const row = width * 4;
  for (let y = 0; y < height; y++) {
    pixels.set(upsideDown.subarray((height - 1 - y) * row, (height - y) * row), y * row);
  }
  return { width, height, pixels, toBlob: () => asPng(width, height, pixels) };
};
