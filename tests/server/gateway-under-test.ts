import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { jsonOf } from '../../dicom/dicom-json.ts';
import { readElements } from '../../dicom/read-elements.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import type { Schema } from '../../server/db/schema.ts';
import { insertDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { type GatewayOptions, openGateway } from '../../server/dicom-gateway/open-gateway.ts';
import type { Association } from '../../server/dimse/association/association.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import type { CommandSet } from '../../server/dimse/message/command-set.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import type { ProposedContext } from '../../server/dimse/pdu/associate.ts';
import type { AssociationReport } from '../../server/dimse/provider/listen.ts';
import { studyRoot } from '../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { createObjectReceiver } from '../../server/imports/receive-object.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';

export const gatewayTitle = 'DENTARIUM';
const { implicitLittleEndian, explicitLittleEndian } = transferSyntaxes;

export interface Answer {
  readonly command: CommandSet;
  readonly dataSet: DicomJson | null;
}

/** An object that a peer received, without file meta information. */
export interface Received {
  readonly sopInstanceUid: string;
  readonly transferSyntax: string;
  readonly dataSet: Buffer;
}

const collected = async (source: AsyncIterable<Uint8Array> | null): Promise<Buffer> =>
  source ? Buffer.concat(await Readable.from(source).toArray()) : Buffer.alloc(0);

const jsonIn = (bytes: Buffer, explicitVr: boolean): DicomJson => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const source = { bytes, view, explicitVr, littleEndian: true };
  return jsonOf(readElements(source, 0, bytes.length).dataSet, () => null);
};

/** Text elements by tag; a UID list is joined by backslashes. */
export type Keys = Readonly<Record<string, string>>;
const vrs: Readonly<Record<string, string>> = {
  '00080052': 'CS',
  '0020000D': 'UI',
  '0020000E': 'UI',
  '00080018': 'UI',
  '00100010': 'PN',
  '00080020': 'DA',
  '00280010': 'US',
  '00081110': 'SQ',
};
export const identifierOf = (keys: Keys, explicitVr: boolean): Buffer =>
  encodeIdentifier(
    Object.fromEntries(
      Object.entries(keys).map(([tag, value]) => {
        const vr = vrs[tag] ?? 'LO';
        return [tag, value === '' ? { vr } : { vr, Value: [vr === 'PN' ? { Alphabetic: value } : value] }];
      }),
    ),
    explicitVr,
  );

/** Makes a patient and everything of it one of another clinic. */
export const moveToClinic = async (db: Kysely<Schema>, patientId: string, customerId: string): Promise<void> => {
  await sql`update patient set customer_id = ${customerId} where id = ${patientId}`.execute(db);
  await sql`update study set customer_id = ${customerId} where patient_id = ${patientId}`.execute(db);
  await sql`update image set customer_id = ${customerId} where series_id in (
    select series.id from series join study on study.id = study_id where patient_id = ${patientId})`.execute(db);
};

interface OpenOptions {
  readonly aeTitle?: string;
  readonly calledAeTitle?: string;
  readonly syntax?: string;
  /** Storage classes with the syntaxes that are accepted, for C-GET. */
  readonly stored?: readonly (readonly [sopClass: string, syntaxes: readonly string[]])[];
}

