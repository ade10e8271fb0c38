import type { DataSet } from '../write/data-set.ts';

/** A code item. */
export const code = (value: string, scheme: string, meaning: string): DataSet => ({
  CodeValue: value,
  CodingSchemeDesignator: scheme,
  CodeMeaning: meaning,
});

const dcm = (value: string, meaning: string) => code(value, 'DCM', meaning);
const sct = (value: string, meaning: string) => code(value, 'SCT', meaning);

/** Concepts of TID 1500, 1501, 1410, 1600, 1204 and 1002 (PS3.16). */
export const concepts = {
  report: dcm('126000', 'Imaging Measurement Report'),
  language: dcm('121049', 'Language of Content Item and Descendants'),
  observerType: dcm('121005', 'Observer Type'),
  personObserver: dcm('121008', 'Person Observer Name'),
  deviceObserver: dcm('121012', 'Device Observer UID'),
  deviceName: dcm('121013', 'Device Observer Name'),
  procedure: dcm('121058', 'Procedure reported'),
  library: dcm('111028', 'Image Library'),
  libraryGroup: dcm('126200', 'Image Library Group'),
  modality: dcm('121139', 'Modality'),
  measurements: dcm('126010', 'Imaging Measurements'),
  group: dcm('125007', 'Measurement Group'),
  trackingId: dcm('112039', 'Tracking Identifier'),
  trackingUid: dcm('112040', 'Tracking Unique Identifier'),
  region: dcm('111030', 'Image Region'),
  comment: dcm('121106', 'Comment'),
  evaluations: code('C0034375', 'UMLS', 'Qualitative Evaluations'),
} as const;

export const values = {
  english: code('en', 'RFC5646', 'English'),
  person: dcm('121006', 'Person'),
  device: dcm('121007', 'Device'),
  imaging: sct('363679005', 'Imaging procedure'),
} as const;

/** What is measured: CID 7470 and 7461 (linear and area measurements), SNOMED CT. */
export const quantities = {
  length: sct('410668003', 'Length'),
  path: dcm('121211', 'Path length'),
  angle: sct('1483009', 'Angle'),
  area: sct('42798000', 'Area'),
  ratio: sct('118586006', 'Ratio'),
} as const;
export type Quantity = keyof typeof quantities;

/** UCUM. */
export const units = {
  mm: code('mm', 'UCUM', 'millimeter'),
  'mm²': code('mm2', 'UCUM', 'square millimeter'),
  px: code('{pixels}', 'UCUM', 'pixels'),
  'px²': code('{pixels}', 'UCUM', 'pixels'),
  '°': code('deg', 'UCUM', 'degree'),
  '%': code('%', 'UCUM', 'Percent'),
} as const;

const modalities: Readonly<Record<string, string>> = {
  CR: 'Computed Radiography',
  CT: 'Computed Tomography',
  DX: 'Digital Radiography',
  ES: 'Endoscopy',
  GM: 'General Microscopy',
  IO: 'Intra-oral Radiography',
  MR: 'Magnetic Resonance',
  OT: 'Other Modality',
  PX: 'Panoramic X-Ray',
  RG: 'Radiographic imaging',
  US: 'Ultrasound',
  XC: 'External-camera Photography',
};

/** Returns the code of a modality (CID 29); null for one that is not named here. */
export const modalityCode = (modality: string | null): DataSet | null => {
  const meaning = modality === null ? undefined : modalities[modality];
  return modality !== null && meaning ? dcm(modality, meaning) : null;
};
