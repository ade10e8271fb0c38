import { jawOf, sideOf } from './teeth.ts';

/**
 * What an image shows, as far as modality and teeth tell. `intraoral`: bitewing or periapical, its teeth are not known. `other`: for example
 * a cephalometric image, whose modality is shared with other kinds.
 */
export const imageKinds = ['bitewing', 'periapical', 'intraoral', 'panoramic', 'photograph', 'slice', 'other'] as const;
export type ImageKind = (typeof imageKinds)[number];

const kindOfModality: Readonly<Record<string, ImageKind>> = {
  PX: 'panoramic',
  XC: 'photograph',
  CT: 'slice',
  MR: 'slice',
  PT: 'slice',
};

/** Returns the modalities whose images are always of one of these kinds. */
export const modalitiesOf = (kinds: readonly ImageKind[]): string[] =>
  Object.entries(kindOfModality).flatMap(([modality, kind]) => (kinds.includes(kind) ? modality : []));

/** Returns the kind of an image. `teeth`: ISO 3950; a bitewing shows both jaws, a periapical image one. */
export const imageKindOf = (modality: string, teeth: readonly number[]): ImageKind => {
  const known = kindOfModality[modality];
  if (known) return known;
  if (teeth.length === 0) return modality === 'IO' ? 'intraoral' : 'other';
  if (new Set(teeth.map(jawOf)).size === 1) return 'periapical';
  // Phosphor plates are stored as CR or DX, and so are some panoramic images.
  return modality !== 'IO' && new Set(teeth.map(sideOf)).size > 1 ? 'panoramic' : 'bitewing';
};
