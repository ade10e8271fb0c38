import { describe, expect, it } from 'vitest';
import { acquiredOf, type ImageInfo } from '../../../contract/images.ts';
import { allTeeth, jawOf, permanentTeeth, sextantOf, successorOf } from '../../../contract/teeth.ts';
import {
  type MountedImage,
  mountedImagesOf,
  teethOfImage,
} from '../../../src/views/workspace/patient/mounted-images.ts';
import { historyOf, spans } from '../../../src/views/workspace/tooth-history/history-url.ts';
import {
  countPanoramics,
  type HistoryImage,
  imagesPerTooth,
  inOrder,
  kindsOf,
  ofKinds,
  placesOf,
  toCompare,
  toothHistory,
} from '../../../src/views/workspace/tooth-history/tooth-history.rules.ts';
import { randomOf } from '../../random-of.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { anImage as anImageInfo, aSlot } from '../records.ts';

const slotsWith = (uid: string, teeth: readonly number[]): MountedImage['slots'] => {
  const { activeImage: _, ...slot } = aSlot(0, { teeth: [...teeth] });
  return [{ viewsetId: 'mount', templateId: null, slot: { ...slot, imageUid: uid } }];
};
const anImage = (
  uid: string,
  { slotTeeth = [], ...changes }: Partial<ImageInfo> & { readonly slotTeeth?: readonly number[] } = {},
): MountedImage => ({ ...anImageInfo(uid, changes), patientId: 'patient', slots: slotsWith(uid, slotTeeth) });

type Random = ReturnType<typeof randomOf>;

const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};
const someTeeth = (random: Random) => Array.from({ length: random(5) }, () => pick(random, allTeeth));

const randomImage = (random: Random, number: number): MountedImage => {
  const day = `20${10 + random(3)}-0${1 + random(3)}-1${random(3)}`;
  return anImage(`image-${number}`, {
    order: 1 + random(9),
    teeth: someTeeth(random),
    slotTeeth: random(2) === 0 ? [] : someTeeth(random),
    teethSource: pick(random, ['user', 'file'] as const),
    source: pick(random, ['dicom', 'dicom', 'picture'] as const),
    seriesModalityValue: pick(random, ['IO', 'PX', 'XC']),
    imageAcquiredDate: pick(random, [null, day, `${day}T0${random(9)}:00:00`]),
  });
};
const randomPatient = (seed: number) => {
  const random = randomOf(seed);
  return Array.from({ length: random(25) }, (_, number) => randomImage(random, number));
};
const patients = Array.from({ length: 24 }, (_, index) => randomPatient(index + 1));

const uids = (images: readonly HistoryImage[]) => images.map(({ image }) => image.uid);
const views = [...permanentTeeth, null].flatMap((tooth) =>
  spans.flatMap((span) => [true, false].map((panoramics) => ({ ...historyOf(tooth), span, panoramics }))),
);

