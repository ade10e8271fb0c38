import { commonElements, lineOf, type ObjectIdentity, type Owner } from '../display-objects/common-elements.ts';
import type { ImageReference } from '../display-objects/model.ts';
import type { DataSet } from '../write/data-set.ts';
import { TRANSFER_SYNTAX } from '../write/transfer-syntax.ts';
import { uidFrom } from '../write/uid.ts';
import { writeDicom } from '../write/write-dicom.ts';
import { concepts, modalityCode, quantities, units, values } from './codes.ts';
import {
  comprehensiveReportClass,
  type Observer,
  type ReportComment,
  type ReportImage,
  type ReportMeasurement,
} from './model.ts';

export interface ReportToWrite {
  readonly owner: Owner;
  readonly object: ObjectIdentity;
  readonly images: readonly ReportImage[];
  readonly measurements: readonly ReportMeasurement[];
  readonly comments: readonly ReportComment[];
}

type Relation =
  | 'CONTAINS'
  | 'HAS OBS CONTEXT'
  | 'HAS CONCEPT MOD'
  | 'HAS ACQ CONTEXT'
  | 'INFERRED FROM'
  | 'SELECTED FROM';

const item = (relation: Relation, type: string, concept: DataSet | null, content: DataSet): DataSet => ({
  RelationshipType: relation,
  ValueType: type,
  ConceptNameCodeSequence: concept ? [concept] : undefined,
  ...content,
});

const codeItem = (relation: Relation, concept: DataSet, value: DataSet) =>
  item(relation, 'CODE', concept, { ConceptCodeSequence: [value] });

const container = (concept: DataSet, content: readonly DataSet[], more: DataSet = {}) =>
  item('CONTAINS', 'CONTAINER', concept, { ContinuityOfContent: 'SEPARATE', ContentSequence: content, ...more });

const imageContent = ({ sopClassUid, sopInstanceUid }: ImageReference, frame: number | null = null): DataSet => ({
  ReferencedSOPSequence: [
    {
      ReferencedSOPClassUID: sopClassUid,
      ReferencedSOPInstanceUID: sopInstanceUid,
      ReferencedFrameNumber: frame ?? undefined,
    },
  ],
});

const placeItem = (
  relation: Relation,
  concept: DataSet | null,
  kind: 'POINT' | 'POLYLINE',
  points: readonly (readonly [number, number])[],
  { reference, frame }: Pick<ReportMeasurement, 'reference' | 'frame'>,
): DataSet =>
  item(relation, 'SCOORD', concept, {
    GraphicData: points.flat(),
    GraphicType: kind,
    ContentSequence: [item('SELECTED FROM', 'IMAGE', null, imageContent(reference, frame))],
  });

/** A name has no components here: it is stored as one text. */
const personName = (name: string): string => lineOf(name.replace(/[\^=]/g, ' '), 64);

/** TID 1003. */
const observerItems = (observer: Observer | null): DataSet[] =>
  observer && personName(observer.name)
    ? [
        codeItem('HAS OBS CONTEXT', concepts.observerType, values.person),
        item('HAS OBS CONTEXT', 'PNAME', concepts.personObserver, { PersonName: personName(observer.name) }),
      ]
    : [];

const observedAt = (observer: Observer | null): DataSet => ({
  ObservationDateTime: observer ? `${observer.at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}+0000` : undefined,
});

/** At most 16 characters (PS3.5 DS); the value itself is in Floating Point Value. */
const decimal = (value: number): number => Number(value.toPrecision(9));

const numberItem = (measurement: ReportMeasurement): DataSet => {
  const { quantity, value, unit, lines, isRegion } = measurement;
  return item('CONTAINS', 'NUM', quantities[quantity], {
    MeasuredValueSequence: [
      {
        NumericValue: decimal(value),
        FloatingPointValue: value,
        MeasurementUnitsCodeSequence: [units[unit]],
      },
    ],
    ContentSequence: isRegion
      ? undefined
      : lines.map((points) => placeItem('INFERRED FROM', null, 'POLYLINE', points, measurement)),
  });
};

/** TID 1501, or TID 1410 for a region. */
const groupItem = (measurement: ReportMeasurement): DataSet => {
  const { name, trackingUid, lines, isRegion, scale, observer } = measurement;
  const outline = isRegion
    ? lines.map((points) => placeItem('CONTAINS', concepts.region, 'POLYLINE', points, measurement))
    : [];
  return container(
    concepts.group,
    [
      ...observerItems(observer),
      item('HAS OBS CONTEXT', 'TEXT', concepts.trackingId, { TextValue: name }),
      item('HAS OBS CONTEXT', 'UIDREF', concepts.trackingUid, { UID: trackingUid }),
      ...outline,
      numberItem(measurement),
      ...(scale === null ? [] : [item('CONTAINS', 'TEXT', concepts.comment, { TextValue: scale })]),
    ],
    {
      ...observedAt(observer),
      ContentTemplateSequence: [{ MappingResource: 'DCMR', TemplateIdentifier: isRegion ? '1410' : '1501' }],
    },
  );
};