/** The gateway of an archive in this process. */
export const gatewayUnderTest = async (
  archive: ArchiveUnderTest,
  { db = archive.db, ...more }: Partial<GatewayOptions> = {},
) => {
  const { clinics } = archive;
  const [reports, failures]: [AssociationReport[], unknown[]] = [[], []];
  const gateway = await openGateway({
    db,
    files: archive.archive.files,
    imaging: archive.archive.imaging,
    accessLog: createAccessLog(db),
    receiver: createObjectReceiver({ db, filesPerImport: 100 }),
    filesPerImport: 100,
    maxObjectBytes: 10_000_000,
    aeTitle: gatewayTitle,
    host: '127.0.0.1',
    port: 0,
    tls: null,
    callTls: {},
    onEnd: (report) => reports.push(report),
    onFailure: (error) => failures.push(error),
    ...more,
  });

  const addDevice = async (more: Partial<Parameters<typeof insertDicomDevice>[1]> = {}): Promise<string> => {
    const device = {
      customerId: clinics.customerId,
      name: 'PACS',
      aeTitle: 'PACS',
      address: '127.0.0.1',
      port: null,
      canRetrieve: true,
      canStore: false,
      atOnce: false,
      seesWorklist: false,
      createdBy: clinics.adminId,
      ...more,
    };
    const id = await db.transaction().execute((transaction) => insertDicomDevice(transaction, device));
    if (!id) throw new Error('the title is taken');
    return id;
  };

  const open = ({
    aeTitle = 'PACS',
    calledAeTitle = gatewayTitle,
    syntax = implicitLittleEndian,
    stored = [],
  }: OpenOptions = {}) => {
    const services = Object.values(studyRoot).map((abstractSyntax) => ({ abstractSyntax, transferSyntaxes: [syntax] }));
    const storage = stored.map(([abstractSyntax, syntaxes]) => ({ abstractSyntax, transferSyntaxes: syntaxes }));
    const contexts: ProposedContext[] = [...services, ...storage].map((one, index) => ({ ...one, id: index * 2 + 1 }));
    const roles = stored.map(([sopClassUid]) => ({ sopClassUid, isUser: false, isProvider: true }));
    const node = { host: '127.0.0.1', port: gateway.port, aeTitle: calledAeTitle };
    return openAssociation(node, aeTitle, contexts, usualLimits, roles);
  };

  /** Sends a request, answers the objects that come, and returns the responses. */
  const ask = async (
    association: Association,
    sopClass: string,
    command: CommandSet,
    identifier: Buffer,
    onResponse: (answer: Answer) => Promise<void> = async () => undefined,
  ) => {
    const context = [...association.contexts.values()].find(({ abstractSyntax }) => abstractSyntax === sopClass);
    if (!context) throw new Error('the context was not accepted');
    const explicitVr = context.transferSyntax === explicitLittleEndian;
    await association.send(
      context.id,
      { ...command, affectedSopClassUid: sopClass, messageId: 7, priority: 0 },
      Readable.from([identifier]),
    );
    const answers: Answer[] = [];
    const received: Received[] = [];
    for (;;) {
      const message = await association.receive();
      if (!message) throw new Error('released');
      const bytes = await collected(message.dataSet);
      if (message.command.commandField === commandFields.storeRequest) {
        const { messageId = 0, affectedSopInstanceUid: sopInstanceUid = '' } = message.command;
        const { transferSyntax = '' } = association.contexts.get(message.contextId) ?? {};
        received.push({ sopInstanceUid, transferSyntax, dataSet: bytes });
        const response = { commandField: commandFields.storeResponse, respondedMessageId: messageId, status: 0 };
        await association.send(message.contextId, response);
        continue;
      }
      const answer = { command: message.command, dataSet: message.dataSet ? jsonIn(bytes, explicitVr) : null };
      answers.push(answer);
      if (![statuses.pending, statuses.pendingWithoutKeys].includes((answer.command.status ?? 0) as never)) break;
      await onResponse(answer);
    }
    return { answers, received, last: answers.at(-1)?.command ?? { commandField: 0 } };
  };

  const requestOf =
    (field: number, sopClass: string, more: object = {}) =>
    async (keys: Keys, options: OpenOptions & { readonly destination?: string } = {}) => {
      const association = await open(options);
      const { syntax = implicitLittleEndian, destination } = options;
      const command = { commandField: field, ...more, ...(destination ? { moveDestination: destination } : {}) };
      const result = await ask(association, sopClass, command, identifierOf(keys, syntax === explicitLittleEndian));
      await association.release();
      return result;
    };

  return {
    ...gateway,
    reports,
    failures,
    addDevice,
    open,
    ask,
    find: requestOf(commandFields.findRequest, studyRoot.find),
    move: requestOf(commandFields.moveRequest, studyRoot.move),
    get: requestOf(commandFields.getRequest, studyRoot.get),
  };
};

export type GatewayUnderTest = Awaited<ReturnType<typeof gatewayUnderTest>>;
