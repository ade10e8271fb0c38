import type { TemplateFileProblem, TemplateNotTakenPart } from '../../../contract/template-objects.ts';
import { readDicomFile } from '../../../dicom/file.ts';
import { hangingProtocolClass } from '../../../dicom/hanging-protocol/model.ts';
import { type ReadProtocol, readProtocol } from '../../../dicom/hanging-protocol/read-protocol.ts';
import { writeProtocol } from '../../../dicom/hanging-protocol/write-protocol.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { tags } from '../../../dicom/tags.ts';
import type { StoredSlot } from '../stored-slot.ts';
import { type OwnTemplate, ownTemplate } from './own-content.ts';
import { length, lineOf, rounded, teethOf } from './slots-of-display.ts';

/** What a template consists of. */
export interface TemplateContent {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly modality: string;
  readonly items: readonly StoredSlot[];
}

/** In a fixed order: keys have another one after a round trip through jsonb. */
const comparable = ({ name, width, height, modality, items }: TemplateContent): string =>
  JSON.stringify([
    [name, width, height, modality],
    ...items.map((slot) => [
      [slot.itemIndex, slot.order, slot.xPos, slot.yPos, slot.width, slot.height],
      [slot.rotation, slot.horizontalFlip, slot.teeth, slot.description],
    ]),
  ]);

export const isSameTemplate = (one: TemplateContent, other: TemplateContent): boolean =>
  comparable(one) === comparable(other);

const maxSlots = 100;
const maxName = 100;

/** Returns the bytes of a template as a Hanging Protocol, its slots in capture order. */
export const templateFile = (
  template: TemplateContent,
  object: { sopInstanceUid: string; createdAt: Date },
): Uint8Array => {
  const { name, width, height, modality, items } = template;
  const part = (value: number, of: number) => Math.min(1, Math.max(0, value / of));
  const own: OwnTemplate = { kind: 'template', name, width, height, modality, slots: [...items] };
  return writeProtocol({
    ...object,
    name,
    modality,
    size: { width, height },
    slots: items
      .toSorted((one, other) => one.order - other.order)
      .map(({ xPos, yPos, description, teeth, ...slot }) => ({
        place: {
          left: part(xPos, width),
          top: part(yPos, height),
          right: part(xPos + slot.width, width),
          bottom: part(yPos + slot.height, height),
        },
        label: description,
        teeth,
      })),
    own,
  });
};

const ownOf = ({ own, slots }: ReadProtocol): TemplateContent | null => {
  const read = ownTemplate.safeParse(own).data;
  const indexes = new Set(read?.slots.map(({ itemIndex }) => itemIndex));
  if (!read || read.slots.length !== slots.length || indexes.size !== slots.length) return null;
  const { name, width, height, modality } = read;
  return { name, width, height, modality, items: read.slots };
};

const readSlot = (
  { place, label, teeth: named }: ReadProtocol['slots'][number],
  index: number,
  { width, height }: ReadProtocol['size'],
): StoredSlot => {
  const ofLabel = label === null ? [] : teethOf(label);
  return {
    itemIndex: index,
    order: index + 1,
    xPos: rounded(place.left * width),
    yPos: rounded(place.top * height),
    width: length((place.right - place.left) * width),
    height: length((place.bottom - place.top) * height),
    rotation: 0,
    horizontalFlip: false,
    teeth: [...(named.length > 0 ? named : ofLabel)],
    description: label === null || ofLabel.length > 0 ? null : lineOf(label) || null,
  };
};

/** The name has 16 characters at most; a description that begins with it is the whole of it. */
const nameOf = ({ name, description }: ReadProtocol): string => {
  const whole = name === null || description?.startsWith(name) ? description : name;
  return [...lineOf(whole ?? '')].slice(0, maxName).join('').trim() || 'Hanging Protocol';
};

const foreignOf = (protocol: ReadProtocol): TemplateContent => ({
  name: nameOf(protocol),
  width: length(protocol.size.width),
  height: length(protocol.size.height),
  modality: /^[A-Z0-9]{2,16}$/.test(protocol.modality ?? '') ? (protocol.modality ?? 'IO') : 'IO',
  items: protocol.slots.map((slot, index) => readSlot(slot, index, protocol.size)),
});

type ReadTemplate =
  | { readonly problem: TemplateFileProblem }
  | { readonly content: TemplateContent; readonly notTaken: readonly TemplateNotTakenPart[] };

/** Reads the template that a Hanging Protocol describes, or why there is none: of one of this program value by value. */
export const readTemplateFile = (bytes: Uint8Array): ReadTemplate => {
  try {
    const { dataSet } = readDicomFile(bytes);
    if (dataSet.code(tags.sopClassUid) !== hangingProtocolClass) return { problem: 'other-object' };
    const protocol = readProtocol(dataSet);
    if (protocol.slots.length === 0) return { problem: 'no-slots' };
    if (protocol.slots.length > maxSlots) return { problem: 'too-many-slots' };
    const own = ownOf(protocol);
    return own ? { content: own, notTaken: [] } : { content: foreignOf(protocol), notTaken: protocol.notTaken };
  } catch (error) {
    if (!(error instanceof DicomProblem)) throw error;
    return { problem: error.code === 'not-dicom' ? 'not-dicom' : 'damaged' };
  }
};
