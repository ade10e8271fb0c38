import type { WebGLRenderer } from 'pixi.js';

/** The drawn stage as 8-bit red, green, blue and alpha (255), row by row from the top left. */
export interface Snapshot {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Reads the drawn frame. Must run in the same task as the drawing: later the buffer may be cleared. */
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
  return { width, height, pixels };
};
