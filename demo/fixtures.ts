import { uidFrom } from '../dicom/write/uid.ts';
import { drawRadiograph } from './radiograph.ts';
import type { ImageIdentity, Recipe } from './recipe.ts';

const common = { seed: 11, mouth: 42, age: 44 } as const;
const small = { ...common, columns: 327, rows: 250 } as const;

/** Small images, one for each special case of a reader. */
const RECIPES = {
  'io-12bit': {
    ...small,
    kind: 'intra-oral',
    view: 'periapical',
    receptor: 'sensor',
    teeth: ['17', '16'],
    photometric: 'MONOCHROME2',
    packing: 'explicit-le',
  },
  'io-mono1': {
    ...small,
    kind: 'intra-oral',
    view: 'bitewing',
    receptor: 'sensor',
    teeth: ['17', '16', '47', '46'],
    photometric: 'MONOCHROME1',
    packing: 'implicit-le',
  },
  'io-rle': {
    ...small,
    kind: 'intra-oral',
    view: 'periapical',
    receptor: 'sensor',
    teeth: ['36', '37'],
    photometric: 'MONOCHROME2',
    packing: 'rle',
  },
  'io-htj2k': {
    ...small,
    kind: 'intra-oral',
    view: 'periapical',
    receptor: 'sensor',
    teeth: ['34', '35'],
    photometric: 'MONOCHROME2',
    packing: 'htj2k',
  },
  'io-big-endian': {
    ...small,
    kind: 'intra-oral',
    view: 'periapical',
    receptor: 'sensor',
    teeth: ['44', '45'],
    photometric: 'MONOCHROME2',
    packing: 'explicit-be',
  },
  'cr-deflated': {
    ...small,
    kind: 'intra-oral',
    view: 'periapical',
    receptor: 'phosphor-plate',
    teeth: ['46', '45'],
    photometric: 'MONOCHROME2',
    packing: 'deflated',
  },
  'px-16bit-jls': { ...common, kind: 'panoramic', bitsStored: 16, columns: 480, rows: 240, packing: 'jpeg-ls' },
  'ct-signed-j2k': {
    ...common,
    kind: 'ct-slice',
    slice: 4,
    sliceCount: 8,
    columns: 128,
    rows: 128,
    packing: 'jpeg-2000',
  },
  'photo-jpeg': { ...common, kind: 'photograph', columns: 300, rows: 200, packing: 'jpeg-baseline' },
} as const satisfies Record<string, Recipe>;

export type FixtureName = keyof typeof RECIPES | 'broken';

export const FIXTURE_NAMES = [
  ...Object.keys(RECIPES).filter((name): name is keyof typeof RECIPES => name in RECIPES),
  'broken',
] as const;

/** Returns the recipe of a fixture, for tests that compare pixels. */
export const fixtureRecipe = (name: Exclude<FixtureName, 'broken'>): Recipe => RECIPES[name];

const identityOf = (name: string, recipe: Recipe): ImageIdentity => ({
  patient: { patientId: 'FIXTURE-1', firstName: 'Åsa', lastName: 'Provbild', birthDate: '1982-02-03', sex: 'F' },
  institutionName: 'Tandkliniken Ljungheden',
  study: {
    uid: uidFrom('fixture/study'),
    description: 'Provbilder',
    accessionNumber: 'FIX-1',
    startedAt: '2026-02-03T09:10:11',
  },
  series: { uid: uidFrom(`fixture/series/${name}`), number: 1, description: name },
  image: {
    sopInstanceUid: uidFrom(`fixture/image/${name}`),
    number: 1,
    acquiredAt: '2026-02-03T09:12:13',
    comment: '',
    teeth: recipe.kind === 'intra-oral' ? recipe.teeth.map(Number) : [],
  },
});

/**
 * Returns the bytes of a small DICOM file for tests; the same in every run. `broken` is an intra-oral image truncated in its
 * pixel data.
 */
export const fixtureFile = async (name: FixtureName): Promise<Uint8Array> => {
  if (name === 'broken') {
    const whole = await fixtureFile('io-12bit');
    return whole.slice(0, Math.floor(whole.length * 0.6));
  }
  const recipe = RECIPES[name];
  return drawRadiograph(recipe, identityOf(name, recipe));
};
