import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import { readTeeth, snomedTeeth } from '../teeth.ts';
import type { DataSet as WrittenDataSet } from '../write/data-set.ts';

/** Regions of PS3.16 context group 4028 and their SNOMED-RT style codes of older files. */
const regions = [
  { sct: '661005', srt: 'T-D1213', meaning: 'Jaw region' },
  { sct: '69536005', srt: 'T-D1100', meaning: 'Head' },
  { sct: '70925003', srt: 'T-11170', meaning: 'Maxilla' },
  { sct: '91609006', srt: 'T-11180', meaning: 'Mandible' },
  { sct: '89546000', srt: 'T-11100', meaning: 'Skull' },
  { sct: '53620006', srt: 'T-15770', meaning: 'Temporomandibular joint' },
] as const;

const snomedOfTooth = new Map(Object.entries(snomedTeeth).map(([code, tooth]) => [tooth, code]));

const codeItem = (value: string, meaning: string): WrittenDataSet => ({
  CodeValue: value,
  CodingSchemeDesignator: 'SCT',
  CodeMeaning: meaning,
});

/** Computed Radiography, Digital X-Ray and its family. */
const projections = '1.2.840.10008.5.1.4.1.1.1';
const intraOral = '1.2.840.10008.5.1.4.1.1.1.3';

/** Intra-oral images require a region, which is the jaws; other projections may have an empty one, and the rest none (PS3.3 C.8.11.7, C.8.21). */
const regionOf = (dataSet: DataSet): WrittenDataSet => {
  const [item] = dataSet.sequence(tags.anatomicRegionSequence);
  const code = item?.code(tags.codeValue);
  const sopClassUid = dataSet.code(tags.sopClassUid) ?? '';
  const known = regions.find(({ sct, srt }) => code === sct || code === srt);
  const region = known ?? (sopClassUid.startsWith(intraOral) && item ? regions[0] : undefined);
  if (region) return { AnatomicRegionSequence: [codeItem(region.sct, region.meaning)] };
  const isStated = dataSet.elements.has(tags.anatomicRegionSequence);
  return isStated && sopClassUid.startsWith(projections) ? { AnatomicRegionSequence: [] } : {};
};

/**
 * Returns the anatomic region and the teeth of an image, written from our own codes: the text of a code may hold anything. Empty where a file
 * names none that is known.
 * @throws DicomProblem when a sequence is malformed
 */
export const knownStructures = (dataSet: DataSet): WrittenDataSet => {
  const teeth = readTeeth(dataSet).flatMap((tooth) => {
    const snomed = snomedOfTooth.get(tooth);
    return snomed === undefined ? [] : [codeItem(snomed, `Tooth ${tooth} (ISO 3950)`)];
  });
  return {
    ...regionOf(dataSet),
    ...(teeth.length > 0 && { PrimaryAnatomicStructureSequence: teeth }),
  };
};
