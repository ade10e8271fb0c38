import { MEDIA_STORAGE_DIRECTORY } from '../directory.ts';
import type { DirectoryKeys } from '../directory-keys.ts';
import { concepts } from '../structured-report/codes.ts';
import { reportModifiers } from '../structured-report/write-report.ts';
import type { DataSet } from './data-set.ts';
import { concat, elementHeader, elements, itemHeader, lengthOf } from './elements.ts';
import { fileMeta } from './file-meta.ts';
import { TAGS } from './tags.ts';
import { encodingOf, TRANSFER_SYNTAX } from './transfer-syntax.ts';

/** What a record of a presentation repeats of its file (PS3.3 F.5.23). */
export interface PresentationKeys {
  readonly label: string;
  readonly description: string | null;
  /** YYYYMMDD and HHMMSS */
  readonly createdOn: string;
  readonly createdAt: string;
  /** Its Referenced Series Sequence. */
  readonly references: readonly DataSet[];
}

/** What a record of a structured report repeats of its file (PS3.3 F.5.25), by `writeReport`: YYYYMMDD and HHMMSS. */
export interface ReportKeys {
  readonly contentDate: string;
  readonly contentTime: string;
}

/** A file of the medium: an image, a presentation of images, or a report on them. */
export interface ListedFile {
  /** Folders and name, each 1 to 8 of A-Z, 0-9 and _ (PS3.10 8.2). */
  readonly path: readonly string[];
  readonly keys: DirectoryKeys;
  readonly presentation?: PresentationKeys;
  readonly report?: ReportKeys;
}

/** A node of the tree of records; files have none below. */
interface Entry {
  readonly keys: DataSet;
  readonly lower: readonly Entry[];
}

/** The standard requires a date and time of a study (PS3.3 F.5.2); DCMTK writes this date when it is not known. */
const unknownDate = '19000101';
const unknownTime = '000000';

/** Returns the groups of equal keys, in the order of their first file. */
const grouped = (files: readonly ListedFile[], keyOf: (keys: DirectoryKeys) => string): ListedFile[][] => [
  ...Map.groupBy(files, ({ keys }) => keyOf(keys)).values(),
];

const presentationElements = (keys: PresentationKeys): DataSet => ({
  ContentLabel: keys.label,
  ContentDescription: keys.description,
  PresentationCreationDate: keys.createdOn,
  PresentationCreationTime: keys.createdAt,
  ContentCreatorName: null,
  ReferencedSeriesSequence: keys.references,
});

const reportElements = ({ contentDate, contentTime }: ReportKeys): DataSet => ({
  CompletionFlag: 'COMPLETE',
  VerificationFlag: 'UNVERIFIED',
  ContentDate: contentDate,
  ContentTime: contentTime,
  ConceptNameCodeSequence: [concepts.report],
  ContentSequence: reportModifiers,
});

const typeOf = ({ presentation, report }: ListedFile): string =>
  presentation ? 'PRESENTATION' : report ? 'SR DOCUMENT' : 'IMAGE';

const instanceEntry = (file: ListedFile, index: number): Entry => ({
  keys: {
    DirectoryRecordType: typeOf(file),
    ReferencedFileID: file.path,
    ReferencedSOPClassUIDInFile: file.keys.image.sopClassUid,
    ReferencedSOPInstanceUIDInFile: file.keys.image.sopInstanceUid,
    ReferencedTransferSyntaxUIDInFile: file.keys.image.transferSyntaxUid,
    InstanceNumber: file.keys.image.number ?? index + 1,
    ...(file.presentation && presentationElements(file.presentation)),
    ...(file.report && reportElements(file.report)),
  },
  lower: [],
});

const seriesEntries = (files: readonly ListedFile[]): Entry[] =>
  grouped(files, ({ series }) => series.uid).map((group, index) => {
    const { modality, number, uid } = (group[0] as ListedFile).keys.series;
    return {
      keys: {
        DirectoryRecordType: 'SERIES',
        Modality: modality ?? 'OT',
        SeriesInstanceUID: uid,
        SeriesNumber: number ?? index + 1,
      },
      lower: group.map(instanceEntry),
    };
  });

