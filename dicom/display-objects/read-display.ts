import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import type { DisplayRectangle, DisplayText, ObjectReference } from './model.ts';
import { readPrivateContent } from './private-content.ts';
import { placeOf } from './screen.ts';

/** What of a structured display cannot be shown as one mount. */
export type NotTakenPart = 'screens' | 'several-images' | 'box-kind' | 'box-place';

export interface ReadBox {
  readonly place: DisplayRectangle;
  /** Null: empty. */
  readonly image: (ObjectReference & { readonly stateUid: string | null }) | null;
}

export interface ReadDisplay {
  readonly label: string | null;
  readonly description: string | null;
  readonly size: { readonly width: number; readonly height: number };
  readonly boxes: readonly ReadBox[];
  readonly texts: readonly DisplayText[];
  readonly own: unknown;
  readonly notTaken: readonly NotTakenPart[];
}

/** More than any display has, so that a file cannot stop the import. */
const maxBoxes = 500;
const isUid = /^[\d.]{1,64}$/;
const usualSize = { width: 1600, height: 1200 };

const referenceOf = (item: DataSet): ObjectReference | null => {
  const sopInstanceUid = item.code(tags.referencedSopInstanceUid);
  return sopInstanceUid === null || !isUid.test(sopInstanceUid)
    ? null
    : { sopInstanceUid, sopClassUid: item.code(tags.referencedSopClassUid) ?? '' };
};

const imageOf = (box: DataSet): ReadBox['image'] => {
  const [first] = box.sequence(tags.referencedImageSequence);
  const reference = first && referenceOf(first);
  if (!first || !reference) return null;
  const [state] = first.sequence(tags.referencedPresentationStateSequence);
  return { ...reference, stateUid: state?.code(tags.referencedSopInstanceUid) ?? null };
};

const sizeOf = (dataSet: DataSet): ReadDisplay['size'] => {
  const [screen] = dataSet.sequence(tags.nominalScreenDefinitionSequence);
  const width = screen?.number(tags.numberOfHorizontalPixels, 'US') ?? 0;
  const height = screen?.number(tags.numberOfVerticalPixels, 'US') ?? 0;
  return width > 0 && height > 0 ? { width, height } : usualSize;
};

const textOf = (item: DataSet): DisplayText | null => {
  const place = placeOf(item);
  const text = item.text(0x00700006);
  return place && text ? { place, text } : null;
};

/** Reads a Basic Structured Display (PS3.3 A.33.7). What cannot be taken over is named in `notTaken`. @throws DicomProblem */
export const readDisplay = (dataSet: DataSet): ReadDisplay => {
  const items = dataSet.sequence(tags.structuredDisplayImageBoxSequence).slice(0, maxBoxes);
  const boxes = items.flatMap((item): ReadBox[] => {
    const place = placeOf(item);
    return place ? [{ place, image: imageOf(item) }] : [];
  });
  const missing: Readonly<Record<NotTakenPart, boolean>> = {
    screens: (dataSet.number(tags.numberOfScreens, 'US') ?? 1) > 1,
    'several-images': items.some((item) => item.sequence(tags.referencedImageSequence).length > 1),
    'box-kind': items.some((item) => (item.code(tags.imageBoxLayoutType) ?? 'SINGLE') !== 'SINGLE'),
    'box-place': boxes.length < items.length,
  };
  return {
    label: dataSet.code(tags.contentLabel),
    description: dataSet.text(tags.contentDescription),
    size: sizeOf(dataSet),
    boxes,
    texts: dataSet.sequence(tags.structuredDisplayTextBoxSequence).flatMap((item) => textOf(item) ?? []),
    own: readPrivateContent(dataSet),
    notTaken: (Object.keys(missing) as NotTakenPart[]).filter((part) => missing[part]),
  };
};
