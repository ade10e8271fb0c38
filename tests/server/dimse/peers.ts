import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import { type LinkLimits, usualLimits } from '../../../server/dimse/association/link.ts';
import { commandFields } from '../../../server/dimse/message/message.ts';
import type { ProposedContext } from '../../../server/dimse/pdu/associate.ts';
import {
  type AssociationReport,
  type Listener,
  type ListenOptions,
  listenForAssociations,
} from '../../../server/dimse/provider/listen.ts';
import type { IncomingObject, ObjectSink, OpenSink } from '../../../server/dimse/provider/object-sink.ts';
import { echoService } from '../../../server/dimse/provider/services.ts';
import { storeService } from '../../../server/dimse/provider/store-service.ts';
import { acceptedSyntaxes, verificationSopClass } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../../server/dimse/user/open-association.ts';
import { bytesOf, element } from '../../dicom/build-dicom.ts';

export const { explicitLittleEndian } = transferSyntaxes;
export const intraOralImage = '1.2.840.10008.5.1.4.1.1.1.3';
export const archiveTitle = 'ARCHIVE';

/** What an archive accepts that stores. */
export const storingSyntaxes = acceptedSyntaxes({ canRetrieve: false, canStore: true, seesWorklist: false });

/** An object that the archive of a test received. */
export interface StoredObject {
  readonly object: IncomingObject;
  readonly bytes: Buffer;
}

/** An archive of a test: everything that it received, and how its associations ended. */
export interface TestArchive extends Listener {
  readonly stored: StoredObject[];
  readonly discarded: IncomingObject[];
  readonly reports: AssociationReport[];
  readonly errors: unknown[];
  /** Sinks that are open. */
  readonly open: Set<IncomingObject>;
}

type Received = Pick<TestArchive, 'stored' | 'discarded' | 'open'>;

const memorySink =
  ({ stored, discarded, open }: Received): OpenSink =>
  async (object): Promise<ObjectSink> => {
    const chunks: Uint8Array[] = [];
    open.add(object);
    return {
      write: async (chunk) => {
        chunks.push(chunk.slice());
      },
      commit: async () => {
        open.delete(object);
        stored.push({ object, bytes: Buffer.concat(chunks) });
      },
      discard: async () => {
        open.delete(object);
        discarded.push(object);
      },
    };
  };

export const quickLimits: LinkLimits = { ...usualLimits, artimMs: 300, peerTimeoutMs: 600 };

/** Starts an archive that stores in memory, or in the given sink; it is closed after the test. */
export const startArchive = async (options: Partial<ListenOptions> = {}, openSink?: OpenSink): Promise<TestArchive> => {
  const received = { stored: [], discarded: [], open: new Set<IncomingObject>() } satisfies Received;
  const [reports, errors]: [AssociationReport[], unknown[]] = [[], []];
  const listener = await listenForAssociations({
    host: '127.0.0.1',
    port: 0,
    maxAssociations: 16,
    admit: async () => ({
      syntaxesOf: storingSyntaxes,
      services: {
        [commandFields.echoRequest]: echoService,
        [commandFields.storeRequest]: storeService(openSink ?? memorySink(received), (error) => errors.push(error)),
      },
    }),
    onEnd: (report) => reports.push(report),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => listener.close());
  return { ...listener, ...received, reports, errors };
};

export const contextsFor = (
  ...pairs: readonly (readonly [abstractSyntax: string, transferSyntax: string])[]
): readonly ProposedContext[] =>
  pairs.map(([abstractSyntax, transferSyntax], index) => ({
    id: index * 2 + 1,
    abstractSyntax,
    transferSyntaxes: [transferSyntax],
  }));

export const usualContexts = contextsFor(
  [verificationSopClass, explicitLittleEndian],
  [intraOralImage, explicitLittleEndian],
);

/** Opens an association with an archive of a test. */
export const openTo = (
  { port }: { readonly port: number },
  contexts: readonly ProposedContext[] = usualContexts,
  limits: LinkLimits = usualLimits,
) => openAssociation({ host: '127.0.0.1', port, aeTitle: archiveTitle }, 'UNIT', contexts, limits);

/** A new object: its UID, and its data set in explicit little endian with pixel data of random bytes. */
export const drawnObject = (sizeBytes: number, sopClassUid = intraOralImage) => {
  const sopInstanceUid = uidOfUuid(crypto.randomUUID());
  const dataSet = Buffer.from(
    bytesOf(
      element(0x00080016, 'UI', sopClassUid),
      element(0x00080018, 'UI', sopInstanceUid),
      element(0x00100020, 'LO', 'T-1'),
      element(0x7fe00010, 'OB', randomBytes(sizeBytes)),
    ),
  );
  return { sopClassUid, sopInstanceUid, dataSet };
};

/** The bytes in pieces, as a file or socket gives them. */
export async function* inPieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A folder that is removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dimse-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
