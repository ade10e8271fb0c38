import { uidFrom, uuidFrom } from '../dicom/write/uid.ts';
import { type LayoutSlot, standardLayouts } from '../server/domain/standard-layouts.ts';
import { standardTemplate } from '../server/domain/standard-templates.ts';
import type { DemoImage, DemoSeries, DemoStudy, DemoViewset } from './clinic-model.ts';
import { randomFrom } from './phantom/random.ts';
import type { DemoPacking, Recipe, ToothNumber } from './recipe.ts';
import { type DemoLayout, type StudyPlan, studyName } from './study-plans.ts';
import { permanentToothNumber } from './tooth-number.ts';

interface Frame {
  readonly key: string;
  readonly accessionNumber: string;
  readonly mouth: number;
  readonly birthDate: string;
  readonly anchorDate: string;
}

/** Local time that many seconds after a start, as YYYY-MM-DDTHH:MM:SS. */
const later = (start: string, seconds: number): string =>
  new Date(Date.parse(`${start}Z`) + seconds * 1000).toISOString().slice(0, 19);

const startOf = (plan: StudyPlan, { key, anchorDate }: Frame): string => {
  const random = randomFrom('start', key);
  const day = new Date(Date.parse(anchorDate) - plan.daysAgo * 86_400_000);
  // A clinic is closed at the weekend: Saturday and Sunday move to the Friday before.
  const weekday = day.getUTCDay();
  day.setUTCDate(day.getUTCDate() - (weekday === 6 ? 1 : weekday === 0 ? 2 : 0));
  const minutes = 8 * 60 + Math.floor(random.next() * 8 * 12) * 5;
  return later(`${day.toISOString().slice(0, 10)}T00:00:00`, minutes * 60);
};

const ageAt = (birthDate: string, start: string): number =>
  Math.floor((Date.parse(start.slice(0, 10)) - Date.parse(birthDate)) / 31_556_952_000);

const intraOralRecipe = (
  slot: { readonly view: 'periapical' | 'bitewing'; readonly teeth: readonly ToothNumber[]; readonly upright: boolean },
  common: { readonly seed: number; readonly mouth: number; readonly age: number; readonly packing: DemoPacking },
  look: {
    readonly photometric: 'MONOCHROME1' | 'MONOCHROME2';
    readonly fine?: boolean;
    readonly coneCut?: boolean;
    readonly receptor?: 'phosphor-plate';
  },
): Recipe => {
  const [long, short] = look.fine ? [1700, 1300] : [1308, 1000];
  return {
    kind: 'intra-oral',
    view: slot.view,
    receptor: look.receptor ?? 'sensor',
    teeth: slot.teeth,
    photometric: look.photometric,
    columns: slot.upright ? short : long,
    rows: slot.upright ? long : short,
    ...common,
    ...(look.coneCut ? { coneCut: true } : {}),
  };
};

const PLATE_VIEWS: readonly (readonly [readonly ToothNumber[], boolean])[] = [
  [['46', '45'], false],
  [['11', '21'], true],
  [['25', '26'], false],
  [['36', '37'], false],
];

