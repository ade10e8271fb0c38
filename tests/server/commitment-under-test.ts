import { Readable } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { type DicomJson, jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { readElements } from '../../dicom/read-elements.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { commitmentJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import type { Association } from '../../server/dimse/association/association.ts';
import {
  type ObjectReference,
  storageCommitment,
  storageCommitmentInstance,
} from '../../server/dimse/message/commitment.ts';
import { commandFields } from '../../server/dimse/message/message.ts';
import type { RoleSelection } from '../../server/dimse/pdu/associate.ts';
import { type Listener, listenForAssociations } from '../../server/dimse/provider/listen.ts';
import { respond, type Service } from '../../server/dimse/provider/services.ts';
import { acceptedSyntaxes, syntaxesAsUser } from '../../server/dimse/provider/supported-syntaxes.ts';
import { askForCommitment, commitmentContexts } from '../../server/dimse/user/commitment.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { createRequests } from '../../server/dimse/user/requests.ts';
import { gatewayTitle } from './gateway-under-test.ts';

export const xRay = '1.2.840.10008.5.1.4.1.1.1.1';
const { explicitLittleEndian } = transferSyntaxes;
const storageContext = { id: 3, abstractSyntax: xRay, transferSyntaxes: [explicitLittleEndian] };

export const referenceTo = (sopInstanceUid: string, sopClassUid = xRay): ObjectReference => ({
  sopClassUid,
  sopInstanceUid,
});

/** A report of the archive as a device gets it. */
export interface Report {
  readonly event: number | undefined;
  readonly instance: string | undefined;
  readonly transaction: unknown;
  readonly committed: readonly unknown[];
  /** UID and reason. */
  readonly failed: readonly (readonly unknown[])[];
}

const itemsOf = (json: DicomJson, tag: string) => (json[tag]?.Value ?? []) as readonly DicomJson[];
const first = (json: DicomJson, tag: string) => json[tag]?.Value?.[0];

export const reportOf = (bytes: Buffer, explicitVr: boolean): Omit<Report, 'event' | 'instance'> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const json = jsonOf(
    readElements({ bytes, view, explicitVr, littleEndian: true }, 0, bytes.length).dataSet,
    () => null,
  );
  return {
    transaction: first(json, '00081195'),
    committed: itemsOf(json, '00081199').map((item) => first(item, '00081155')),
    failed: itemsOf(json, '00081198').map((item) => [first(item, '00081155'), first(item, '00081197')]),
  };
};

/** Reads a report that has arrived, and answers it. */
export const answerReport = async (
  association: Association,
  message: Parameters<Service>[1],
  status = 0,
): Promise<Report> => {
  const bytes = Buffer.concat(await Readable.from(message.dataSet ?? []).toArray());
  const explicitVr = association.contexts.get(message.contextId)?.transferSyntax === explicitLittleEndian;
  const { eventTypeId: event, affectedSopInstanceUid: instance } = message.command;
  await respond(association, message, status);
  return { event, instance, ...reportOf(bytes, explicitVr) };
};

/** A device that receives reports. */
export const reportedDevice = async (
  statusOf: (count: number) => number = () => 0,
  port = 0,
  tls: TlsOptions | null = null,
) => {
  const reports: Report[] = [];
  const roles: (readonly RoleSelection[])[] = [];
  let attempts = 0;
  const rights = { canRetrieve: false, canStore: false, seesWorklist: false, asksCommitment: true };
  const listener: Listener = await listenForAssociations({
    host: '127.0.0.1',
    port,
    tls,
    maxAssociations: 8,
    admit: async (request) => {
      roles.push(request.roles);
      return {
        syntaxesOf: acceptedSyntaxes(rights),
        syntaxesAsUser: syntaxesAsUser(rights),
        services: {
          [commandFields.eventReportRequest]: async (association, message) => {
            attempts += 1;
            const status = statusOf(attempts);
            const report = await answerReport(association, message, status);
            if (status === 0) reports.push(report);
          },
        },
      };
    },
    onEnd: () => undefined,
    onError: () => undefined,
  });
  return { ...listener, reports, roles, attempts: () => attempts };
};

/** Opens an association for storage and commitment with the gateway. */
export const openForCommitment = ({ port }: { readonly port: number }, aeTitle = 'UNIT'): Promise<Association> =>
  openAssociation({ host: '127.0.0.1', port, aeTitle: gatewayTitle }, aeTitle, [...commitmentContexts, storageContext]);

export const ask = (association: Association, transaction: string, objects: readonly ObjectReference[]) =>
  askForCommitment(association, (explicitVr) => encodeIdentifier(commitmentJson(transaction, objects), explicitVr));

/** Sends N-ACTION with other values of the command. Returns the response. */
export const askWith = async (association: Association, more: object, identifier: Buffer) => {
  await association.send(
    1,
    {
      commandField: commandFields.actionRequest,
      messageId: 9,
      requestedSopClassUid: storageCommitment,
      requestedSopInstanceUid: storageCommitmentInstance,
      actionTypeId: 1,
      ...more,
    },
    Readable.from([identifier]),
  );
  return (await association.receive())?.command;
};

export const dataSetIn = (file: Uint8Array): Buffer => {
  const [tag = 0] = readDicomFile(file).dataSet.elements.keys();
  return Buffer.from(file.subarray((readDicomFile(file).dataSet.elements.get(tag)?.offset ?? 0) - 8));
};

/** Stores a file (C-STORE). Returns the status. */
export const storeFile = async (association: Association, file: Uint8Array): Promise<number> => {
  const sopInstanceUid = readDicomFile(file).dataSet.code(0x00080018) ?? '';
  const dataSet = Readable.from([dataSetIn(file)]);
  const object = { sopClassUid: xRay, sopInstanceUid, transferSyntaxUid: explicitLittleEndian, dataSet };
  return (await createRequests(association).store(object)).status;
};