const studyEntries = (files: readonly ListedFile[]): Entry[] =>
  grouped(files, ({ study }) => study.uid).map((group, index) => {
    const { study } = (group[0] as ListedFile).keys;
    return {
      keys: {
        DirectoryRecordType: 'STUDY',
        StudyDate: study.date ?? unknownDate,
        StudyTime: study.time ?? unknownTime,
        AccessionNumber: study.accessionNumber,
        StudyDescription: study.description,
        StudyInstanceUID: study.uid,
        StudyID: study.id ?? String(index + 1),
      },
      lower: seriesEntries(group),
    };
  });

/** Without an ID, equal names do not make one patient of two studies. */
const patientKey = ({ patient: { id, name, birthDate }, study }: DirectoryKeys): string =>
  JSON.stringify([id, name, birthDate, id === null ? study.uid : null]);

const patientEntries = (files: readonly ListedFile[]): Entry[] =>
  grouped(files, patientKey).map((group, index) => {
    const { patient } = (group[0] as ListedFile).keys;
    return {
      keys: {
        DirectoryRecordType: 'PATIENT',
        PatientName: patient.name,
        PatientID: patient.id ?? `UNKNOWN${index + 1}`,
        PatientBirthDate: patient.birthDate,
        PatientSex: patient.sex,
      },
      lower: studyEntries(group),
    };
  });

const encoding = encodingOf(TRANSFER_SYNTAX.explicitLittle);

interface Links {
  readonly next: number;
  readonly lower: number;
}
const unlinked: Links = { next: 0, lower: 0 };

const itemOf = ({ keys }: Entry, { next, lower }: Links): Uint8Array => {
  const content = elements(
    {
      SpecificCharacterSet: 'ISO_IR 192',
      OffsetOfTheNextDirectoryRecord: next,
      RecordInUseFlag: 0xffff,
      OffsetOfReferencedLowerLevelDirectoryEntity: lower,
      ...keys,
    },
    encoding,
  );
  return concat([itemHeader(0xe000, lengthOf(content), true), ...content]);
};

/** Returns the entries depth first, each before those below it. */
const flattened = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry) => [entry, ...flattened(entry.lower)]);

/** Returns the links of every entry. Offsets of 0 mean "none" (PS3.3 F.3.2.2). */
const linksOf = (
  siblings: readonly Entry[],
  offsetOf: (entry: Entry | undefined) => number,
): readonly [Entry, Links][] =>
  siblings.flatMap((entry, index): readonly [Entry, Links][] => [
    [entry, { next: offsetOf(siblings[index + 1]), lower: offsetOf(entry.lower[0]) }],
    ...linksOf(entry.lower, offsetOf),
  ]);

const rootElements = (first: number, last: number): Uint8Array[] =>
  elements(
    {
      FileSetID: 'DENTARIUM',
      OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity: first,
      OffsetOfTheLastDirectoryRecordOfTheRootDirectoryEntity: last,
      FileSetConsistencyFlag: 0,
    },
    encoding,
  );

/**
 * Returns the bytes of a DICOMDIR (PS3.3 F, PS3.10 8) that lists files by patient, study and series, as their headers name them.
 * @param instanceUid its Media Storage SOP Instance UID
 */
export const writeDirectory = (files: readonly ListedFile[], instanceUid: string): Uint8Array => {
  const roots = patientEntries(files);
  const entries = flattened(roots);
  const meta = fileMeta(MEDIA_STORAGE_DIRECTORY, instanceUid, TRANSFER_SYNTAX.explicitLittle);
  const [sequenceTag] = TAGS.DirectoryRecordSequence;
  const sequenceHeader = (length: number) =>
    elementHeader(sequenceTag, 'SQ', length, encoding, 'DirectoryRecordSequence');
  // Offsets count from the first byte of the file; the lengths of items do not depend on the values of offsets.
  let end = lengthOf([...meta, ...rootElements(0, 0), sequenceHeader(0)]);
  const start = end;
  const offsets = new Map<Entry, number>();
  for (const entry of entries) {
    offsets.set(entry, end);
    end += itemOf(entry, unlinked).length;
  }
  const offsetOf = (entry: Entry | undefined) => (entry && offsets.get(entry)) ?? 0;
  const links = new Map(linksOf(roots, offsetOf));
  return concat([
    ...meta,
    ...rootElements(offsetOf(roots[0]), offsetOf(roots.at(-1))),
    sequenceHeader(end - start),
    ...entries.map((entry) => itemOf(entry, links.get(entry) ?? unlinked)),
  ]);
};
