import type { DataSet } from '../../../dicom/data-set.ts';
import { type DicomJson, tagKey } from '../../../dicom/dicom-json.ts';
import { tags } from '../../../dicom/tags.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { ListedImage } from '../../db/stores/dicom-fetch-work.ts';
import type { Association } from '../../dimse/association/association.ts';
import { studyRoot } from '../../dimse/provider/supported-syntaxes.ts';
import { createQueries, type FoundMatches } from '../../dimse/user/find.ts';
import type { AnsweredStudy } from '../../resource/study-finder.ts';
import { encodeIdentifier } from '../encode-identifier.ts';
import { queryRetrieveLevel } from '../query-level.ts';

const modalitiesInStudy = 0x00080061;
const studyInstances = 0x00201208;
const plain = [transferSyntaxes.explicitLittleEndian, transferSyntaxes.implicitLittleEndian];

/** Series of a study, and images of a series, that are read. */
const maxSeries = 1_000;

export const findContexts = [{ id: 1, abstractSyntax: studyRoot.find, transferSyntaxes: plain }];

/** An identifier of keys with their VR; an empty value asks for the attribute. */
export const identifierOf =
  (level: 'STUDY' | 'SERIES' | 'IMAGE', keys: readonly (readonly [tag: number, vr: string, value?: string])[]) =>
  (explicitVr: boolean): Buffer => {
    const json: DicomJson = Object.fromEntries(
      [[queryRetrieveLevel, 'CS', level] as const, ...keys].map(([tag, vr, value]) => [
        tagKey(tag),
        value ? { vr, Value: [value] } : { vr },
      ]),
    );
    return encodeIdentifier(json, explicitVr);
  };

const isUid = (text: string | null): text is string =>
  text !== null && /^[0-9]+(\.[0-9]+)*$/.test(text) && text.length <= 64;

const dateOf = (text: string | null): string | null => {
  const [, year, month, day] = /^(\d{4})\.?(\d{2})\.?(\d{2})$/.exec(text ?? '') ?? [];
  const date = `${year}-${month}-${day}`;
  const isDay = year !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  return isDay ? date : null;
};

const shortText = (dataSet: DataSet, tag: number, length: number): string =>
  (dataSet.text(tag) ?? '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, length)
    .trim();

const countOf = (text: string | null): number | null => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : null);

const studyOf = (match: DataSet): AnsweredStudy => ({
  studyUid: match.code(tags.studyInstanceUid) ?? '',
  description: shortText(match, tags.studyDescription, 64),
  studyDate: dateOf(match.code(tags.studyDate)),
  modalities: match.codes(modalitiesInStudy).filter(Boolean).slice(0, 20),
  images: countOf(match.code(studyInstances)),
  patient: {
    name: shortText(match, tags.patientName, 400) || null,
    patientId: shortText(match, tags.patientId, 100) || null,
    birthDate: dateOf(match.code(tags.patientBirthDate)),
  },
});

type PatientKey = Pick<ReadonlyMap<number, string>, 'get'>;

/** Returns studies whose patient matches. @throws NoContext, QueryFailed, AssociationError */
export const findStudies = async (
  queries: ReturnType<typeof createQueries>,
  patient: PatientKey,
  atMost: number,
): Promise<FoundMatches<AnsweredStudy>> => {
  const found = await queries.find({
    sopClassUid: studyRoot.find,
    identifierOf: identifierOf('STUDY', [
      [tags.studyDate, 'DA'],
      [modalitiesInStudy, 'CS'],
      [tags.studyDescription, 'LO'],
      [tags.patientName, 'PN', patient.get(tags.patientName)],
      [tags.patientId, 'LO', patient.get(tags.patientId)],
      [tags.patientBirthDate, 'DA', patient.get(tags.patientBirthDate)],
      [tags.studyInstanceUid, 'UI'],
      [studyInstances, 'IS'],
    ]),
    read: studyOf,
    atMost,
  });
  return { ...found, matches: found.matches.filter(({ studyUid }) => isUid(studyUid)) };
};

/** Returns the images of a study, series by series, each once. @throws NoContext, QueryFailed, AssociationError */
export const findImages = async (
  association: Association,
  studyUid: string,
  atMost: number,
): Promise<readonly ListedImage[]> => {
  const queries = createQueries(association);
  const { matches: series } = await queries.find({
    sopClassUid: studyRoot.find,
    identifierOf: identifierOf('SERIES', [
      [tags.studyInstanceUid, 'UI', studyUid],
      [tags.seriesInstanceUid, 'UI'],
    ]),
    read: (match) => match.code(tags.seriesInstanceUid),
    atMost: maxSeries,
  });
  const images = new Map<string, ListedImage>();
  for (const seriesUid of new Set(series.filter(isUid))) {
    const { matches } = await queries.find({
      sopClassUid: studyRoot.find,
      identifierOf: identifierOf('IMAGE', [
        [tags.sopClassUid, 'UI'],
        [tags.sopInstanceUid, 'UI'],
        [tags.studyInstanceUid, 'UI', studyUid],
        [tags.seriesInstanceUid, 'UI', seriesUid],
      ]),
      read: (match) => ({
        sop_instance_uid: match.code(tags.sopInstanceUid) ?? '',
        series_uid: seriesUid,
        sop_class_uid: match.code(tags.sopClassUid),
      }),
      atMost,
    });
    for (const image of matches.filter(({ sop_instance_uid }) => isUid(sop_instance_uid)))
      if (images.size < atMost) images.set(image.sop_instance_uid, image);
  }
  return [...images.values()];
};
