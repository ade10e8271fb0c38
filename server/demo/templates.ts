import { uuidFrom } from '../../dicom/write/uid.ts';
import type { DemoTemplate, DemoTemplateItem } from './clinic-model.ts';
import type { ToothNumber } from './recipe.ts';

/** Long and short side of a slot, in units of a mount: the proportions of a size 2 receptor. */
export const SLOT = { long: 1700, short: 1300 } as const;
const { long: w, short: h } = SLOT;

/** A slot before it is numbered: its teeth as the recipe of an image names them. */
export interface SlotPlan {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly view: DemoTemplateItem['view'];
  readonly description: string;
  readonly teeth: readonly ToothNumber[];
}

type Placed = readonly [x: number, y: number, description: string, teeth: readonly ToothNumber[]];

const slots = (view: SlotPlan['view'], upright: boolean, placed: readonly Placed[]): readonly SlotPlan[] =>
  placed.map(([x, y, description, teeth]) => ({
    x,
    y,
    width: upright ? h : w,
    height: upright ? w : h,
    view,
    description,
    teeth,
  }));

const FMX_BITEWINGS: readonly Placed[] = [
  [0, h, 'Bitewing molar, right', ['17', '16', '47', '46']],
  [w, h, 'Bitewing premolar, right', ['15', '14', '45', '44']],
  [3 * w + 3 * h, h, 'Bitewing molar, left', ['26', '27', '36', '37']],
  [2 * w + 3 * h, h, 'Bitewing premolar, left', ['24', '25', '34', '35']],
];

const posteriors = (upperY: number, lowerY: number): readonly Placed[] => [
  [0, upperY, 'Upper molar, right', ['17', '16']],
  [w, upperY, 'Upper premolar, right', ['15', '14']],
  [3 * w + 3 * h, lowerY, 'Lower molar, left', ['36', '37']],
  [2 * w + 3 * h, lowerY, 'Lower premolar, left', ['34', '35']],
  [0, lowerY, 'Lower molar, right', ['47', '46']],
  [w, lowerY, 'Lower premolar, right', ['45', '44']],
  [3 * w + 3 * h, upperY, 'Upper molar, left', ['26', '27']],
  [2 * w + 3 * h, upperY, 'Upper premolar, left', ['24', '25']],
];

const anteriors = (lowerY: number): readonly Placed[] => [
  [2 * w, 0, 'Upper canine, right', ['13', '12']],
  [2 * w + h, 0, 'Upper incisors', ['11', '21']],
  [2 * w + 2 * h, 0, 'Upper canine, left', ['22', '23']],
  [2 * w, lowerY, 'Lower canine, right', ['43', '42']],
  [2 * w + h, lowerY, 'Lower incisors', ['41', '31']],
  [2 * w + 2 * h, lowerY, 'Lower canine, left', ['32', '33']],
];

/**
 * Layouts of the mounts. Seen as if facing the patient, whose right side is on the viewer's left (labial mounting);
 * the slots stand in the order in which images are taken: bitewings, then posterior, then anterior views.
 */
export const LAYOUTS = {
  fmx18: [
    ...slots('bitewing', false, FMX_BITEWINGS),
    ...slots('periapical', false, posteriors(0, 2 * h)),
    ...slots('periapical', true, anteriors(3 * h - w)),
  ],
  fmx14: [...slots('periapical', false, posteriors(w - h, w)), ...slots('periapical', true, anteriors(w))],
  bitewings4: slots('bitewing', false, [
    [0, 0, 'Bitewing molar, right', ['17', '16', '47', '46']],
    [w, 0, 'Bitewing premolar, right', ['15', '14', '45', '44']],
    [3 * w, 0, 'Bitewing molar, left', ['26', '27', '36', '37']],
    [2 * w, 0, 'Bitewing premolar, left', ['24', '25', '34', '35']],
  ]),
  bitewings2: slots('bitewing', false, [
    [0, 0, 'Bitewing, right', ['16', '15', '46', '45']],
    [w, 0, 'Bitewing, left', ['25', '26', '35', '36']],
  ]),
  panoramic: [{ x: 0, y: 0, width: 2400, height: 1200, view: 'panoramic', description: 'Panoramic', teeth: [] }],
  photograph: [
    { x: 0, y: 0, width: 1500, height: 1000, view: 'photograph', description: 'Frontal photograph', teeth: [] },
  ],
} as const satisfies Record<string, readonly SlotPlan[]>;

export type LayoutName = keyof typeof LAYOUTS;

const FRAME: Record<
  LayoutName,
  { readonly name: string; readonly modality: DemoTemplate['modality']; readonly favorite: boolean }
> = {
  fmx18: { name: 'FMX 18', modality: 'IO', favorite: true },
  fmx14: { name: 'FMX 14', modality: 'IO', favorite: false },
  bitewings4: { name: 'Bitewing 4', modality: 'IO', favorite: true },
  bitewings2: { name: 'Bitewing 2', modality: 'IO', favorite: false },
  panoramic: { name: 'Panorama', modality: 'PX', favorite: true },
  photograph: { name: 'Photo', modality: 'XC', favorite: false },
};

const isLayout = (name: string): name is LayoutName => Object.hasOwn(LAYOUTS, name);

export const LAYOUT_NAMES: readonly LayoutName[] = Object.keys(LAYOUTS).filter(isLayout);

export const templateOf = (layout: LayoutName): DemoTemplate => {
  const plans: readonly SlotPlan[] = LAYOUTS[layout];
  const { name, modality, favorite } = FRAME[layout];
  return {
    uuid: uuidFrom(`template/${layout}`),
    name,
    width: Math.max(...plans.map((plan) => plan.x + plan.width)),
    height: Math.max(...plans.map((plan) => plan.y + plan.height)),
    modality,
    isFavorite: favorite,
    viewSetItems: plans.map((plan, index) => ({
      order: index + 1,
      itemIndex: index,
      xPos: plan.x,
      yPos: plan.y,
      width: plan.width,
      height: plan.height,
      rotation: 0,
      description: plan.description,
      view: plan.view,
      teeth: plan.teeth.map(Number),
    })),
  };
};
