import { render, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import { QrCode } from '../../src/views/ui/qr-code.tsx';
import './render.tsx';

/** Rasterizes the drawing: four pixels per module, black on white. */
const seen = (drawing: Element) => {
  const scale = 4;
  const width = Number(drawing.getAttribute('viewBox')?.split(' ')[2]) * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of (drawing.querySelector('path')?.getAttribute('d') ?? '').matchAll(
    /M(\d+) (\d+)h(\d+)/g,
  ))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++) {
        const at = (row * width + column) * 4;
        data.fill(0, at, at + 3);
      }
  return { width, height: width, data };
};

it('decodes to its text, and updates the same element when the text changes', () => {
  const [first, second] = [0, 1].map(
    (passed) => `bankid.67df3917-fa0d-44e5-b327-edcc928297f8.${passed}.dc69358e712458a66a7525beef148ae8526b1c71610`,
  ) as [string, string];
  const page = render(<QrCode text={first} label="Code" correction="low" />);
  const drawing = screen.getByRole('img', { name: 'Code' });
  expect(decodeQR(seen(drawing))).toBe(first);
  page.rerender(<QrCode text={second} label="Code" correction="low" />);
  expect(screen.getByRole('img', { name: 'Code' })).toBe(drawing);
  expect(decodeQR(seen(drawing))).toBe(second);
});
