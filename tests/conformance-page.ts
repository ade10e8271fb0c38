import { dicomWebRoutes } from '../contract/dicomweb.ts';
import { notExpressedParts, notTakenParts } from '../contract/display-objects.ts';
import type { DataSet } from '../dicom/data-set.ts';
import { structuredDisplayClass } from '../dicom/display-objects/model.ts';
import { readDicomFile } from '../dicom/file.ts';
import { colourStateClass, grayscaleStateClass } from '../dicom/presentation-state/read-state.ts';
import { isVideo, pixelEncodings } from '../dicom/transfer-syntax.ts';
import { IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION_NAME } from '../dicom/write/file-meta.ts';
import { TAGS } from '../dicom/write/tags.ts';
import type { WorklistKey } from '../server/db/stores/worklist.ts';
import { orderKeys, stepKeys } from '../server/dicom-gateway/worklist-json.ts';
import { usualLimits } from '../server/dimse/association/link.ts';
import {
  modalityPerformedStep,
  modalityWorklist,
  storageSyntaxes,
} from '../server/dimse/provider/supported-syntaxes.ts';
import { tagOfKeyword } from '../server/resource/dicomweb/search-query.ts';
import { displayFile, plainContent, stateFileOf } from './dicom/written-objects.ts';

type Row = readonly string[];

const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Names of PS3.6 annex A. */
const syntaxNames: Readonly<Record<string, string>> = {
  '1.2.840.10008.1.2': 'Implicit VR Little Endian',
  '1.2.840.10008.1.2.1': 'Explicit VR Little Endian',
  '1.2.840.10008.1.2.1.98': 'Encapsulated Uncompressed Explicit VR Little Endian',
  '1.2.840.10008.1.2.1.99': 'Deflated Explicit VR Little Endian',
  '1.2.840.10008.1.2.2': 'Explicit VR Big Endian',
  '1.2.840.10008.1.2.5': 'RLE Lossless',
  '1.2.840.10008.1.2.8.1': 'Deflated Image Frame Compression',
  '1.2.840.10008.1.2.4.50': 'JPEG Baseline (Process 1)',
  '1.2.840.10008.1.2.4.51': 'JPEG Extended (Process 2 and 4)',
  '1.2.840.10008.1.2.4.53': 'JPEG Spectral Selection (Process 6 and 8, retired)',
  '1.2.840.10008.1.2.4.55': 'JPEG Full Progression (Process 10 and 12, retired)',
  '1.2.840.10008.1.2.4.57': 'JPEG Lossless (Process 14)',
  '1.2.840.10008.1.2.4.70': 'JPEG Lossless, First-Order Prediction',
  '1.2.840.10008.1.2.4.80': 'JPEG-LS Lossless',
  '1.2.840.10008.1.2.4.81': 'JPEG-LS Near-Lossless',
  '1.2.840.10008.1.2.4.90': 'JPEG 2000 Lossless',
  '1.2.840.10008.1.2.4.91': 'JPEG 2000',
  '1.2.840.10008.1.2.4.201': 'HTJ2K Lossless',
  '1.2.840.10008.1.2.4.202': 'HTJ2K Lossless RPCL',
  '1.2.840.10008.1.2.4.203': 'HTJ2K',
  '1.2.840.10008.1.2.4.110': 'JPEG XL Lossless',
  '1.2.840.10008.1.2.4.111': 'JPEG XL JPEG Recompression',
  '1.2.840.10008.1.2.4.112': 'JPEG XL',
};

const nameOf = (uid: string): string => {
  const name = syntaxNames[uid];
  if (!name) throw new Error(`${uid} has no name here`);
  return name;
};

const videos = ['102', '103', '104', '105', '106', '107', '108'].map((number) => `1.2.840.10008.1.2.4.${number}`);

const tagText = (tag: number): string => {
  const hex = tag.toString(16).toUpperCase().padStart(8, '0');
  return `(${hex.slice(0, 4)},${hex.slice(4)})`;
};

const keywords = new Map<number, readonly [string, string]>(
  Object.entries(TAGS).map(([keyword, [tag, vr]]) => [tag, [keyword, vr]]),
);

const secondaryCapture = '1.2.840.10008.5.1.4.1.1.7';

const presenceOf = (dataSet: DataSet, tag: number): string => (dataSet.has(tag) ? 'value' : 'empty');

/** The elements of a written object. */
const elementsOf = (bytes: Uint8Array): string => {
  const { dataSet } = readDicomFile(bytes);
  const rows = [...dataSet.elements.keys()].map((tag): Row => {
    const [keyword = '', vr = ''] = keywords.get(tag) ?? [];
    return [tagText(tag), keyword, vr, presenceOf(dataSet, tag)];
  });
  return table(['tag', 'attribute', 'VR', 'here'], rows);
};

