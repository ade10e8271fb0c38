import type { DataSet } from '../write/data-set.ts';
import { TRANSFER_SYNTAX } from '../write/transfer-syntax.ts';
import { writeDicom } from '../write/write-dicom.ts';
import { commonElements, imageItem, type ObjectIdentity, type Owner, referenceElements } from './common-elements.ts';
import { type DisplayBox, type DisplayText, structuredDisplayClass } from './model.ts';
import { privateContent } from './private-content.ts';
import { positionOf, screenElements } from './screen.ts';

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

/** Returns the bytes of a Basic Structured Display (PS3.3 A.33.7). @throws RangeError naming the keyword */
export const writeDisplay = ({ owner, object, size, boxes, texts, own }: DisplayToWrite): Uint8Array => {
  const images = boxes.flatMap(({ image }) => image ?? []);
  const references = images.flatMap(({ reference, state }) => (state ? [reference, state] : [reference]));
  return writeDicom(
    {
      ...commonElements(owner, structuredDisplayClass, object),
      ...referenceElements(owner.study.uid, references),
      ...screenElements(size),
      StructuredDisplayImageBoxSequence: boxes.map(boxItem),
      StructuredDisplayTextBoxSequence: texts.length > 0 ? texts.map(textItem) : undefined,
      ...privateContent(own),
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};
