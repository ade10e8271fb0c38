import { templateFileProblems, templateNotTakenParts } from '../contract/template-objects.ts';
import type { DataSet } from '../dicom/data-set.ts';
import { readDicomFile } from '../dicom/file.ts';
import { TAGS } from '../dicom/write/tags.ts';
import { protocolBytes } from './dicom/written-protocol.ts';
import { reportBytes } from './dicom/written-report.ts';

export type Row = readonly string[];

export const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const tagText = (tag: number): string => {
  const hex = tag.toString(16).toUpperCase().padStart(8, '0');
  return `(${hex.slice(0, 4)},${hex.slice(4)})`;
};

const keywords = new Map<number, readonly [string, string]>(
  Object.entries(TAGS).map(([keyword, [tag, vr]]) => [tag, [keyword, vr]]),
);

const presenceOf = (dataSet: DataSet, tag: number): string => (dataSet.has(tag) ? 'value' : 'empty');

/** The elements of a written object. */
export const elementsOf = (bytes: Uint8Array): string => {
  const { dataSet } = readDicomFile(bytes);
  const rows = [...dataSet.elements.keys()].map((tag): Row => {
    const [keyword = '', vr = ''] = keywords.get(tag) ?? [];
    return [tagText(tag), keyword, vr, presenceOf(dataSet, tag)];
  });
  return table(['tag', 'attribute', 'VR', 'here'], rows);
};

export const list = (parts: readonly string[]): string => parts.map((part) => `\`${part}\``).join(', ');

/** Sections of the conformance statement on templates, and on measurements and notes. */
export const templatesAndReports = `## Templates

A template of mounts is exported and imported as a file of a Hanging Protocol (PS3.3 A.44), see
[decision 151](decisions/151-templates-as-hanging-protocols.md). It is no object of a patient: in an import of images, by C-STORE and by STOW-RS it is a
rejected file.

- A display set and an image set for each slot, in capture order, presentation group 1, one image box, layout SINGLE. One screen.
- An image set selects the modality, and the teeth of the slot by Primary Anatomic Structure Sequence.
- Rotation and flip of slots are only in the private block.

Of other protocols the boxes of the first presentation group are read, with label, modality and teeth (SNOMED CT, SNOMED-RT, ISO 3950 or the English
meaning). What a template does not have is named: ${list(templateNotTakenParts)}. Files are rejected with: ${list(templateFileProblems)}.

${elementsOf(protocolBytes())}

## Measurements and notes

On request a medium has a Comprehensive SR for each study with measurements, texts or signed notes, by TID 1500 (PS3.16), see
[decision 152](decisions/152-structured-reports.md).

- TID 1204 (English), TID 1001 with the device as observer, Procedure reported, TID 1600 with all images of the report.
- Measurement groups with tracking identifier and UID: length, path length, angle, ratio by TID 1501 with SCOORD, area by TID 1410 with Image Region.
- Units of UCUM: mm, mm2, deg, %, {pixels}. A comment says where the pixel size comes from.
- Person Observer Name and Observation DateTime of each group and comment.
- Qualitative Evaluations: texts in images (SCOORD POINT) and signed notes (IMAGE) as Comment (121106, DCM).

${elementsOf(reportBytes())}`;
