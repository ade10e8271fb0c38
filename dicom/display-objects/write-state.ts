import type { LookupTable, Modality, Voi } from '../image-model.ts';
import { colourStateClass, grayscaleStateClass } from '../presentation-state/read-state.ts';
import type { DataSet } from '../write/data-set.ts';
import { TRANSFER_SYNTAX } from '../write/transfer-syntax.ts';
import { writeDicom } from '../write/write-dicom.ts';
import { commonElements, imageItem, imageSeriesItems, type ObjectIdentity, type Owner } from './common-elements.ts';
import type { FrameMarks, ImageReference, StateContent } from './model.ts';
import { privateContent } from './private-content.ts';
import { srgbProfile } from './srgb-profile.ts';

export interface StateToWrite {
  readonly owner: Owner;
  readonly object: ObjectIdentity;
  readonly image: ImageReference & {
    readonly columns: number;
    readonly rows: number;
    readonly frames: number;
    readonly aspectRatio: { readonly vertical: number; readonly horizontal: number } | null;
    /** Of a colour image; null: sRGB. */
    readonly iccProfile: Uint8Array | null;
  };
  readonly content: StateContent;
  /** See `privateContent`. */
  readonly own: unknown;
}

const layer = 'MARKS';
const graphicTypes = {
  point: 'POINT',
  polyline: 'POLYLINE',
  curve: 'INTERPOLATED',
  circle: 'CIRCLE',
  ellipse: 'ELLIPSE',
} as const;

/** Presentation states have entries of 8 or 16 bits only (PS3.3 C.11.1.1, C.11.8). */
const writtenBits = 16;

const tableItem = ({ firstInput, values, explanation }: LookupTable): DataSet => ({
  LUTDescriptor: [values.length & 0xffff, firstInput & 0xffff, writtenBits],
  LUTExplanation: explanation ?? undefined,
  LUTData: values,
});

const modalityElements = (modality: Modality): DataSet => {
  if (modality.kind === 'lut') return { ModalityLUTSequence: [{ ...tableItem(modality.lut), ModalityLUTType: 'US' }] };
  const { slope, intercept } = modality;
  return slope === 1 && intercept === 0 ? {} : { RescaleIntercept: intercept, RescaleSlope: slope, RescaleType: 'US' };
};

/** The entries of a VOI LUT are parts of the range of their bits; those of a modality LUT are values. */
const scaled = (lut: LookupTable): LookupTable => {
  const factor = (2 ** writtenBits - 1) / (2 ** lut.bits - 1);
  return { ...lut, values: lut.values.map((value) => Math.round(value * factor)) };
};

const voiItem = (voi: Voi): DataSet =>
  voi.kind === 'lut'
    ? { VOILUTSequence: [tableItem(scaled(voi.lut))] }
    : {
        WindowCenter: voi.centre,
        WindowWidth: voi.function === 'LINEAR' ? Math.max(1, voi.width) : voi.width,
        VOILUTFunction: voi.function === 'LINEAR' ? undefined : voi.function,
      };

const greyElements = ({ grey }: StateContent): DataSet =>
  grey === null
    ? {}
    : {
        ...modalityElements(grey.modality),
        SoftcopyVOILUTSequence: grey.voi ? [voiItem(grey.voi)] : undefined,
        PresentationLUTShape: grey.inverted ? 'INVERSE' : 'IDENTITY',
      };

/** The corners of the whole image as it stands after rotation and flip (PS3.3 C.10.4). */
const cornersOf = ({ rotation, flip }: StateContent, columns: number, rows: number) => {
  const turned = { 0: 'top-left', 90: 'bottom-left', 180: 'bottom-right', 270: 'top-right' } as const;
  const flipped = { 0: 'top-right', 90: 'top-left', 180: 'bottom-left', 270: 'bottom-right' } as const;
  const corner = (flip ? flipped : turned)[rotation];
  const x = corner.endsWith('left') ? [1, columns] : [columns, 1];
  const y = corner.startsWith('top') ? [1, rows] : [rows, 1];
  return [0, 1].map((index) => [x[index] ?? 1, y[index] ?? 1]);
};

const areaItem = (content: StateContent, { columns, rows, aspectRatio }: StateToWrite['image']): DataSet => {
  const [from = [], to = []] = cornersOf(content, columns, rows);
  return {
    DisplayedAreaTopLeftHandCorner: from,
    DisplayedAreaBottomRightHandCorner: to,
    PresentationSizeMode: 'SCALE TO FIT',
    PresentationPixelAspectRatio: [aspectRatio?.vertical ?? 1, aspectRatio?.horizontal ?? 1],
  };
};

const annotationItem = ({ frame, graphics, texts }: FrameMarks, image: StateToWrite['image']): DataSet => ({
  ReferencedImageSequence: [imageItem(image, image.frames > 1 ? frame : undefined)],
  GraphicLayer: layer,
  TextObjectSequence:
    texts.length === 0
      ? undefined
      : texts.map(({ text, at }) => ({
          AnchorPointAnnotationUnits: 'PIXEL',
          UnformattedTextValue: text.replaceAll('\n', '\r\n'),
          AnchorPoint: at,
          AnchorPointVisibility: 'N',
        })),
  GraphicObjectSequence:
    graphics.length === 0
      ? undefined
      : graphics.map(({ kind, points }) => ({
          GraphicAnnotationUnits: 'PIXEL',
          GraphicDimensions: 2,
          NumberOfGraphicPoints: points.length,
          GraphicData: points.flat(),
          GraphicType: graphicTypes[kind],
          GraphicFilled: 'N',
        })),
});

/** Returns the SOP class of the state of an image: a colour image needs another. */
export const stateClassOf = ({ grey }: StateContent): string => (grey ? grayscaleStateClass : colourStateClass);

/**
 * Returns the bytes of a Grayscale or Color Softcopy Presentation State (PS3.3 A.33.1, A.33.2) for one image.
 * @throws RangeError naming the keyword
 */
export const writeState = ({ owner, object, image, content, own }: StateToWrite): Uint8Array => {
  const hasMarks = content.marks.length > 0;
  const { rotation, flip } = content;
  return writeDicom(
    {
      ...commonElements(owner, stateClassOf(content), object),
      ReferencedSeriesSequence: imageSeriesItems([image]),
      ...greyElements(content),
      ICCProfile: content.grey ? undefined : (image.iccProfile ?? srgbProfile()),
      GraphicAnnotationSequence: hasMarks ? content.marks.map((one) => annotationItem(one, image)) : undefined,
      ImageHorizontalFlip: flip ? 'Y' : 'N',
      ImageRotation: rotation,
      DisplayedAreaSelectionSequence: [areaItem(content, image)],
      GraphicLayerSequence: hasMarks ? [{ GraphicLayer: layer, GraphicLayerOrder: 1 }] : undefined,
      ...privateContent(own),
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};