const window = { kind: 'window', centre: 1000, width: 2000, function: 'LINEAR', explanation: null } as const;
const sampleState = stateFileOf({
  ...plainContent,
  grey: { modality: { kind: 'rescale', slope: 2, intercept: -1000 }, voi: window, inverted: false },
  marks: [
    {
      frame: 1,
      graphics: [
        {
          kind: 'polyline',
          points: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
      texts: [],
    },
  ],
});

const worklistNames: Readonly<Record<WorklistKey, string>> = {
  patientName: 'PatientName',
  patientId: 'PatientID',
  accessionNumber: 'AccessionNumber',
  requestedProcedureId: 'RequestedProcedureID',
  studyInstanceUid: 'StudyInstanceUID',
  stationAeTitle: 'ScheduledStationAETitle',
  startDate: 'ScheduledProcedureStepStartDate',
  startTime: 'ScheduledProcedureStepStartTime',
  modality: 'Modality',
  stepId: 'ScheduledProcedureStepID',
};

const list = (parts: readonly string[]): string => parts.map((part) => `\`${part}\``).join(', ');

/** Returns docs/dicom-conformance.md: what follows PS3.2, with tables made from the code. */
export const conformancePage = (): string => `# DICOM conformance statement

<!-- Generated by tests/conformance-page.test.ts; do not edit. -->

After DICOM PS3.2, for what this version does. What is not named here is not supported.

## Overview

| service | role |
| --- | --- |
| QIDO-RS, WADO-RS, WADO-URI, STOW-RS (PS3.18) | origin server |
| Verification (C-ECHO) | SCP, SCU |
| Storage (C-STORE) | SCP; SCU of C-MOVE and of users |
| Study Root Query/Retrieve (C-FIND, C-MOVE, C-GET) | SCP |
| ${modalityWorklist} Modality Worklist (C-FIND) | SCP |
| ${modalityPerformedStep} Modality Performed Procedure Step (N-CREATE, N-SET) | SCP |
| Media storage: DICOM files, folders and zips, with or without DICOMDIR | reader (FSR) |
| Media storage: general purpose folder with DICOMDIR in a zip | creator (FSC) |
| ${structuredDisplayClass} Basic Structured Display | written, read |
| ${grayscaleStateClass} Grayscale Softcopy Presentation State | written, read |
| ${colourStateClass} Color Softcopy Presentation State | written, read |

| implementation | value |
| --- | --- |
| Implementation Class UID | ${IMPLEMENTATION_CLASS_UID} |
| Implementation Version Name | ${IMPLEMENTATION_VERSION_NAME} |
| UIDs of new objects | under 2.25 (PS3.5 B.2) |

## Objects that are read

Every SOP class is stored byte for byte. Images are displayed; Encapsulated PDF and videos are opened as documents; presentation states and structured
displays say how images are displayed; all other objects are listed as documents without a picture.

${table(
  ['transfer syntax', 'UID', 'pixels'],
  Object.entries(pixelEncodings).map(([uid, encoding]): Row => [nameOf(uid), uid, encoding]),
)}

Videos: ${list(videos.filter(isVideo))}. An object in another transfer syntax is stored and listed as a document.

Character sets: all of PS3.3 C.12.1.1.2. Files without preamble or group 0002 are read. An object is filed under the patient whom a user confirms; its
data set is never changed. A second object with the same SOP Instance UID and other bytes is refused.

## DICOMweb

How to connect is described in [dicomweb.md](dicomweb.md). Every resource needs a bearer token; TLS is that of the proxy in front.

${table(
  ['method', 'resource'],
  Object.values(dicomWebRoutes).map(({ method, path }): Row => [method, `\`${path}\``]),
)}

Keys that searches match:

${table(
  ['attribute', 'tag'],
  Object.entries(tagOfKeyword).map(([keyword, tag]): Row => [keyword, tagText(Number.parseInt(tag, 16))]),
)}

Not supported: UPS-RS, storing of metadata with bulk data, XML replies of searches and metadata, transcoding of whole objects.

A public test suite, datadoc1/dicomweb-conformance-tests, passes 40 of 53. What it finds missing:

