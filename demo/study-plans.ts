import type { DemoPacking } from './recipe.ts';

type MountLayout = 'fmx18' | 'fmx14' | 'bitewings4' | 'bitewings2';
type SingleLayout = 'panoramic' | 'photograph';
/** The mount layouts of the demo clinic. */
export type DemoLayout = MountLayout | SingleLayout;

export type StudyPlan = {
  /** Days before the anchor date. */
  readonly daysAgo: number;
  readonly packing: DemoPacking;
} & (
  | {
      readonly kind: 'mount';
      readonly layout: MountLayout;
      readonly photometric: 'MONOCHROME1' | 'MONOCHROME2';
      /** Position of a slot whose first exposure failed and was retaken. */
      readonly retake?: number;
      /** Positions of slots that stay empty. */
      readonly empty?: readonly number[];
      readonly fine?: boolean;
      /** True when all exposures are unmounted. */
      readonly unmounted?: boolean;
    }
  | { readonly kind: 'single'; readonly layout: SingleLayout; readonly bitsStored?: 12 | 16 }
  | { readonly kind: 'plate' }
  | { readonly kind: 'cephalometric' }
  | { readonly kind: 'ct'; readonly slices: number }
);

const fmx = (daysAgo: number, packing: DemoPacking, more: object = {}): StudyPlan => ({
  kind: 'mount',
  layout: 'fmx18',
  photometric: 'MONOCHROME2',
  daysAgo,
  packing,
  ...more,
});
const four = (daysAgo: number, packing: DemoPacking, more: object = {}): StudyPlan => ({
  kind: 'mount',
  layout: 'bitewings4',
  photometric: 'MONOCHROME2',
  daysAgo,
  packing,
  ...more,
});
const two = (daysAgo: number, packing: DemoPacking, more: object = {}): StudyPlan => ({
  kind: 'mount',
  layout: 'bitewings2',
  photometric: 'MONOCHROME2',
  daysAgo,
  packing,
  ...more,
});
const panorama = (daysAgo: number, packing: DemoPacking, bitsStored: 12 | 16 = 12): StudyPlan => ({
  kind: 'single',
  layout: 'panoramic',
  daysAgo,
  packing,
  bitsStored,
});
const photo = (daysAgo: number): StudyPlan => ({
  kind: 'single',
  layout: 'photograph',
  daysAgo,
  packing: 'jpeg-baseline',
});
const plate = (daysAgo: number, packing: DemoPacking): StudyPlan => ({ kind: 'plate', daysAgo, packing });
const ct = (daysAgo: number, packing: DemoPacking, slices: number): StudyPlan => ({
  kind: 'ct',
  daysAgo,
  packing,
  slices,
});
const dark = { photometric: 'MONOCHROME1' } as const;

/** Studies by index of the patient; other patients have none. */
export const STUDY_PLANS: Readonly<Record<number, readonly StudyPlan[]>> = {
  0: [fmx(24, 'jpeg-ls', { retake: 11 }), panorama(24, 'jpeg-ls'), four(760, 'implicit-le', dark), photo(24)],
  1: [four(12, 'htj2k'), two(900, 'rle'), plate(410, 'explicit-le')],
  2: [fmx(95, 'explicit-le', { ...dark, empty: [13, 16] }), panorama(460, 'explicit-le')],
  3: [two(40, 'jpeg-ls'), panorama(300, 'htj2k', 16)],
  4: [four(3, 'jpeg-ls', { fine: true }), photo(3)],
  5: [fmx(180, 'htj2k'), ct(175, 'jpeg-2000', 10), panorama(181, 'jpeg-ls', 16), four(1100, 'explicit-le')],
  6: [{ kind: 'cephalometric', daysAgo: 60, packing: 'jpeg-ls' }, panorama(60, 'jpeg-ls'), photo(60)],
  7: [four(210, 'deflated')],
  8: [four(330, 'jpeg-2000', dark), plate(31, 'implicit-le'), four(1090, 'jpeg-ls'), two(1850, 'htj2k')],
  9: [{ kind: 'mount', layout: 'fmx14', photometric: 'MONOCHROME2', daysAgo: 520, packing: 'htj2k' }],
  10: [two(77, 'htj2k')],
  11: [four(150, 'explicit-be')],
  12: [panorama(18, 'htj2k')],
  13: [panorama(690, 'rle')],
  15: [two(640, 'implicit-le')],
  17: [four(270, 'jpeg-ls', { retake: 2 })],
  19: [plate(88, 'rle')],
  25: [fmx(1, 'jpeg-ls', { unmounted: true })],
  26: [fmx(55, 'jpeg-ls', dark), ct(50, 'explicit-le', 8), photo(56)],
  27: [four(130, 'htj2k'), panorama(1250, 'jpeg-2000')],
  28: [four(8, 'jpeg-ls')],
  29: [two(365, 'jpeg-ls', dark), photo(365)],
  31: [fmx(800, 'htj2k')],
  32: [{ kind: 'cephalometric', daysAgo: 200, packing: 'htj2k' }, panorama(200, 'explicit-le')],
  33: [four(500, 'explicit-le')],
  36: [plate(20, 'jpeg-ls')],
};

const LAYOUT_STUDY: Record<DemoLayout, string> = {
  fmx18: 'Helstatus 18 bilder',
  fmx14: 'Helstatus 14 bilder',
  bitewings4: 'Bitewing 4 bilder',
  bitewings2: 'Bitewing 2 bilder',
  panoramic: 'Panorama',
  photograph: 'Intraoralt foto',
};

/** Returns the description of a study. */
export const studyName = (plan: StudyPlan): string => {
  switch (plan.kind) {
    case 'plate':
      return 'Tandröntgen, enstaka bild';
    case 'cephalometric':
      return 'Profilröntgen';
    case 'ct':
      return 'CT underkäke';
    default:
      return LAYOUT_STUDY[plan.layout];
  }
};
