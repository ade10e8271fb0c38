import type { NotTakenPart } from '../../../contract/display-objects.ts';
import { tooth } from '../../../contract/teeth.ts';
import type { DisplayRectangle } from '../../../dicom/display-objects/model.ts';
import type { ReadDisplay } from '../../../dicom/display-objects/read-display.ts';
import type { StoredSlot } from '../stored-slot.ts';
import { type OwnMount, ownMount } from './own-content.ts';

/** A mount as a structured display describes it. `references`: the image and its state of each slot. */
export interface ArrivingMount {
  /** Of a mount of this program: its id where it was made. */
  readonly ownId: string | null;
  readonly templateUuid: string | null;
  readonly name: string;
  readonly comments: string | null;
  readonly width: number;
  readonly height: number;
  readonly slots: readonly StoredSlot[];
  readonly references: readonly ({ readonly sopInstanceUid: string; readonly stateUid: string | null } | null)[];
  readonly notTaken: readonly NotTakenPart[];
}

const maxText = 200;
/** Returns a position that is stored without errors of its calculation. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
/** Returns the width or height of a slot, above 0. */
export const length = (value: number): number => Math.max(rounded(value), 1e-6);
/** Returns a text for a field of one line. */
export const lineOf = (text: string): string =>
  [...text.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, maxText).join('').trim();

const isIn = ({ left, top, right, bottom }: DisplayRectangle, text: DisplayRectangle): boolean => {
  const [x, y] = [(text.left + text.right) / 2, (text.top + text.bottom) / 2];
  return x >= left && x <= right && y >= top && y <= bottom;
};

/** Returns the teeth of a text that is nothing but their numbers (ISO 3950). */
export const teethOf = (text: string): number[] => {
  const read = text.split(/\s+/).map((word) => tooth.safeParse(Number(word)).data);
  return read.every((one) => one !== undefined) ? read.filter((one) => one !== undefined) : [];
};

const readSlots = ({ boxes, texts, size: { width, height } }: ReadDisplay): StoredSlot[] =>
  boxes.map(({ place }, index) => {
    const text = texts.find((one) => isIn(place, one.place))?.text ?? null;
    const teeth = text === null ? [] : teethOf(text);
    return {
      itemIndex: index,
      order: index + 1,
      xPos: rounded(place.left * width),
      yPos: rounded(place.top * height),
      width: length((place.right - place.left) * width),
      height: length((place.bottom - place.top) * height),
      rotation: 0,
      horizontalFlip: false,
      teeth,
      description: text === null || teeth.length > 0 ? null : lineOf(text) || null,
    };
  });

const ownOf = ({ own, boxes }: ReadDisplay): OwnMount | null => {
  const read = ownMount.safeParse(own).data;
  const indexes = new Set(read?.slots.map(({ itemIndex }) => itemIndex));
  return read && read.slots.length === boxes.length && indexes.size === boxes.length ? read : null;
};

/** The image of each box; one that an earlier box has is left out, since a mount has each image once. */
const referencesOf = ({ boxes }: ReadDisplay): ArrivingMount['references'] =>
  boxes.map(({ image }, index) => {
    const uid = image?.sopInstanceUid;
    const isRepeated = boxes.slice(0, index).some((earlier) => uid && earlier.image?.sopInstanceUid === uid);
    return image && !isRepeated ? { sopInstanceUid: image.sopInstanceUid, stateUid: image.stateUid } : null;
  });

/** Returns the mount that a structured display describes: of one of this program value by value. */
export const arrivingMount = (display: ReadDisplay): ArrivingMount => {
  const own = ownOf(display);
  const references = referencesOf(display);
  const isRepeated = display.boxes.some(({ image }, index) => image !== null && references[index] === null);
  const isOutside = !own && display.texts.some((text) => !display.boxes.some(({ place }) => isIn(place, text.place)));
  const name = own?.name ?? display.description ?? display.label ?? '';
  return {
    ownId: own?.viewSetUuid ?? null,
    templateUuid: own?.templateUuid ?? null,
    name: lineOf(name) || 'Structured Display',
    comments: own?.comments ?? null,
    width: own?.width ?? display.size.width,
    height: own?.height ?? display.size.height,
    slots: own?.slots ?? readSlots(display),
    references,
    notTaken: [
      ...display.notTaken,
      ...(isRepeated ? (['repeated-image'] as const) : []),
      ...(isOutside ? (['texts'] as const) : []),
    ],
  };
};
