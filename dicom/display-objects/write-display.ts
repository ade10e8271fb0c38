import type { DataSet } from '../write/data-set.ts';
import { TRANSFER_SYNTAX } from '../write/transfer-syntax.ts';
import { writeDicom } from '../write/write-dicom.ts';
import { commonElements, imageItem, type ObjectIdentity, type Owner, referenceElements } from './common-elements.ts';
import { type DisplayBox, type DisplayRectangle, type DisplayText, structuredDisplayClass } from './model.ts';
import { privateContent } from './private-content.ts';

export interface DisplayToWrite {
  readonly owner: Owner;
  readonly object: ObjectIdentity;
  /** Width and height of the display; only their ratio is kept where they are no pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly boxes: readonly DisplayBox[];
  readonly texts: readonly DisplayText[];
  /** See `privateContent`. */
  readonly own: unknown;
}

const maxPixels = 0xffff;

/** The y axis of a display goes up (PS3.3 C.23.2.1.1). */
const positionOf = ({ left, top, right, bottom }: DisplayRectangle): number[] => [left, 1 - top, right, 1 - bottom];

const boxItem = ({ place, image }: DisplayBox, index: number): DataSet => ({
  DisplayEnvironmentSpatialPosition: positionOf(place),
  ImageBoxNumber: index + 1,
  ImageBoxLayoutType: 'SINGLE',
  // Without items the box is empty on purpose.
  ReferencedImageSequence: image
    ? [
        {
          ...imageItem(image.reference),
          ReferencedPresentationStateSequence: image.state ? [imageItem(image.state)] : undefined,
        },
      ]
    : [],
});

const textItem = ({ place, text }: DisplayText): DataSet => ({
  DisplayEnvironmentSpatialPosition: positionOf(place),
  UnformattedTextValue: text,
  BoundingBoxTextHorizontalJustification: 'CENTER',
});

/** Returns whole pixels of the same ratio: the size itself where it is one. */
const pixelsOf = ({ width, height }: DisplayToWrite['size']) => {
  const isWhole = [width, height].every((value) => Number.isInteger(value) && value >= 1 && value <= maxPixels);
  const factor = isWhole ? 1 : 10_000 / Math.max(width, height);
  const pixels = (value: number) => Math.max(1, Math.round(value * factor));
  return { vertical: pixels(height), horizontal: pixels(width) };
};

/** Returns the bytes of a Basic Structured Display (PS3.3 A.33.7). @throws RangeError naming the keyword */
export const writeDisplay = ({ owner, object, size, boxes, texts, own }: DisplayToWrite): Uint8Array => {
  const images = boxes.flatMap(({ image }) => image ?? []);
  const { vertical, horizontal } = pixelsOf(size);
  const references = images.flatMap(({ reference, state }) => (state ? [reference, state] : [reference]));
  return writeDicom(
    {
      ...commonElements(owner, structuredDisplayClass, object),
      ...referenceElements(owner.study.uid, references),
      NumberOfScreens: 1,
      NominalScreenDefinitionSequence: [
        {
          NumberOfVerticalPixels: vertical,
          NumberOfHorizontalPixels: horizontal,
          DisplayEnvironmentSpatialPosition: [0, 1, 1, 0],
          ScreenMinimumGrayscaleBitDepth: 8,
        },
      ],
      StructuredDisplayImageBoxSequence: boxes.map(boxItem),
      StructuredDisplayTextBoxSequence: texts.length > 0 ? texts.map(textItem) : undefined,
      ...privateContent(own),
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};
