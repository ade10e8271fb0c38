/** Returns the 2D context of a canvas. @throws Error when there is none */
export const contextOf = (canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D => {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('A 2D canvas context is not available');
  return context;
};
