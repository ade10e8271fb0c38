import { describe, expect, it } from 'vitest';
import type { Template } from '../../../contract/viewsets.ts';
import { type StandardLayout, standardLayouts } from '../../../server/domain/standard-layouts.ts';
import { standardTemplate } from '../../../server/domain/standard-templates.ts';
import { offeredMount, unmountedImages } from '../../../src/views/forms/offered-mount.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { anImage, idOf } from '../records.ts';

const layouts = Object.keys(standardLayouts) as StandardLayout[];
const templates = layouts.map((layout): Template => {
  const { viewSetItems, ...template } = standardTemplate(layout);
  return { ...template, isFavorite: false, viewSetItems: [...viewSetItems] };
});
const imagesOf = (layout: StandardLayout) =>
  standardLayouts[layout].map(({ teeth }, index) => anImage(String(index), { teeth: [...teeth], number: index }));
const offered = (...[images]: [Parameters<typeof offeredMount>[0]]) => {
  const offer = offeredMount(images, templates);
  return offer && [offer.template.name, offer.placed, offer.images];
};

describe('the offered mount', () => {
  it.each(['bitewings2', 'bitewings4', 'fmx14', 'fmx18'] as const)(
    'is the one whose slots show the teeth of %s',
    (layout) => {
      const images = imagesOf(layout);
      expect(offered(images)).toEqual([standardTemplate(layout).name, images.length, images.length]);
      expect(offered(images.toReversed())).toEqual([standardTemplate(layout).name, images.length, images.length]);
    },
  );

  it('may miss an image, but not half of them', () => {
    expect(offered(imagesOf('bitewings4').slice(0, 3))).toEqual([standardTemplate('bitewings4').name, 3, 3]);
    expect(offered(imagesOf('fmx18').slice(0, 1))).toBeNull();
  });

  it('is none for more images than a mount has', () => {
    const many = Array.from({ length: 41 }, (_, index) => anImage(String(index)));
    expect(offered(many)).toBeNull();
  });
});

it('acceptable images with pixels, an intact file and no mount can be placed, but no slices', () => {
  const images = [
    anImage('a'),
    anImage('b', { kind: 'document' }),
    anImage('c', { viewsetId: idOf(7) }),
    anImage('e', { seriesModalityValue: 'CT' }),
    anImage('f', { grade: { version: 1, grade: 'N', reason: 'movement' } }),
    anImage('d', { storageFault: { kind: 'missing', since: '2026-11-26T10:00:00.000Z' } }),
  ];
  expect(unmountedImages(study({ series: [series(images)] })).map(({ uid }) => uid)).toEqual(['a']);
});