describe('in random patients', () => {
  it('every image is in exactly one group of every history', () => {
    for (const images of patients)
      for (const view of views) {
        const { dated, undated, withoutTeeth, others } = toothHistory(images, view);
        const all = uids([...dated, ...undated, ...withoutTeeth, ...others]);
        expect(all.toSorted()).toEqual(images.map(({ uid }) => uid).toSorted());
      }
  });

  it('the history of a tooth has exactly the images of the tooth and of its deciduous predecessor', () => {
    for (const images of patients)
      for (const tooth of permanentTeeth) {
        const { dated, undated } = toothHistory(images, historyOf(tooth));
        const tagged = images.filter((image) => teethOfImage(image).some((one) => successorOf(one) === tooth));
        expect(uids([...dated, ...undated]).toSorted()).toEqual(tagged.map(({ uid }) => uid).toSorted());
        expect(imagesPerTooth(images).get(tooth) ?? 0).toBe(tagged.length);
      }
  });

  it('images are in the order of their dates, and none without a date of its own is among them', () => {
    for (const images of patients)
      for (const view of views) {
        const { dated, undated } = toothHistory(images, view);
        const dates = dated.map(({ acquired }) => acquired ?? '');
        expect(dates).toEqual(dates.toSorted());
        expect(dates).not.toContain('');
        expect(undated.map(({ image }) => acquiredOf(image))).toEqual(undated.map(() => null));
      }
  });

  it('a wider span shows all images of a narrower one', () => {
    for (const images of patients)
      for (const tooth of permanentTeeth) {
        const shown = spans.map((span) => {
          const { dated, undated } = toothHistory(images, { ...historyOf(tooth), span });
          return new Set(uids([...dated, ...undated]));
        });
        for (const [at, narrow] of shown.entries())
          expect(shown.slice(at).every((wide) => narrow.isSubsetOf(wide))).toBe(true);
      }
  });

  it('panoramics only move from those without teeth to those shown', () => {
    for (const images of patients) {
      const [off, on] = [historyOf(36), { ...historyOf(36), panoramics: true }].map((view) =>
        toothHistory(images, view),
      );
      if (!off || !on) throw new Error('no history');
      const added = new Set(uids([...on.dated, ...on.undated])).difference(
        new Set(uids([...off.dated, ...off.undated])),
      );
      expect(added.size).toBe(countPanoramics(images));
      expect(uids(off.withoutTeeth).filter((uid) => !added.has(uid))).toEqual(uids(on.withoutTeeth));
      expect(uids(off.others)).toEqual(uids(on.others));
    }
  });

  it('tells bitewings from periapical images by their teeth', () => {
    const images = [anImage('a', { teeth: [16, 46] }), anImage('b', { teeth: [16, 17] }), anImage('c')];
    const history = toothHistory(images, historyOf(null));
    expect(inOrder(history).map(({ kind }) => kind)).toEqual(['bitewing', 'periapical', 'intraoral']);
    expect(uids(inOrder(ofKinds(history, ['bitewing'])))).toEqual(['a']);
  });

  it('kinds hide images of other kinds and nothing else', () => {
    for (const images of patients) {
      const history = toothHistory(images, historyOf(null));
      const total = kindsOf(inOrder(history)).map(([kind, count]) => {
        expect(inOrder(ofKinds(history, [kind]))).toHaveLength(count);
        return count;
      });
      expect(total.reduce((sum, count) => sum + count, 0)).toBe(inOrder(history).length);
      expect(ofKinds(history, [])).toBe(history);
    }
  });
});

describe('the teeth of an image', () => {
  it('are those set by a user, else those of its slots, else those of its file', () => {
    const image = anImage('a', { teeth: [11], slotTeeth: [36, 37] });
    expect(teethOfImage({ ...image, teethSource: 'user' })).toEqual([11]);
    expect(teethOfImage(image)).toEqual([36, 37]);
    expect(teethOfImage({ ...image, slots: [] })).toEqual([11]);
    expect(teethOfImage({ ...image, teethSource: 'user', teeth: [] })).toEqual([]);
  });

  it('of slots are those of all its mounts, in any study', () => {
    const [image, other] = [anImageInfo('a'), anImageInfo('b')];
    const mount = (number: number, imageUid: string, teeth: number[]) => {
      const { activeImage: _, ...slot } = aSlot(number, { teeth });
      const mounted = [{ ...slot, imageUid }];
      return { viewSetUuid: `mount-${number}`, name: '', templateUUID: null, filledSlots: 1, slots: 2, mounted };
    };
    const images = mountedImagesOf([
      study({ series: [series([image, other])], viewsets: [mount(0, 'a', [37, 36])] }),
      study({ series: [], viewsets: [mount(1, 'a', [36, 35])] }),
    ]);
    expect(images.map((one) => [one.uid, teethOfImage(one)])).toEqual([
      ['a', [37, 36, 35]],
      ['b', []],
    ]);
  });

  it('name the place of a deciduous tooth once', () => {
    expect(placesOf(anImage('a', { teeth: [55, 15, 16] }))).toEqual([15, 16]);
  });
});

it('shows tooth 55 in the history of 15, marked as deciduous, and in no other', () => {
  const images = [anImage('child', { teeth: [55, 54] }), anImage('adult', { teeth: [15] })].map((image, index) => ({
    ...image,
    imageAcquiredDate: `20${10 + index}-01-01`,
  }));
  const shown = toothHistory(images, historyOf(15)).dated;
  expect(shown.map(({ image, deciduous }) => [image.uid, deciduous])).toEqual([
    ['child', [55]],
    ['adult', []],
  ]);
  expect(historyOf(55)).toEqual(historyOf(15));
  expect(uids(toothHistory(images, historyOf(16)).others)).toEqual(['child', 'adult']);
  const counts = imagesPerTooth(images);
  expect([55, 54, 15, 14, 16].map((tooth) => counts.get(tooth) ?? 0)).toEqual([1, 1, 2, 1, 0]);
});

