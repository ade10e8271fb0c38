import { contextOf } from '../layers/canvas-context.ts';

/** Smallest height of the letters in pixels, and their share of the picture's width. */
const smallest = 14;
const share = 1 / 45;

/** Returns a copy of a picture with a text in black on a white strip below it, as one line that fits the width. */
export const withStrip = (picture: OffscreenCanvas, text: string, fontFamily: string): OffscreenCanvas => {
  const size = Math.max(smallest, picture.width * share);
  const strip = Math.ceil(size * 2);
  const canvas = new OffscreenCanvas(picture.width, picture.height + strip);
  const context = contextOf(canvas);
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  context.fillStyle = '#000000';
  context.font = `${size}px ${fontFamily}`;
  context.textBaseline = 'middle';
  context.fillText(text, size / 2, picture.height + strip / 2, Math.max(1, canvas.width - size));
  return canvas;
};
