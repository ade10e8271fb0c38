/** Long and short side of a slot in mount units: the proportions of a size 2 sensor (31 x 41 mm). */
const [w, h] = [1700, 1300];
/** The same for size 0, used for children (22 x 35 mm). */
const [childW, childH] = [1450, 910];

export type LayoutView = 'any' | 'bitewing' | 'periapical' | 'occlusal' | 'panoramic' | 'cephalometric' | 'photograph';

/** A slot before numbering. */
export interface LayoutSlot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly view: LayoutView;
  /** ISO 3950 tooth numbers. */
  readonly teeth: readonly number[];
  readonly description: string | null;
}

type Placed = readonly [x: number, y: number, description: string, teeth: readonly number[]];
type Size = readonly [width: number, height: number];

const slots = (view: LayoutView, [width, height]: Size, placed: readonly Placed[]): readonly LayoutSlot[] =>
  placed.map(([x, y, description, teeth]) => ({ x, y, width, height, view, description, teeth }));

const horizontal: Size = [w, h];
const vertical: Size = [h, w];

const fmxBitewings: readonly Placed[] = [
  [0, h, 'Bitewing molar höger', [17, 16, 47, 46]],
  [w, h, 'Bitewing premolar höger', [15, 14, 45, 44]],
  [3 * w + 3 * h, h, 'Bitewing molar vänster', [26, 27, 36, 37]],
  [2 * w + 3 * h, h, 'Bitewing premolar vänster', [24, 25, 34, 35]],
];

const posteriors = (upperY: number, lowerY: number): readonly Placed[] => [
  [0, upperY, 'Molar överkäke höger', [17, 16]],
  [w, upperY, 'Premolar överkäke höger', [15, 14]],
  [3 * w + 3 * h, lowerY, 'Molar underkäke vänster', [36, 37]],
  [2 * w + 3 * h, lowerY, 'Premolar underkäke vänster', [34, 35]],
  [0, lowerY, 'Molar underkäke höger', [47, 46]],
  [w, lowerY, 'Premolar underkäke höger', [45, 44]],
  [3 * w + 3 * h, upperY, 'Molar överkäke vänster', [26, 27]],
  [2 * w + 3 * h, upperY, 'Premolar överkäke vänster', [24, 25]],
];

const anteriors = (lowerY: number): readonly Placed[] => [
  [2 * w, 0, 'Hörntand överkäke höger', [13, 12]],
  [2 * w + h, 0, 'Framtänder överkäke', [11, 21]],
  [2 * w + 2 * h, 0, 'Hörntand överkäke vänster', [22, 23]],
  [2 * w, lowerY, 'Hörntand underkäke höger', [43, 42]],
  [2 * w + h, lowerY, 'Framtänder underkäke', [41, 31]],
  [2 * w + 2 * h, lowerY, 'Hörntand underkäke vänster', [32, 33]],
];

/** X positions in a child's mount: start of the anterior teeth and of the patient's left side. */
const [childCentre, childLeft] = [childW, childW + w];

const child8 = [
  ...slots(
    'bitewing',
    [childW, childH],
    [
      [0, childH, 'Bitewing höger', [55, 54, 85, 84]],
      [childLeft, childH, 'Bitewing vänster', [64, 65, 74, 75]],
    ],
  ),
  ...slots(
    'periapical',
    [childW, childH],
    [
      [0, 0, 'Molarer överkäke höger', [55, 54]],
      [childLeft, 2 * childH, 'Molarer underkäke vänster', [74, 75]],
      [0, 2 * childH, 'Molarer underkäke höger', [85, 84]],
      [childLeft, 0, 'Molarer överkäke vänster', [64, 65]],
    ],
  ),
  ...slots('occlusal', horizontal, [
    [childCentre, 0, 'Front överkäke', [53, 52, 51, 61, 62, 63]],
    [childCentre, 3 * childH - h, 'Front underkäke', [83, 82, 81, 71, 72, 73]],
  ]),
];

const portrait: Size = [1000, 1500];
const landscape: Size = [1500, 1000];

const photoSeries = [
  ...slots('photograph', portrait, [
    [250, 0, 'Profil höger', []],
    [1750, 0, 'Ansikte', []],
    [3250, 0, 'Leende', []],
  ]),
  ...slots('photograph', landscape, [
    [0, 1500, 'Höger sida', []],
    [1500, 1500, 'Front', []],
    [3000, 1500, 'Vänster sida', []],
    [750, 2500, 'Överkäke', []],
    [2250, 2500, 'Underkäke', []],
  ]),
];

const single = (view: LayoutView, width: number, height: number, description: string | null) => [
  { x: 0, y: 0, width, height, view, description, teeth: [] },
];

/**
 * Standard mount layouts, seen facing the patient: the patient's right is on the viewer's left (labial mounting). Slots are in capture order:
 * bitewings, then posterior, then anterior views. The full mouth series has the geometry and order of Open Dental's "FMX horizontal BW".
 */
export const standardLayouts = {
  single: single('any', 2000, 1500, null),
  fmx18: [
    ...slots('bitewing', horizontal, fmxBitewings),
    ...slots('periapical', horizontal, posteriors(0, 2 * h)),
    ...slots('periapical', vertical, anteriors(3 * h - w)),
  ],
  fmx14: [...slots('periapical', horizontal, posteriors(w - h, w)), ...slots('periapical', vertical, anteriors(w))],
  bitewings4: slots('bitewing', horizontal, [
    [0, 0, 'Bitewing molar höger', [17, 16, 47, 46]],
    [w, 0, 'Bitewing premolar höger', [15, 14, 45, 44]],
    [3 * w, 0, 'Bitewing molar vänster', [26, 27, 36, 37]],
    [2 * w, 0, 'Bitewing premolar vänster', [24, 25, 34, 35]],
  ]),
  bitewings2: slots('bitewing', horizontal, [
    [0, 0, 'Bitewing höger', [16, 15, 46, 45]],
    [w, 0, 'Bitewing vänster', [25, 26, 35, 36]],
  ]),
  child8,
  panoramic: single('panoramic', 2400, 1200, 'Panorama'),
  cephalometric: single('cephalometric', 1600, 1800, 'Profil'),
  photograph: single('photograph', 1500, 1000, 'Front'),
  photoSeries,
} as const satisfies Record<string, readonly LayoutSlot[]>;

export type StandardLayout = keyof typeof standardLayouts;
