import type { DataSet } from '../data-set.ts';
import type { DisplayRectangle } from '../display-objects/model.ts';
import { readPrivateContent } from '../display-objects/private-content.ts';
import { placeOf } from '../display-objects/screen.ts';
import { tags } from '../tags.ts';
import { teethOfCodes } from '../teeth.ts';
import type { ProtocolPart, ProtocolSlot } from './model.ts';

export interface ReadProtocol {
  readonly name: string | null;
  readonly description: string | null;
  /** Null: it names none. */
  readonly modality: string | null;
  readonly size: { readonly width: number; readonly height: number };
  readonly slots: readonly ProtocolSlot[];
  readonly own: unknown;
  readonly notTaken: readonly ProtocolPart[];
}

/** More than any layout has, so that a file cannot stop the server. */
const maxSlots = 500;
const usualSize = { width: 1600, height: 1200 };

/** Group and element are two numbers of 16 bits. */
const attributeOf = (selector: DataSet): number => {
  const [group = 0, element = 0] = selector.numbers(tags.selectorAttribute, 'US');
  return group * 0x10000 + element;
};

/** What the filter of an image set says; `isComplete` false: more than modality and teeth. */
interface ImageSet {
  readonly label: string | null;
  readonly modalities: readonly string[];
  readonly teeth: readonly number[];
  readonly isComplete: boolean;
}

const readSelectors = (selectors: readonly DataSet[]): Omit<ImageSet, 'label'> => {
  const modalities: string[] = [];
  const teeth: number[] = [];
  let isComplete = true;
  for (const selector of selectors) {
    const attribute = attributeOf(selector);
    const codes = selector.sequence(tags.selectorCodeSequenceValue);
    const named = teethOfCodes(codes);
    const isOfTeeth = attribute === tags.primaryAnatomicStructureSequence || attribute === tags.anatomicRegionSequence;
    if (attribute === tags.modality) modalities.push(...selector.codes(tags.selectorCsValue).filter(Boolean));
    else if (isOfTeeth && named.length > 0) teeth.push(...named);
    if (attribute !== tags.modality && !(isOfTeeth && named.length === codes.length)) isComplete = false;
  }
  return { modalities, teeth: [...new Set(teeth)], isComplete };
};

const readImageSets = (dataSet: DataSet): ReadonlyMap<number, ImageSet> =>
  new Map(
    dataSet.sequence(tags.imageSetsSequence).flatMap((item) => {
      const filter = readSelectors(item.sequence(tags.imageSetSelectorSequence));
      return item
        .sequence(tags.timeBasedImageSetsSequence)
        .map((set): [number, ImageSet] => [
          set.number(tags.imageSetNumber, 'US') ?? 0,
          { ...filter, label: set.text(tags.imageSetLabel) },
        ]);
    }),
  );

const wholeDisplay: DisplayRectangle = { left: 0, top: 0, right: 1, bottom: 1 };

/** The size of all screens, by the part of the display that the first of them is. */
const sizeOf = (dataSet: DataSet): ReadProtocol['size'] => {
  const [screen] = dataSet.sequence(tags.nominalScreenDefinitionSequence);
  const width = screen?.number(tags.numberOfHorizontalPixels, 'US') ?? 0;
  const height = screen?.number(tags.numberOfVerticalPixels, 'US') ?? 0;
  const { left, top, right, bottom } = (screen && placeOf(screen)) ?? wholeDisplay;
  return width > 0 && height > 0 ? { width: width / (right - left), height: height / (bottom - top) } : usualSize;
};

const groupOf = (set: DataSet): number => set.number(tags.displaySetPresentationGroup, 'US') ?? 1;
const numberOf = (set: DataSet): number => set.number(tags.displaySetNumber, 'US') ?? 0;

interface ReadBox {
  readonly slot: ProtocolSlot | null;
  readonly kind: string;
}

const boxesOf = (set: DataSet, imageSet: ImageSet | undefined): ReadBox[] =>
  set.sequence(tags.imageBoxesSequence).map((box) => {
    const place = placeOf(box);
    const label = set.text(tags.displaySetLabel) ?? imageSet?.label ?? null;
    return {
      slot: place && { place, label, teeth: imageSet?.teeth ?? [] },
      kind: box.code(tags.imageBoxLayoutType) ?? 'SINGLE',
    };
  });

/** Reads a Hanging Protocol (PS3.3 C.23): the boxes of its first presentation group. @throws DicomProblem */
export const readProtocol = (dataSet: DataSet): ReadProtocol => {
  const imageSets = readImageSets(dataSet);
  const all = dataSet.sequence(tags.displaySetsSequence).slice(0, maxSlots);
  const first = Math.min(...all.map(groupOf));
  const sets = all.filter((set) => groupOf(set) === first).toSorted((one, other) => numberOf(one) - numberOf(other));
  const setOf = (set: DataSet) => imageSets.get(set.number(tags.imageSetNumber, 'US') ?? 0);
  const boxes = sets.flatMap((set) => boxesOf(set, setOf(set))).slice(0, maxSlots);
  const used = sets.flatMap((set) => setOf(set) ?? []);
  const definitions = dataSet.sequence(tags.hangingProtocolDefinitionSequence);
  const modalities = new Set([
    ...definitions.flatMap((item) => item.code(tags.modality) ?? []),
    ...used.flatMap((set) => set.modalities),
  ]);
  const missing: Readonly<Record<ProtocolPart, boolean>> = {
    screens: (dataSet.number(tags.numberOfScreens, 'US') ?? 1) > 1,
    'presentation-groups': sets.length < all.length,
    priors: (dataSet.number(tags.numberOfPriorsReferenced, 'US') ?? 0) > 0,
    'box-kind': boxes.some(({ kind }) => kind !== 'SINGLE'),
    'box-place': boxes.some(({ slot }) => slot === null),
    filters: sets.some((set) => set.sequence(tags.filterOperationsSequence).length > 0),
    sorting: sets.some((set) => set.sequence(tags.sortingOperationsSequence).length > 0),
    selectors: used.some(({ isComplete }) => !isComplete),
    modalities: modalities.size > 1,
    'body-part': definitions.some((item) => item.has(tags.anatomicRegionSequence) || item.has(tags.laterality)),
  };
  return {
    name: dataSet.text(tags.hangingProtocolName),
    description: dataSet.text(tags.hangingProtocolDescription),
    modality: [...modalities][0] ?? null,
    size: sizeOf(dataSet),
    slots: boxes.flatMap(({ slot }) => slot ?? []),
    own: readPrivateContent(dataSet),
    notTaken: (Object.keys(missing) as ProtocolPart[]).filter((part) => missing[part]),
  };
};
