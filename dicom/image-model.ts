/**
 * Types of a DICOM image: its attributes (ImageDescription), its stored values (DecodedFrame) and their display
 * (DisplaySettings).
 */

/** A lookup table of the grey pipeline: Modality LUT, VOI LUT (DICOM PS3.3 C.11.1, C.11.2). */
export interface LookupTable {
  /** The input value that maps to `values[0]`; inputs below it take the first entry, inputs above the last. */
  readonly firstInput: number;
  readonly values: Uint16Array;
  /** Bits of an entry, 8 to 16. */
  readonly bits: number;
  readonly explanation: string | null;
}

/** Stored value -> modality value (Hounsfield, optical density, ...): DICOM PS3.3 C.11.1. */
export type Modality =
  | { readonly kind: 'rescale'; readonly slope: number; readonly intercept: number }
  | { readonly kind: 'lut'; readonly lut: LookupTable };

export type WindowFunction = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

export interface DisplayWindow {
  readonly kind: 'window';
  readonly centre: number;
  readonly width: number;
  /** DICOM PS3.3 C.11.2.1.2.1 (LINEAR), C.11.2.1.3.2 (LINEAR_EXACT), C.11.2.1.3.1 (SIGMOID). */
  readonly function: WindowFunction;
  readonly explanation: string | null;
}

export interface DisplayLut {
  readonly kind: 'lut';
  readonly lut: LookupTable;
}

/** Modality value -> display value 0..1: DICOM PS3.3 C.11.2. */
export type Voi = DisplayWindow | DisplayLut;

/** Attributes of one frame in the functional groups of an enhanced multi-frame object; null when absent. */
export interface FrameDescription {
  readonly modality: Modality | null;
  readonly windows: readonly DisplayWindow[] | null;
  readonly spacing: PixelSpacing | null;
}

/**
 * Where a pixel size is true. 'patient': Pixel Spacing (0028,0030), calibrated or tomographic. 'stated': Pixel Spacing of a projection whose file
 * does not say that it was calibrated (PS3.3 10.7.1.3). 'estimated': Imager Pixel Spacing divided by the Estimated Radiographic Magnification
 * Factor (0018,1114). 'detector': Imager Pixel Spacing (0018,1164). 'film': Nominal Scanned Pixel Spacing (0018,2010). At detector and film
 * lengths are magnified: real ones are shorter.
 */
export const spacingKinds = ['patient', 'stated', 'estimated', 'detector', 'film'] as const;
export type SpacingKind = (typeof spacingKinds)[number];

/** Size of a pixel in millimetres. */
export interface PixelSpacing {
  readonly rowMm: number;
  readonly columnMm: number;
  readonly kind: SpacingKind;
}

/** A rectangle of an ultrasound image with its own calibration, in image points: `right` and `bottom` are behind its last pixel. */
export interface UltrasoundRegion {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Size of a pixel; null in a region whose axes are not lengths (time, velocity). */
  readonly pixel: { readonly columnMm: number; readonly rowMm: number } | null;
}

/** Red, green and blue palettes of PALETTE COLOR images (PS3.3 C.7.6.3.1.5), scaled to 8 bits per entry. */
export interface Palette {
  readonly firstInput: number;
  readonly red: Uint8Array;
  readonly green: Uint8Array;
  readonly blue: Uint8Array;
}

export type PhotometricInterpretation =
  | 'MONOCHROME1'
  | 'MONOCHROME2'
  | 'PALETTE COLOR'
  | 'RGB'
  | 'YBR_FULL'
  | 'YBR_FULL_422'
  | 'YBR_PARTIAL_420'
  | 'YBR_ICT'
  | 'YBR_RCT';

/** Image attributes of one SOP instance (PS3.3 C.7.6.3 and related modules). */
export interface ImageDescription {
  readonly transferSyntaxUid: string;
  readonly rows: number;
  readonly columns: number;
  readonly numberOfFrames: number;
  readonly samplesPerPixel: 1 | 3;
  /** 'integer' for Pixel Data (7FE0,0010); the others for Float (0008) and Double Float Pixel Data (0009). */
  readonly sampleKind: 'integer' | 'float32' | 'float64';
  readonly bitsAllocated: number;
  readonly bitsStored: number;
  readonly highBit: number;
  /** Pixel Representation (0028,0103) is 1: two's complement. */
  readonly signed: boolean;
  readonly planarConfiguration: 0 | 1;
  readonly photometricInterpretation: PhotometricInterpretation;
  readonly modality: Modality;
  /** Windows and LUTs of the whole object, in the order of the header; windows come first. */
  readonly windows: readonly DisplayWindow[];
  readonly voiLuts: readonly DisplayLut[];
  /** Presentation LUT Shape (2050,0020). */
  readonly presentationShape: 'IDENTITY' | 'INVERSE' | null;
  readonly palette: Palette | null;
  /** Stored values from `low` to `high` (inclusive) are padding. */
  readonly padding: { readonly low: number; readonly high: number } | null;
  readonly spacing: PixelSpacing | null;
  /** Where they are calibrated, lengths come from these regions alone. */
  readonly ultrasoundRegions: readonly UltrasoundRegion[];
  /** Pixel Aspect Ratio (0028,0034): height to width of a pixel; null when square. */
  readonly pixelAspectRatio: { readonly vertical: number; readonly horizontal: number } | null;
  /** True after lossy compression at any time (0028,2110), or with a lossy transfer syntax. */
  readonly lossy: boolean;
  /** One per frame for enhanced objects, otherwise null. */
  readonly frames: readonly FrameDescription[] | null;
}

export type PixelArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Rows and columns of a codestream. */
export interface CodedSize {
  readonly rows: number;
  readonly columns: number;
}

/**
 * The stored values of one frame, row by row from the top left.
 * samples 1: `rows * columns` stored values (grey, or palette index), masked to the stored bits (clamped, when lossy) and sign extended.
 * samples 3: `rows * columns * 3` values R G B R G B ..., unsigned, already converted from any YBR.
 */
export interface DecodedFrame {
  readonly rows: number;
  readonly columns: number;
  readonly samples: 1 | 3;
  /** Significant bits of a sample. */
  readonly bits: number;
  /** Only of a codestream that is smaller than its header says: pixels outside are 0 and belong to no image. */
  readonly coded?: CodedSize;
  readonly pixels: PixelArray;
}

/** Display of grey values. Order: stored value -> modality -> VOI -> inversion -> 0..255. */
export interface DisplaySettings {
  readonly modality: Modality;
  readonly voi: Voi;
  readonly inverted: boolean;
}