const commentItem = ({ text, observer, images, point }: ReportComment): DataSet =>
  item('CONTAINS', 'TEXT', concepts.comment, {
    ...observedAt(observer),
    TextValue: text,
    ContentSequence: [
      ...observerItems(observer),
      ...(point
        ? [placeItem('INFERRED FROM', null, 'POINT', [point.at], point)]
        : images.map((reference) => item('INFERRED FROM', 'IMAGE', null, imageContent(reference)))),
    ],
  });

/** TID 1600. */
const libraryItem = (images: readonly ReportImage[]): DataSet =>
  container(
    concepts.library,
    [...Map.groupBy(images, ({ modality }) => modality)].map(([modality, group]) => {
      const named = modalityCode(modality);
      return container(concepts.libraryGroup, [
        ...(named ? [codeItem('HAS ACQ CONTEXT', concepts.modality, named)] : []),
        ...group.map(({ reference }) => item('CONTAINS', 'IMAGE', null, imageContent(reference))),
      ]);
    }),
  );

const evidenceItems = (images: readonly ReportImage[]): DataSet[] =>
  [...Map.groupBy(images, ({ reference }) => reference.studyUid)].map(([studyUid, ofStudy]) => ({
    StudyInstanceUID: studyUid,
    ReferencedSeriesSequence: [...Map.groupBy(ofStudy, ({ reference }) => reference.seriesUid)].map(
      ([seriesUid, ofSeries]) => ({
        SeriesInstanceUID: seriesUid,
        ReferencedSOPSequence: ofSeries.map(({ reference }) => ({
          ReferencedSOPClassUID: reference.sopClassUid,
          ReferencedSOPInstanceUID: reference.sopInstanceUid,
        })),
      }),
    ),
  }));

/** Elements of presentations that a report does not have. */
const notOfReports = {
  Laterality: undefined,
  ContentLabel: undefined,
  ContentDescription: undefined,
  PresentationCreationDate: undefined,
  PresentationCreationTime: undefined,
  ContentCreatorName: undefined,
} satisfies DataSet;

/** Language and procedure, which a DICOMDIR repeats. */
export const reportModifiers: readonly DataSet[] = [
  codeItem('HAS CONCEPT MOD', concepts.language, values.english),
  codeItem('HAS CONCEPT MOD', concepts.procedure, values.imaging),
];

/** Returns the bytes of a Comprehensive SR by TID 1500 (PS3.16). @throws RangeError naming the keyword */
export const writeReport = ({ owner, object, images, measurements, comments }: ReportToWrite): Uint8Array => {
  const common = commonElements(owner, comprehensiveReportClass, object);
  return writeDicom(
    {
      ...common,
      ...notOfReports,
      Modality: 'SR',
      ReferencedPerformedProcedureStepSequence: [],
      ContentDate: common.PresentationCreationDate,
      ContentTime: common.PresentationCreationTime,
      CompletionFlag: 'COMPLETE',
      VerificationFlag: 'UNVERIFIED',
      PerformedProcedureCodeSequence: [],
      CurrentRequestedProcedureEvidenceSequence: evidenceItems(images),
      ValueType: 'CONTAINER',
      ConceptNameCodeSequence: [concepts.report],
      ContinuityOfContent: 'SEPARATE',
      ContentTemplateSequence: [{ MappingResource: 'DCMR', TemplateIdentifier: '1500' }],
      ContentSequence: [
        ...reportModifiers,
        codeItem('HAS OBS CONTEXT', concepts.observerType, values.device),
        item('HAS OBS CONTEXT', 'UIDREF', concepts.deviceObserver, { UID: uidFrom('dentarium/observer') }),
        item('HAS OBS CONTEXT', 'TEXT', concepts.deviceName, { TextValue: 'Dentarium' }),
        libraryItem(images),
        ...(measurements.length > 0 ? [container(concepts.measurements, measurements.map(groupItem))] : []),
        ...(comments.length > 0 ? [container(concepts.evaluations, comments.map(commentItem))] : []),
      ],
    },
    { transferSyntax: TRANSFER_SYNTAX.explicitLittle },
  );
};