/** The images of a study with the slot of each; `null` for none, `put-aside` for a failed exposure. */
const imagesOf = (
  plan: StudyPlan,
  frame: Frame,
  start: string,
): readonly { image: DemoImage; slot: number | null }[] => {
  const age = ageAt(frame.birthDate, start);
  const shots: { recipe: Recipe; slot: number | null; teeth: readonly ToothNumber[]; comment: string }[] = [];
  const common = (exposure: number) => ({
    seed: randomFrom(frame.key, exposure).next() * 1e9,
    mouth: frame.mouth,
    age,
    packing: plan.packing,
  });
  if (plan.kind === 'mount') {
    const slots: readonly LayoutSlot[] = standardLayouts[plan.layout];
    slots.forEach((slot, index) => {
      if (plan.empty?.includes(index) || (slot.view !== 'bitewing' && slot.view !== 'periapical')) return;
      const teeth = slot.teeth.map(permanentToothNumber);
      const shape = { view: slot.view, teeth, upright: slot.height > slot.width };
      if (plan.retake === index)
        shots.push({
          recipe: intraOralRecipe(shape, common(900), { ...plan, coneCut: true }),
          slot: null,
          teeth,
          comment: 'Omtagen: konkant',
        });
      shots.push({
        recipe: intraOralRecipe(shape, common(index), plan),
        slot: plan.unmounted ? null : index,
        teeth,
        comment: '',
      });
    });
  } else if (plan.kind === 'single' && plan.layout === 'panoramic') {
    shots.push({
      recipe: { kind: 'panoramic', bitsStored: plan.bitsStored ?? 12, columns: 2400, rows: 1200, ...common(0) },
      slot: 0,
      teeth: [],
      comment: '',
    });
  } else if (plan.kind === 'single') {
    shots.push({
      recipe: { kind: 'photograph', columns: 1500, rows: 1000, ...common(0) },
      slot: 0,
      teeth: [],
      comment: '',
    });
  } else if (plan.kind === 'cephalometric') {
    shots.push({
      recipe: { kind: 'cephalometric', columns: 1600, rows: 1800, ...common(0) },
      slot: null,
      teeth: [],
      comment: '',
    });
  } else if (plan.kind === 'ct') {
    for (let slice = 0; slice < plan.slices; slice++) {
      shots.push({
        recipe: { kind: 'ct-slice', slice, sliceCount: plan.slices, columns: 256, rows: 256, ...common(0) },
        slot: null,
        teeth: [],
        comment: '',
      });
    }
  } else {
    const [teeth, upright] = PLATE_VIEWS[frame.mouth % PLATE_VIEWS.length] ?? [['46', '45'] as const, false];
    const look = { photometric: 'MONOCHROME2', receptor: 'phosphor-plate' } as const;
    shots.push({
      recipe: intraOralRecipe({ view: 'periapical', teeth, upright }, common(0), look),
      slot: null,
      teeth,
      comment: '',
    });
  }
  return shots.map(({ recipe, slot, teeth, comment }, index) => ({
    slot,
    image: {
      sopInstanceUid: uidFrom(`${frame.key}/image/${index}`),
      number: index + 1,
      acquiredAt: later(start, plan.kind === 'ct' ? 0 : index * 45),
      comment,
      teeth: teeth.map(Number),
      recipe,
    },
  }));
};

const modalityOf = (plan: StudyPlan): DemoSeries['modality'] => {
  switch (plan.kind) {
    case 'mount':
      return 'IO';
    case 'single':
      return plan.layout === 'panoramic' ? 'PX' : 'XC';
    case 'plate':
      return 'CR';
    case 'cephalometric':
      return 'DX';
    case 'ct':
      return 'CT';
  }
};

const layoutOf = (plan: StudyPlan): DemoLayout | null =>
  plan.kind === 'mount' || plan.kind === 'single' ? plan.layout : null;

/** Creates a study of one series from its plan, with the mount of its images. */
export const buildStudy = (plan: StudyPlan, frame: Frame): DemoStudy => {
  const startedAt = startOf(plan, frame);
  const shots = imagesOf(plan, frame, startedAt);
  const layout = layoutOf(plan);
  const name = studyName(plan);
  const viewset: DemoViewset | null =
    layout === null
      ? null
      : {
          viewSetUuid: uuidFrom(`${frame.key}/viewset`),
          uid: uidFrom(`${frame.key}/viewset`),
          name: `${standardTemplate(layout).name} ${startedAt.slice(0, 10)}`,
          comments: '',
          templateUuid: standardTemplate(layout).uuid,
          placements: shots.flatMap(({ image, slot }) =>
            slot === null ? [] : [{ itemIndex: slot, sopInstanceUid: image.sopInstanceUid }],
          ),
          detached: shots.flatMap(({ image, slot }) => (slot === null ? [image.sopInstanceUid] : [])),
        };
  return {
    uid: uidFrom(frame.key),
    description: name,
    accessionNumber: frame.accessionNumber,
    startedAt,
    series: [
      {
        uid: uidFrom(`${frame.key}/series`),
        number: 1,
        modality: modalityOf(plan),
        description: name,
        images: shots.map(({ image }) => image),
      },
    ],
    viewset,
  };
};
