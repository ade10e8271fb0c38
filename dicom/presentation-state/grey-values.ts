import type { DataSet } from '../data-set.ts';
import { readModality, readVoiLuts, readWindows } from '../grey-attributes.ts';
import type { LookupTable } from '../image-model.ts';
import { readLookupTable } from '../lookup-tables.ts';
import { tags } from '../tags.ts';
import type { StateGrey, StateTable } from './model.ts';
import { partIsFor } from './references.ts';

const tableOf = ({ firstInput, values, bits }: LookupTable): StateTable => ({ firstInput, values: [...values], bits });

/** Without a modality transform the state applies to stored values, whatever the image says (PS3.4 N.2.1.1). */
const modalityOf = (dataSet: DataSet): StateGrey['modality'] => {
  const modality = readModality(dataSet, false);
  if (modality === null) return { kind: 'rescale', slope: 1, intercept: 0 };
  return modality.kind === 'lut' ? { kind: 'lut', lut: tableOf(modality.lut) } : modality;
};

const voisOf = (dataSet: DataSet, sopInstanceUid: string): StateGrey['vois'] =>
  dataSet.sequence(tags.softcopyVoiLutSequence).flatMap((item): StateGrey['vois'] => {
    const place = partIsFor(item, sopInstanceUid);
    if (!place) return [];
    const { frames } = place;
    // Whether inputs are signed depends on the image.
    const [lut] = readVoiLuts(item, false, { kind: 'rescale', slope: 1, intercept: 0 });
    const [window] = readWindows(item);
    if (lut) return [{ frames, voi: { kind: 'lut', lut: tableOf(lut.lut) } }];
    if (!window || !Number.isFinite(window.width)) return [];
    const { kind, centre, width, function: shape } = window;
    return [{ frames, voi: { kind, centre, width, function: shape } }];
  });

/** Reads the grey values of a grayscale state for one image (PS3.3 C.11.1, C.11.8, C.11.6). */
export const readGreyValues = (dataSet: DataSet, sopInstanceUid: string): StateGrey => {
  const [item] = dataSet.sequence(tags.presentationLutSequence);
  const table = item ? readLookupTable(item, false) : null;
  return {
    modality: modalityOf(dataSet),
    vois: voisOf(dataSet, sopInstanceUid),
    presentationLut: table && tableOf(table),
    inverted: dataSet.code(tags.presentationLutShape) === 'INVERSE',
  };
};
