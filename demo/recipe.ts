/** ISO 3950 (FDI) number of a permanent tooth as text: quadrant 1-4, then 1-8. Quadrant 3 is lower LEFT, 4 lower RIGHT. */
export type ToothNumber = `${1 | 2 | 3 | 4}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;

/** Encoding of the pixels. All are lossless except `jpeg-baseline`, which only colour photographs use. */
export type DemoPacking =
  | 'explicit-le'
  | 'implicit-le'
  | 'explicit-be'
  | 'deflated'
  | 'rle'
  | 'jpeg-ls'
  | 'jpeg-2000'
  | 'htj2k'
  | 'jpeg-baseline';

interface Drawing {
  /** Seed of the random properties of this exposure: angle, noise, exposure. */
  readonly seed: number;
  /** Seed of the mouth: teeth, fillings and bone; the same for all images of a patient. */
  readonly mouth: number;
  /** Age of the patient in years at the exposure; wear, fillings and bone loss follow it. */
  readonly age: number;
  readonly columns: number;
  readonly rows: number;
  readonly packing: DemoPacking;
}

/** A periapical or bitewing image on a sensor (SOP class IO) or on a phosphor plate (SOP class CR). */
export interface IntraOralRecipe extends Drawing {
  readonly kind: 'intra-oral';
  readonly view: 'periapical' | 'bitewing';
  readonly receptor: 'sensor' | 'phosphor-plate';
  /** The teeth of the slot; neighbours are drawn too if they are on the receptor. */
  readonly teeth: readonly ToothNumber[];
  readonly photometric: 'MONOCHROME1' | 'MONOCHROME2';
  /** A technical error that requires a retake: part of the receptor is outside the beam. */
  readonly coneCut?: boolean;
}

/** A panoramic image, modality PX. `bitsStored` 12 or 16. */
export interface PanoramicRecipe extends Drawing {
  readonly kind: 'panoramic';
  readonly bitsStored: 12 | 16;
}

/** A lateral skull (cephalometric) image, modality DX, 12 bits. */
export interface CephalometricRecipe extends Drawing {
  readonly kind: 'cephalometric';
}

/** One axial slice of a jaw, modality CT: signed 16 bit with rescale. */
export interface CtRecipe extends Drawing {
  readonly kind: 'ct-slice';
  /** Zero-based, counted from the lowest slice upward. */
  readonly slice: number;
  readonly sliceCount: number;
}

/** A frontal colour photograph of the teeth, modality XC. */
export interface PhotographRecipe extends Drawing {
  readonly kind: 'photograph';
}

/** All parameters of a demo image. Plain data, copied to a worker; equal recipes give equal pixels. */
export type Recipe = IntraOralRecipe | PanoramicRecipe | CephalometricRecipe | CtRecipe | PhotographRecipe;

/** Attributes of the patient, study, series and image modules of a drawn image. */
export interface ImageIdentity {
  readonly patient: {
    readonly patientId: string;
    readonly firstName: string;
    readonly lastName: string;
    /** YYYY-MM-DD */
    readonly birthDate: string;
    readonly sex: 'M' | 'F' | 'O';
  };
  readonly institutionName: string;
  readonly study: {
    readonly uid: string;
    readonly description: string;
    readonly accessionNumber: string;
    /** Local time of the clinic, YYYY-MM-DDTHH:MM:SS */
    readonly startedAt: string;
  };
  readonly series: { readonly uid: string; readonly number: number; readonly description: string };
  readonly image: {
    readonly sopInstanceUid: string;
    readonly number: number;
    /** Local time of the clinic, YYYY-MM-DDTHH:MM:SS */
    readonly acquiredAt: string;
    readonly comment: string;
    /** ISO 3950 numbers. */
    readonly teeth: readonly number[];
  };
}
