import { lineOf } from '../display-objects/common-elements.ts';
import { privateContent } from '../display-objects/private-content.ts';
import { positionOf, screenElements } from '../display-objects/screen.ts';
import { toothCode } from '../tooth-code.ts';
import type { DataSet } from '../write/data-set.ts';
import { TAGS } from '../write/tags.ts';
import { TRANSFER_SYNTAX } from '../write/transfer-syntax.ts';
import { writeDicom } from '../write/write-dicom.ts';
import { hangingProtocolClass, type ProtocolSlot } from './model.ts';

export interface ProtocolToWrite {
  readonly sopInstanceUid: string;
  readonly createdAt: Date;
  readonly name: string;
  readonly modality: string;
  /** Width and height of the display; only their ratio is kept where they are no pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** In the order of their display sets. */
  readonly slots: readonly ProtocolSlot[];
  /** See `privateContent`. */
  readonly own: unknown;
}

const modalitySelector = (modality: string): DataSet => ({
  ImageSetSelectorUsageFlag: 'NO_MATCH',
  SelectorAttribute: TAGS.Modality[0],
  SelectorValueNumber: 1,
  SelectorAttributeVR: 'CS',
  SelectorCSValue: modality,
});

/** Images that show any of the teeth. */
const teethSelector = (teeth: readonly number[]): DataSet => ({
  ImageSetSelectorUsageFlag: 'NO_MATCH',
  SelectorAttribute: TAGS.PrimaryAnatomicStructureSequence[0],
  // Zero: any item.
  SelectorValueNumber: 0,
  SelectorAttributeVR: 'SQ',
  SelectorCodeSequenceValue: teeth.map(toothCode),
});

const labelOf = ({ label, teeth }: ProtocolSlot): string | undefined =>
  lineOf(label ?? teeth.join(' '), 64) || undefined;

const imageSetOf = (modality: string, slot: ProtocolSlot, index: number): DataSet => ({
  ImageSetSelectorSequence: [modalitySelector(modality), ...(slot.teeth.length > 0 ? [teethSelector(slot.teeth)] : [])],
  TimeBasedImageSetsSequence: [
    {
      ImageSetNumber: index + 1,
      ImageSetSelectorCategory: 'RELATIVE_TIME',
      // Of the current study.
      RelativeTime: [0, 0],
      RelativeTimeUnits: 'SECONDS',
      ImageSetLabel: labelOf(slot),
    },
  ],
});

const displaySetOf = (slot: ProtocolSlot, index: number): DataSet => ({
  DisplaySetNumber: index + 1,
  DisplaySetLabel: labelOf(slot),
  DisplaySetPresentationGroup: 1,
  ImageSetNumber: index + 1,
  ImageBoxesSequence: [
    { ImageBoxNumber: 1, DisplayEnvironmentSpatialPosition: positionOf(slot.place), ImageBoxLayoutType: 'SINGLE' },
  ],
  FilterOperationsSequence: [],
  SortingOperationsSequence: [],
});

/** Returns the bytes of a Hanging Protocol (PS3.3 C.23). @throws RangeError naming the keyword */
export const writeProtocol = (protocol: ProtocolToWrite): Uint8Array => {
  const { sopInstanceUid, createdAt, name, modality, size, slots, own } = protocol;
  return writeDicom(
    {
      SOPClassUID: hangingProtocolClass,
      SOPInstanceUID: sopInstanceUid,
      HangingProtocolName: lineOf(name, 16),
      HangingProtocolDescription: lineOf(name, 64),
      HangingProtocolLevel: 'SITE',
      HangingProtocolCreator: 'Dentarium',
      HangingProtocolCreationDateTime: `${createdAt.toISOString().slice(0, 19).replace(/[-:T]/g, '')}+0000`,
      HangingProtocolDefinitionSequence: [
        { Modality: modality, ProcedureCodeSequence: [], ReasonForRequestedProcedureCodeSequence: [] },
      ],
      HangingProtocolUserIdentificationCodeSequence: [],
      NumberOfPriorsReferenced: 0,
      ImageSetsSequence: slots.map((slot, index) => imageSetOf(modality, slot, index)),
      ...screenElements(size),
      DisplaySetsSequence: slots.map(displaySetOf),
      PartialDataDisplayHandling: 'MAINTAIN_LAYOUT',
      ...privateContent(own),
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};
