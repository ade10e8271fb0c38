import { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import type { DicomWebLevel } from '../../server/db/stores/dicomweb-keys.ts';
import { reportJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import { startCommitmentReports } from '../../server/dicom-gateway/commitment/commitment-reports.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import type { CommandSet } from '../../server/dimse/message/command-set.ts';
import { storageCommitment } from '../../server/dimse/message/commitment.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import {
  modalityPerformedStep,
  modalityWorklist,
  studyRoot,
  verificationSopClass,
} from '../../server/dimse/provider/supported-syntaxes.ts';
import { reportCommitment, reportingRole } from '../../server/dimse/user/commitment.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { ask, openForCommitment, referenceTo, reportedDevice, storeFile, xRay } from './commitment-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import {
  type allRights,
  destinationOf,
  type MatrixRecord,
  newStepOf,
  orderOf,
  records,
  stepOf,
  studyOf,
  transactionOf,
} from './gateway-matrix-records.ts';
import { type GatewayUnderTest, gatewayTitle, identifierOf, type Keys } from './gateway-under-test.ts';

/** Requests that a peer may send. */
export type Requested = Exclude<keyof typeof commandFields, 'storeResponse' | 'echoResponse' | 'cancelRequest'>;

export interface Tools {
  readonly archive: ArchiveUnderTest;
  readonly gateway: GatewayUnderTest;
  readonly ports: { readonly unit: number; readonly viewer: number };
}

export interface GatewayScene {
  /** What the device needs; null: to be listed. */
  readonly right: keyof typeof allRights | null;
  readonly sopClass: string;
  /** Sends a request about a record as the device `UNIT` of the own clinic, and returns all that the device sees. */
  readonly ask: (record: MatrixRecord, tools: Tools) => Promise<unknown>;
  /** What it sees of its own clinic. */
  readonly own: unknown;
}

const aeTitle = 'UNIT';
const { implicitLittleEndian } = transferSyntaxes;
const uids = ({ root }: MatrixRecord, level: 'STUDY' | 'SERIES' | 'IMAGE'): Keys => ({
  '00080052': level,
  '0020000D': `${root}.1`,
  ...(level !== 'STUDY' && { '0020000E': `${root}.1.1` }),
  ...(level === 'IMAGE' && { '00080018': `${root}.1.1.1` }),
});
const found = (tag: string, uid: string) => ({ dataSet: { [tag]: { Value: [uid] } } });
const none = [{ command: { status: statuses.success } }];

/** One association with one context. */
const exchange = async ({ gateway }: Tools, sopClass: string, command: CommandSet, identifier: Buffer) => {
  const node = { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle };
  const contexts = [{ id: 1, abstractSyntax: sopClass, transferSyntaxes: [implicitLittleEndian] }];
  const association = await openAssociation(node, aeTitle, contexts);
  const { answers } = await gateway.ask(association, sopClass, command, identifier);
  await association.release();
  return answers;
};

const finding = (ask: GatewayScene['ask'], own: unknown): GatewayScene => ({
  right: 'canRetrieve',
  sopClass: studyRoot.find,
  ask,
  own,
});
const findOf = async (keys: Keys, { gateway }: Tools) => (await gateway.find(keys, { aeTitle })).answers;

/** By UID, by number and by name. */
const findStudies = async (record: MatrixRecord, tools: Tools) => {
  const study = { '00080052': 'STUDY', '0020000D': '', '00100010': '', '00100020': '' };
  const keys: Keys[] = [{ '0020000D': studyOf(record) }, { '00100020': record.number }, { '00100010': record.name }];
  return Promise.all(keys.map((key) => findOf({ ...study, ...key }, tools)));
};

const findOrders = async (record: MatrixRecord, tools: Tools) => {
  const keys: Keys[] = [{ '0020000D': orderOf(record) }, { '00100020': record.number }, { '00100010': record.name }];
  const all = { '0020000D': '', '00100010': '', '00100020': '', '00321060': '' };
  return Promise.all(
    keys.map((key) =>
      exchange(
        tools,
        modalityWorklist,
        { commandField: commandFields.findRequest },
        identifierOf({ ...all, ...key }, false),
      ),
    ),
  );
};

const store = async (record: MatrixRecord, { gateway }: Tools) => {
  const association = await openForCommitment(gateway, aeTitle);
  // Of the study and series of the record, and one with the UID of its image.
  const patient = { PatientID: record.number, PatientName: record.name };
  const stored = [];
  for (const number of [7, 2]) stored.push(await storeFile(association, objectAt(record.root, patient, number)));
  await association.release();
  return stored;
};

const get = async (record: MatrixRecord, { gateway }: Tools) => {
  const stored = [[xRay, [transferSyntaxes.explicitLittleEndian]]] as const;
  const of = async (level: 'STUDY' | 'SERIES' | 'IMAGE') => {
    const { answers, received } = await gateway.get(uids(record, level), { aeTitle, stored });
    return { answers, received: received.map(({ sopInstanceUid }) => sopInstanceUid) };
  };
  return [await of('STUDY'), await of('SERIES'), await of('IMAGE')];
};

/** The record is sent to a device of the own clinic, then the own study to the device of the record. */
const move = async (record: MatrixRecord, { gateway, ports }: Tools) => {
  const peer = await startArchive({ port: ports.viewer });
  const to = async (keys: Keys, destination: string) => (await gateway.move(keys, { aeTitle, destination })).answers;
  const answers = [
    await to(uids(record, 'STUDY'), destinationOf(records.own)),
    await to(uids(record, 'IMAGE'), destinationOf(records.own)),
    await to(uids(records.own, 'STUDY'), destinationOf(record)),
  ];
  await peer.close();
  return { answers, stored: peer.stored.map(({ object }) => object.sopInstanceUid) };
};

/** Asks whether the archive has the images for good, and waits for its report. */
const commit = async (record: MatrixRecord, { archive, gateway, ports }: Tools) => {
  const peer = await reportedDevice(() => 0, ports.unit);
  const onFailure = (error: unknown) => gateway.failures.push(error);
  const options = { db: archive.db, aeTitle: gatewayTitle, tls: {}, onOutcome: () => undefined, onFailure };
  const reports = startCommitmentReports({ ...options, retrySeconds: [0.1], limits: usualLimits });
  const association = await openForCommitment(gateway, aeTitle);
  // The second one of another clinic was sent by the scene of C-STORE, and its import is waited for.
  const status = await ask(association, `${record.root}.11`, [referenceTo(`${record.root}.1.1.1`)]);
  await association.release();
  await expect.poll(() => peer.reports.length, { timeout: 15_000 }).toBe(1);
  await reports.close();
  await peer.close();
  return { status, reports: peer.reports };
};

const reportStored = async (record: MatrixRecord, { gateway }: Tools) => {
  const node = { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle };
  const contexts = [{ id: 1, abstractSyntax: storageCommitment, transferSyntaxes: [implicitLittleEndian] }];
  const association = await openAssociation(node, aeTitle, contexts, usualLimits, [reportingRole]);
  const json = reportJson(transactionOf(record), [referenceTo(`${record.root}.1.1.1`)], []);
  const status = await reportCommitment(association, 1, (explicitVr) => encodeIdentifier(json, explicitVr));
  await association.release();
  return status;
};

const nService = async (tools: Tools, command: CommandSet, attributes: DicomJson) => {
  const node = { host: '127.0.0.1', port: tools.gateway.port, aeTitle: gatewayTitle };
  const contexts = [{ id: 1, abstractSyntax: modalityPerformedStep, transferSyntaxes: [implicitLittleEndian] }];
  const association = await openAssociation(node, aeTitle, contexts);
  await association.send(1, { ...command, messageId: 7 }, Readable.from([encodeIdentifier(attributes, false)]));
  const answer = (await association.receive())?.command;
  await association.release();
  return answer;
};
const stepStatus = (status: string): DicomJson => ({ '00400252': { vr: 'CS', Value: [status] } });

/** A new step of the order, and one with the UID of the step that the clinic has. */
const createSteps = async (record: MatrixRecord, tools: Tools) => {
  const scheduled = { '00400270': { vr: 'SQ', Value: [{ '0020000D': { vr: 'UI', Value: [orderOf(record)] } }] } };
  const answers = [];
  for (const affectedSopInstanceUid of [newStepOf(record), stepOf(record)])
    answers.push(
      await nService(
        tools,
        {
          commandField: commandFields.createRequest,
          affectedSopClassUid: modalityPerformedStep,
          affectedSopInstanceUid,
        },
        { ...stepStatus('IN PROGRESS'), ...scheduled },
      ),
    );
  return answers;
};

const setStep = (record: MatrixRecord, tools: Tools) =>
  nService(
    tools,
    {
      commandField: commandFields.setRequest,
      requestedSopClassUid: modalityPerformedStep,
      requestedSopInstanceUid: stepOf(record),
    },
    stepStatus('COMPLETED'),
  );

const echo = async (_: MatrixRecord, tools: Tools) =>
  exchange(tools, verificationSopClass, { commandField: commandFields.echoRequest }, Buffer.alloc(0));

const { root } = records.own;
const images = [`${root}.1.1.1`, `${root}.1.1.2`];
const done = { command: { status: 0, completedSuboperations: 2 } };

/** Scenes of the requests of a peer. A request without one is a compile error, and so is a level of queries. */
export const gatewayScenes = {
  echoRequest: { echo: { right: null, sopClass: verificationSopClass, ask: echo, own: none } },
  storeRequest: {
    // The archive has another file under the second UID.
    objects: { right: 'canStore', sopClass: xRay, ask: store, own: [0, expect.any(Number)] },
  },
  findRequest: {
    study: finding(
      findStudies,
      [1, 2, 3].map(() => [found('0020000D', `${root}.1`), ...none]),
    ),
    series: finding(
      (record, tools) => findOf(uids(record, 'SERIES'), tools),
      [found('0020000E', `${root}.1.1`), ...none],
    ),
    instance: finding(
      (record, tools) => findOf(uids(record, 'IMAGE'), tools),
      [found('00080018', `${root}.1.1.1`), ...none],
    ),
    worklist: {
      right: 'seesWorklist',
      sopClass: modalityWorklist,
      ask: findOrders,
      own: [1, 2, 3].map(() => [found('0020000D', `${root}.7`), ...none]),
    },
  },
  getRequest: {
    objects: {
      right: 'canRetrieve',
      sopClass: studyRoot.get,
      ask: get,
      own: [{ received: images }, { received: images }, { received: images.slice(0, 1) }],
    },
  },
  moveRequest: {
    objects: {
      right: 'canRetrieve',
      sopClass: studyRoot.move,
      ask: move,
      own: { answers: [[{}, done], [{}], [{}, done]], stored: [...images, `${root}.1.1.1`, ...images] },
    },
  },
  actionRequest: {
    commitment: {
      right: 'canStore',
      sopClass: storageCommitment,
      ask: commit,
      own: { status: 0, reports: [{ event: 1, committed: images.slice(0, 1), failed: [] }] },
    },
  },
  eventReportRequest: {
    commitment: { right: 'asksCommitment', sopClass: storageCommitment, ask: reportStored, own: 0 },
  },
  createRequest: {
    step: {
      right: 'seesWorklist',
      sopClass: modalityPerformedStep,
      ask: createSteps,
      own: [{ status: 0 }, { status: statuses.duplicateSopInstance }],
    },
  },
  setRequest: {
    step: { right: 'seesWorklist', sopClass: modalityPerformedStep, ask: setStep, own: { status: 0 } },
  },
} satisfies Record<Requested, Readonly<Record<string, GatewayScene>>> & {
  readonly findRequest: Readonly<Record<DicomWebLevel | 'worklist', GatewayScene>>;
};