| tests | why |
| --- | --- |
| patients | PS3.18 has no resource for patients (10.6.1.1) |
| 7 of series and instances | they ask for \`/series/{series}/metadata\`, \`/instances/{instance}\` and \`/instances/{instance}/metadata\`; resources of retrieval begin with the study (10.4.1.1) |
| storing what is no DICOM object: invalid, corrupted, empty | the reply is 409 with the reason for each instance, as for every request of which nothing is stored (10.5.3.1); the suite expects 400 |
| storing JSON alone | 415: only \`application/dicom\` is stored (10.5.2) |
| frames | left out by the suite where the first objects have one frame |

## DICOM on the network

How to connect is described in [dicom.md](dicom.md). A caller is admitted by its AE title and address.

${table(
  ['association', ''],
  [
    ['application context', '1.2.840.10008.3.1.1.1'],
    ['received P-DATA', `${usualLimits.maxPduBytes} bytes`],
    ['wait for the association (ARTIM)', `${usualLimits.artimMs / 1000} s`],
    ['wait for the peer', `${usualLimits.peerTimeoutMs / 1000} s`],
    ['asynchronous operations', 'none'],
  ],
)}

Transfer syntaxes of storage that are accepted, the preferred one first: ${list(storageSyntaxes(secondaryCapture) ?? [])}. Verification and Query/Retrieve: Explicit and
Implicit VR Little Endian. Storage classes are all of PS3.4 annex B.5. Objects are stored byte for byte; the file gets meta information of its own.

The same two transfer syntaxes are accepted for Modality Worklist and Modality Performed Procedure Step.

Query keys are those of DICOMweb, with Query/Retrieve Level STUDY, SERIES or IMAGE. Statuses are listed in dicom.md.

Keys of the worklist that are matched; those of the step are inside Scheduled Procedure Step Sequence ${tagText(0x00400100)}:

${table(
  ['attribute', 'tag'],
  [...Object.entries(orderKeys), ...Object.entries(stepKeys)].map(
    ([tag, name]): Row => [worklistNames[name], tagText(Number.parseInt(tag, 16))],
  ),
)}

It returns these, Patient's Birth Date and Sex, Requested Procedure Description, and of the step Description, Station Name, Status and Comments; every
other requested attribute is empty. Accession Number, Requested Procedure ID and Scheduled Procedure Step ID are the same. Open orders are returned:
SCHEDULED, or STARTED when a device or an image has begun them.

Of a performed step the status is recorded, for the orders that Scheduled Step Attributes Sequence names by Study Instance UID; a step without an order
is accepted. Final states are never left (0110 with Error ID A710); other statuses: 0106, 0111, 0112, 0117, 0118, 0120.

## Media

A medium is a zip with \`DICOMDIR\` at its root (PS3.10) and the objects as \`DICOM/IM000001\` and so on, byte for byte in their stored transfer syntax; a
file without preamble or group 0002 gets them. Uncompressed on request, in Explicit VR Little Endian: then by the profile STD-GEN-CD, and by STD-DEN-CD where the
files have the attributes that it requires ([decision 153](decisions/153-discs.md)). Records: PATIENT, STUDY, SERIES, IMAGE, PRESENTATION, SR DOCUMENT. What a file lacks is filled as in [decision 100](decisions/100-dicom-medium.md). The zip is
encrypted with AES-256 on request.

An imported DICOMDIR names the files of its folder: those that are missing are listed as missing.

## Mounts and the display of images

On request a medium has each mount as a Basic Structured Display (PS3.3 A.33.7), and for each of its images a presentation state (A.33.1; A.33.2 for
colour images and palettes). See [decision 146](decisions/146-mounts-as-dicom-objects.md).

- A box for each slot, layout SINGLE; an empty slot has Referenced Image Sequence without items. One screen, whose pixels are the units of the mount.
- A text box for the label of a slot: its description, else its teeth (ISO 3950).
- Rotation by 90, 180 or 270 degrees, flip, window or VOI LUT with its function, inversion, modality transform, graphics and texts in PIXEL units.
- Displayed area: the whole image, SCALE TO FIT.
- A private block, creator \`DENTARIUM 1.0\`, group 0071, has what the standard attributes cannot say; other programs may drop it.

What standard attributes cannot say is listed in the zip: ${list(notExpressedParts)}.

Both come in again, in any order, also from other programs. A mount is made once for each structured display; images that are missing keep their slots
and are mounted when they come. A state of another program becomes the display of its image in the mount where display settings can say it; it stays
beside the image to be chosen. What is not shown is named: ${list(notTakenParts)}.

Basic Structured Display, as written:

${elementsOf(displayFile())}

Grayscale Softcopy Presentation State, as written for an image with a modality transform and marks:

${elementsOf(sampleState)}

## Security

DICOM on the network: TLS 1.2 and 1.3, with certificates of devices on request. Access tokens and service accounts: [dicomweb-access.md](dicomweb-access.md). Each retrieval, import and export is in the access log. Anonymised media follow
the Basic Application Confidentiality Profile of PS3.15 with unchanged pixels ([decision 101](decisions/101-anonymised-copies.md)); they have no mounts and marks.

## Not supported

Storage Commitment, Patient Root, hanging protocols, structured reports of measurements, and reading of pseudo-color and blending presentation states.
`;
