import { describe, expect, test } from 'vitest';
import { bestAssignment } from '../../contract/best-assignment.ts';
import { type CandidateImage, proposeSlots } from '../../contract/propose-slots.ts';
import { randomFrom } from '../../demo/phantom/random.ts';
import { type StandardLayout, standardLayouts } from '../../server/domain/standard-layouts.ts';
import { standardTemplate } from '../../server/domain/standard-templates.ts';

const templateOf = (layout: StandardLayout) => {
  const { modality, viewSetItems } = standardTemplate(layout);
  return { modality, slots: viewSetItems };
};

let made = 0;
const image = (facts: Partial<CandidateImage> = {}): CandidateImage => {
  made += 1;
  return {
    id: `image-${String(made).padStart(4, '0')}`,
    modality: 'IO',
    teeth: [],
    laterality: null,
    jaw: null,
    acquiredAt: null,
    instanceNumber: null,
    ...facts,
  };
};

/** One image for each slot, with its teeth, in shuffled order. */
const mouth = (layout: StandardLayout): readonly CandidateImage[] => {
  const images = standardLayouts[layout].map((slot, index) =>
    image({ teeth: slot.teeth, instanceNumber: 100 - index }),
  );
  return images.toSorted((one, other) => (one.teeth.join() < other.teeth.join() ? -1 : 1));
};

describe.each(['fmx18', 'fmx14', 'bitewings4', 'bitewings2', 'child8'] as const)('%s', (layout) => {
  const template = templateOf(layout);

  test('images with the teeth of their slots are placed there, in any order of arrival', () => {
    const images = mouth(layout);
    const links = proposeSlots(template, images);
    expect(Object.keys(links)).toHaveLength(template.slots.length);
    for (const slot of template.slots) {
      const mounted = images.find((one) => one.id === links[slot.itemIndex]);
      expect(mounted?.teeth).toEqual(slot.teeth);
    }
    expect(proposeSlots(template, images.toReversed())).toEqual(links);
  });

  test('images without information are placed in order of acquisition', () => {
    const images = template.slots.map((_, index) => image({ acquiredAt: `2026-01-01T10:${10 + index}:00` }));
    const links = proposeSlots(template, images.toReversed());
    expect(Object.fromEntries(images.map((one, index) => [String(index), one.id]))).toEqual(links);
  });
});

test('slightly different teeth still match the nearest slot', () => {
  const template = templateOf('fmx18');
  const [molars, front, bitewing] = [
    image({ teeth: [18, 17, 16] }),
    image({ teeth: [12, 11, 21, 22] }),
    image({ teeth: [17, 16, 46] }),
  ];
  const links = proposeSlots(template, [molars, front, bitewing]);
  const slotOf = (one: CandidateImage) => template.slots.find((slot) => links[slot.itemIndex] === one.id)?.description;
  expect(slotOf(molars)).toBe('Molar överkäke höger');
  expect(slotOf(front)).toBe('Framtänder överkäke');
  expect(slotOf(bitewing)).toBe('Bitewing molar höger');
});

test('surplus images, those with teeth of no slot, or of the other view, stay unmounted', () => {
  const template = templateOf('bitewings4');
  const images = mouth('bitewings4');
  const again = image({ teeth: [17, 16, 47, 46], instanceNumber: 500 });
  const periapical = image({ teeth: [17, 16] });
  const front = image({ teeth: [11, 21, 31, 41] });
  const links = proposeSlots(template, [again, periapical, front, ...images]);
  expect(Object.values(links).sort()).toEqual(images.map((one) => one.id).sort());
});

test('a second image of the same teeth does not take a slot that shows few of them', () => {
  const slots = [
    { itemIndex: 0, order: 1, teeth: [18, 17, 16] },
    { itemIndex: 1, order: 2, teeth: [16, 15, 14] },
  ];
  const [molars, again] = [image({ teeth: [18, 17, 16] }), image({ teeth: [18, 17, 16] })];
  expect(proposeSlots({ modality: 'IO', slots }, [molars, again])).toEqual({ 0: molars.id });
  const premolars = image({ teeth: [15, 14] });
  expect(proposeSlots({ modality: 'IO', slots }, [again, premolars])).toEqual({ 0: again.id, 1: premolars.id });
});