it('a sextant and a jaw have the images of their teeth', () => {
  const images = allTeeth.map((tooth) =>
    anImage(`image-${tooth}`, { teeth: [tooth], imageAcquiredDate: '2020-01-01' }),
  );
  const shownTeeth = (span: 'sextant' | 'jaw') =>
    toothHistory(images, { ...historyOf(36), span }).dated.flatMap(({ teeth }) => teeth);
  expect(shownTeeth('sextant').toSorted()).toEqual(
    allTeeth.filter((tooth) => sextantOf(tooth) === 'lower-left').toSorted(),
  );
  expect(shownTeeth('jaw').toSorted()).toEqual(allTeeth.filter((tooth) => jawOf(tooth) === 'lower').toSorted());
});

describe('the date of an image', () => {
  it.each([
    ['dicom', '2024-05-06', '2024-05-06'],
    ['dicom', null, null],
    ['picture', '2024-05-06T07:08:09', '2024-05-06T07:08:09'],
    // The import gave it the date of its study.
    ['picture', '2024-05-06', null],
  ] as const)('of a %s of %s is %s', (source, imageAcquiredDate, expected) => {
    expect(acquiredOf(anImage('a', { source, imageAcquiredDate }))).toBe(expected);
  });

  it('without a time comes before the times of its day; equal ones follow their number', () => {
    const [late, early, second, first] = [
      anImage('late', { imageAcquiredDate: '2024-05-06T09:00:00' }),
      anImage('early', { imageAcquiredDate: '2024-05-06T08:00:00' }),
      anImage('second', { imageAcquiredDate: '2024-05-06', order: 2 }),
      anImage('first', { imageAcquiredDate: '2024-05-06', order: 1 }),
    ].map((image) => ({ ...image, teeth: [36] }));
    if (!late || !early || !second || !first) throw new Error('no images');
    const { dated } = toothHistory([late, early, second, first], historyOf(36));
    expect(uids(dated)).toEqual(['first', 'second', 'early', 'late']);
  });
});

it('leaves documents out, which have no picture', () => {
  const report = anImage('report', { kind: 'document', teeth: [36] });
  expect(inOrder(toothHistory([report], historyOf(36)))).toEqual([]);
  expect([imagesPerTooth([report]).size, countPanoramics([{ ...report, seriesModalityValue: 'PX' }])]).toEqual([0, 0]);
});

describe('images to compare', () => {
  const images = ['a', 'b', 'c', 'd', 'e', 'undated'].map((uid, index) =>
    anImage(uid, { teeth: [36], imageAcquiredDate: uid === 'undated' ? null : `202${index}-01-01` }),
  );
  const history = toothHistory([...images, anImage('without')], historyOf(36));
  const compare = (marked: string[], focused: string | null) => toCompare(history, new Set(marked), focused);

  it('are the marked ones, the older left, whatever the order of marking', () => {
    expect(compare(['d', 'b'], 'a')).toEqual(['b', 'd']);
    expect(compare(['without', 'd', 'undated', 'a'], null)).toEqual(['a', 'd', 'undated', 'without']);
  });

  it('are the marked one and the focused one', () => {
    expect(compare(['d'], 'b')).toEqual(['b', 'd']);
    expect(compare(['without'], 'b')).toEqual(['b', 'without']);
  });

  it('are an image and the one before it, for the first one the next', () => {
    expect([compare([], 'c'), compare(['c'], 'c'), compare([], 'a')]).toEqual([
      ['b', 'c'],
      ['b', 'c'],
      ['a', 'b'],
    ]);
  });

  it('are none for an image without date or teeth alone, which has none before it', () => {
    expect([compare([], 'undated'), compare(['without'], null)]).toEqual([null, null]);
  });

  it('are none without a second one, with more than four, or when all are hidden by a filter', () => {
    expect([compare(['a', 'b', 'c', 'd', 'e'], null), compare([], null), compare(['x', 'y'], null)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(toCompare(toothHistory(images.slice(0, 1), historyOf(36)), new Set(['a']), 'a')).toBeNull();
  });
});
