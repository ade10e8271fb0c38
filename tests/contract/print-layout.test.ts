import { describe, expect, it } from 'vitest';
import { type LayoutRequest, layoutOf, type PrintLayout, pageMm } from '../../contract/print-layout.ts';
import { imageSides, mountSides } from '../../contract/print-sides.ts';
import { permanentTeeth } from '../../contract/teeth.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';

const spacing = { mmPerPixel: 0.02, source: 'calibrated' } as const;
const picture = (width: number, height: number, changes: object = {}) => ({
  width,
  height,
  spacing,
  slot: null,
  ...changes,
});
const request = (changes: Partial<LayoutRequest>): LayoutRequest => ({
  paper: 'a4',
  scale: 'fit',
  mount: null,
  pictures: [],
  ...changes,
});
const layout = (changes: Partial<LayoutRequest>): PrintLayout => {
  const found = layoutOf(request(changes));
  if ('problem' in found) throw new Error(found.problem);
  return found;
};

const template = standardTemplate('fmx18');
const fullMouth = {
  mount: { width: template.width, height: template.height },
  pictures: template.viewSetItems.map(({ xPos, yPos, width, height }) =>
    picture(width > height ? 1700 : 1300, width > height ? 1300 : 1700, { slot: { x: xPos, y: yPos, width, height } }),
  ),
};

const expectInside = ({ content, pages }: PrintLayout) => {
  for (const { picture: box, caption } of pages.flat()) {
    expect(box.x).toBeGreaterThanOrEqual(content.x - 1e-6);
    expect(box.y).toBeGreaterThanOrEqual(content.y - 1e-6);
    expect(box.x + box.width).toBeLessThanOrEqual(content.x + content.width + 1e-6);
    expect(caption.y + caption.height).toBeLessThanOrEqual(content.y + content.height + 1e-6);
    expect(box.width).toBeGreaterThan(1);
  }
};

const overlaps = (pages: PrintLayout['pages']): number =>
  pages
    .map(
      (placed) =>
        placed.flatMap((one, index) =>
          placed.slice(index + 1).filter((other) => {
            const [a, b] = [one, other].map(({ picture: box, caption }) => ({
              ...box,
              height: box.height + caption.height,
            }));
            if (!a || !b) return false;
            return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
          }),
        ).length,
    )
    .reduce((sum, count) => sum + count, 0);

describe('layoutOf', () => {
  it('turns the paper to show a picture larger, and keeps its shape', () => {
    const wide = layout({ pictures: [picture(3000, 1500)] });
    expect([wide.widthMm, wide.heightMm]).toEqual([297, 210]);
    const tall = layout({ pictures: [picture(1500, 2500)], paper: 'letter' });
    expect([tall.widthMm, tall.heightMm]).toEqual([215.9, 279.4]);
    for (const { pages } of [wide, tall])
      for (const { picture: box, index } of pages.flat())
        expect(box.width / box.height).toBeCloseTo(index === 0 && box.width > box.height ? 2 : 0.6, 6);
  });

  it('keeps the pictures of a full mouth in their slots, apart and on the page', () => {
    for (const paper of ['a4', 'a3', 'letter'] as const) {
      const found = layout({ ...fullMouth, paper });
      expectInside(found);
      expect(found.pages).toHaveLength(1);
      expect(found.pages.flat()).toHaveLength(template.viewSetItems.length);
      expect(overlaps(found.pages)).toBe(0);
    }
  });

  it('prints a full mouth at true size on A3, and says that A4 is too small', () => {
    const pictures = fullMouth.pictures.map((one) => ({ ...one, spacing }));
    expect(layoutOf(request({ ...fullMouth, pictures, scale: 'true-size' }))).toEqual({ problem: 'too-large' });
    const found = layout({ ...fullMouth, pictures, scale: 'true-size', paper: 'a3' });
    for (const { picture: box, index } of found.pages.flat())
      expect(box.width).toBeCloseTo((pictures[index]?.width ?? 0) * 0.02, 9);
    expectInside(found);
    expect(overlaps(found.pages)).toBe(0);
  });

  it('keeps the order of compared pictures and leaves room for their texts', () => {
    for (let count = 1; count <= 4; count++) {
      const found = layout({ pictures: Array.from({ length: count }, () => picture(1000, 1200)) });
      expectInside(found);
      expect(overlaps(found.pages)).toBe(0);
      expect(found.pages.flat().map(({ index }) => index)).toEqual([...new Array(count).keys()]);
      for (const { caption } of found.pages.flat()) expect(caption.height).toBe(pageMm.caption);
    }
  });

  it('gives pictures that do not fit beside each other at true size a page each', () => {
    const pictures = [picture(8000, 6000), picture(8000, 6000)];
    const found = layout({ pictures, scale: 'true-size' });
    expect(found.pages.map((page) => page.map(({ index }) => index))).toEqual([[0], [1]]);
    expectInside(found);
  });

  it('refuses true size without a spacing of every picture, or beyond the paper', () => {
    const pictures = [picture(100, 100), picture(100, 100, { spacing: null })];
    expect(layoutOf(request({ pictures, scale: 'true-size' }))).toEqual({ problem: 'no-spacing' });
    expect(layoutOf(request({ pictures }))).not.toHaveProperty('problem');
    const huge = [picture(100_000, 100_000)];
    expect(layoutOf(request({ pictures: huge, scale: 'true-size' }))).toEqual({ problem: 'too-large' });
  });
});

describe('the sides of the patient', () => {
  const slots = template.viewSetItems.map(({ xPos, width, teeth }) => ({ x: xPos, width, teeth }));

  it('are known where a mount has the teeth of each side apart', () => {
    expect(mountSides(slots)).toEqual({ left: 'R', right: 'L' });
    expect(mountSides(slots.map((slot) => ({ ...slot, x: -slot.x - slot.width })))).toEqual({ left: 'L', right: 'R' });
    expect(mountSides([])).toEqual({ left: null, right: null });
    expect(mountSides(slots.map((slot) => ({ ...slot, x: 0, width: 1 })))).toEqual({ left: null, right: null });
  });

  it('are both sides of a panoramic image, and the side of the teeth of another', () => {
    const image = { modality: 'IO', teeth: [16, 17], laterality: null, turned: false } as const;
    expect(imageSides({ ...image, modality: 'PX', teeth: [] })).toEqual({ left: 'R', right: 'L' });
    expect(imageSides({ ...image, modality: 'PX', turned: true })).toEqual({ left: null, right: null });
    expect(imageSides(image)).toEqual({ left: 'R', right: null });
    expect(imageSides({ ...image, teeth: [36] })).toEqual({ left: null, right: 'L' });
    expect(imageSides({ ...image, teeth: [11, 21] })).toEqual({ left: null, right: null });
    expect(imageSides({ ...image, teeth: [], laterality: 'L' })).toEqual({ left: null, right: 'L' });
    for (const tooth of permanentTeeth)
      expect(imageSides({ ...image, teeth: [tooth] }).left).toBe([1, 4].includes(Math.floor(tooth / 10)) ? 'R' : null);
  });
});
