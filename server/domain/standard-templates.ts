import { defaultTemplateId, extentOf } from '../../contract/viewsets.ts';
import { uuidFrom } from '../../dicom/write/uid.ts';
import { type LayoutSlot, type LayoutView, type StandardLayout, standardLayouts } from './standard-layouts.ts';
import type { StoredSlot } from './stored-slot.ts';

export interface StandardTemplate {
  readonly uuid: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly modality: 'IO' | 'PX' | 'DX' | 'XC';
  readonly isFavorite: boolean;
  readonly viewSetItems: readonly (StoredSlot & { readonly view: LayoutView })[];
}

const frames: Readonly<Record<StandardLayout, Pick<StandardTemplate, 'name' | 'modality' | 'isFavorite'>>> = {
  single: { name: 'Enkelbild', modality: 'IO', isFavorite: false },
  fmx18: { name: 'FMX 18', modality: 'IO', isFavorite: true },
  fmx14: { name: 'FMX 14', modality: 'IO', isFavorite: false },
  bitewings4: { name: 'Bitewing 4', modality: 'IO', isFavorite: true },
  bitewings2: { name: 'Bitewing 2', modality: 'IO', isFavorite: false },
  child8: { name: 'Barn 8', modality: 'IO', isFavorite: false },
  panoramic: { name: 'Panorama', modality: 'PX', isFavorite: true },
  cephalometric: { name: 'Profilröntgen', modality: 'DX', isFavorite: false },
  photograph: { name: 'Foto', modality: 'XC', isFavorite: false },
  photoSeries: { name: 'Fotoserie 8', modality: 'XC', isFavorite: false },
};

/**
 * Slots of the standard templates do not rotate their images: imported files are upright already, rotated by the program that acquired them,
 * and rotating again would show an upper left molar as a lower right one. A clinic whose sensor delivers unrotated images makes its own
 * template with rotated slots.
 */
const itemOf = (slot: LayoutSlot, index: number) => ({
  itemIndex: index,
  order: index + 1,
  xPos: slot.x,
  yPos: slot.y,
  width: slot.width,
  height: slot.height,
  rotation: 0,
  horizontalFlip: false,
  teeth: [...slot.teeth],
  description: slot.description,
  view: slot.view,
});

/** Ids are the same in every installation. */
export const standardTemplate = (layout: StandardLayout): StandardTemplate => {
  const viewSetItems = standardLayouts[layout].map(itemOf);
  const uuid = layout === 'single' ? defaultTemplateId : uuidFrom(`template/${layout}`);
  return { uuid, ...frames[layout], ...extentOf(viewSetItems), viewSetItems };
};

const isLayout = (name: string): name is StandardLayout => Object.hasOwn(standardLayouts, name);

export const standardTemplates: readonly StandardTemplate[] = Object.keys(standardLayouts)
  .filter(isLayout)
  .map(standardTemplate);
