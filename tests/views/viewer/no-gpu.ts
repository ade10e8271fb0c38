/** Replaces `renderer.ts`, `painter.ts` and `snapshot.ts`: a canvas that receives events and draws nothing. */
export const createSurface = async () => ({
  canvas: document.createElement('canvas'),
  renderer: { width: 800, height: 600, resize: () => undefined, context: { isLost: false } },
  maxTexture: 8192,
  isSoftware: false,
});

export const createPainter = ({ renderer }: { readonly renderer: object }) => ({
  renderer,
  paint: () => undefined,
  paintedPixels: () => 0,
  gpuBytes: () => 0,
  dispose: () => undefined,
});

export const readSnapshot = () => ({ width: 0, height: 0, pixels: new Uint8Array() });