test('side and jaw decide where no teeth are given', () => {
  const template = templateOf('fmx14');
  const lowerLeft = image({ laterality: 'L', jaw: 'lower', instanceNumber: 1 });
  const right = image({ laterality: 'R', instanceNumber: 2 });
  const upper = image({ jaw: 'upper', instanceNumber: 3 });
  const middle = image({ laterality: 'B', instanceNumber: 4 });
  const links = proposeSlots(template, [middle, upper, right, lowerLeft]);
  const slotOf = (one: CandidateImage) => template.slots.find((slot) => links[slot.itemIndex] === one.id)?.description;
  expect(slotOf(lowerLeft)).toBe('Molar underkäke vänster');
  expect(slotOf(right)).toBe('Molar överkäke höger');
  expect(slotOf(upper)).toBe('Premolar överkäke höger');
  expect(slotOf(middle)).toBe('Framtänder överkäke');
});

test('panoramic, cephalometric and photograph templates accept images of their modality', () => {
  const images = ['IO', 'PX', 'DX', 'XC'].map((modality) => image({ modality }));
  const taken = (layout: StandardLayout) =>
    Object.values(proposeSlots(templateOf(layout), images)).map((id) => images.find((one) => one.id === id)?.modality);
  expect(taken('panoramic')).toEqual(['PX']);
  expect(taken('cephalometric')).toEqual(['DX']);
  expect(taken('photograph')).toEqual(['XC']);
  expect(taken('bitewings2')).toEqual(['IO']);
  expect(taken('single')).toHaveLength(1);
  const panorama = image({ modality: 'PX' });
  expect(Object.values(proposeSlots(templateOf('single'), [panorama]))).toEqual([panorama.id]);
});

const layouts = ['fmx18', 'fmx14', 'bitewings4', 'child8', 'single', 'photoSeries'] as const;
const someTeeth = [11, 12, 16, 17, 21, 26, 31, 36, 37, 41, 46, 47, 55, 65, 75];

test('never contradicts the teeth, never places an image twice, and is independent of the order', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom('slots', seed).next;
    const one = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const template = templateOf(one(layouts));
    const images = Array.from({ length: Math.floor(random() * 30) }, () =>
      image({
        teeth: [...new Set(Array.from({ length: Math.floor(random() * 5) }, () => one(someTeeth)))],
        laterality: one(['L', 'R', 'B', null]),
        jaw: one(['upper', 'lower', null]),
        modality: one(['IO', 'CR', 'PX', 'XC']),
        instanceNumber: one([null, 1, 2, 3]),
      }),
    );
    const links = proposeSlots(template, images);
    const mounted = Object.values(links);
    expect(new Set(mounted).size).toBe(mounted.length);
    for (const [slot, id] of Object.entries(links)) {
      const teeth = template.slots.find((candidate) => String(candidate.itemIndex) === slot)?.teeth ?? [];
      const own = images.find((candidate) => candidate.id === id)?.teeth ?? [];
      if (teeth.length > 0 && own.length > 0) expect(own.some((tooth) => teeth.includes(tooth))).toBe(true);
    }
    expect(proposeSlots(template, images.toReversed())).toEqual(links);
  }
});

type Gain = readonly (readonly (number | null)[])[];

/** By brute force. */
const best = (gain: Gain, taken: ReadonlySet<number> = new Set()): number => {
  const [row, ...rest] = gain;
  if (!row) return 0;
  const choices = row.map((value, column) =>
    value === null || taken.has(column) ? 0 : value + best(rest, new Set([...taken, column])),
  );
  return Math.max(best(rest, taken), ...choices);
};

test('the assignment is optimal', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = randomFrom('slots', seed).next;
    const value = () => (random() < 0.3 ? null : 1 + Math.floor(random() * 9));
    const gain = Array.from({ length: Math.floor(random() * 6) }, () => [value(), value(), value()]);
    const chosen = bestAssignment(gain, 3);
    const columns = chosen.filter((column) => column !== null);
    expect(new Set(columns).size).toBe(columns.length);
    const values = chosen.flatMap((column, row) => (column === null ? [] : [gain[row]?.[column] ?? null]));
    expect(values).not.toContain(null);
    expect(values.reduce<number>((sum, one) => sum + (one ?? 0), 0)).toBe(best(gain));
  }
});
