import { Readable } from 'node:stream';
import { jsonOf } from '../dicom/dicom-json.ts';
import { readDicomFile } from '../dicom/file.ts';
import { tags } from '../dicom/tags.ts';
import { transferSyntaxes } from '../dicom/transfer-syntax.ts';
import { dataSetOf } from '../server/dicom-gateway/data-set-of.ts';
import { encodeIdentifier } from '../server/dicom-gateway/encode-identifier.ts';
import { commandFields, statuses } from '../server/dimse/message/message.ts';
import { findService } from '../server/dimse/provider/find-service.ts';
import { type Listener, listenForAssociations } from '../server/dimse/provider/listen.ts';
import { getService } from '../server/dimse/provider/retrieve-services.ts';
import { RequestRefused } from '../server/dimse/provider/services.ts';
import { acceptedSyntaxes, storageSyntaxes } from '../server/dimse/provider/supported-syntaxes.ts';

/** Starts another archive on a port of this machine: it finds these images of one study, whatever is searched for, and hands them out by C-GET. */
export const startDicomArchive = (port: number, files: readonly Uint8Array[]): Promise<Listener> => {
  const images = files.map((bytes) => ({ bytes, ...readDicomFile(bytes) }));
  const onError = (error: unknown) => console.error(error);
  const find = findService(async (identifier, transferSyntaxUid) => {
    const isStudy = identifier.code(0x00080052) === 'STUDY';
    const found = images.slice(0, isStudy ? 1 : images.length).map(({ dataSet }) => {
      const { '7FE00010': _, ...attributes } = jsonOf(dataSet, () => null);
      const counted = { '00080061': { vr: 'CS', Value: ['IO'] }, '00201208': { vr: 'IS', Value: [images.length] } };
      return { ...attributes, ...counted };
    });
    const isExplicit = transferSyntaxUid === transferSyntaxes.explicitLittleEndian;
    const identifiers = found.map((attributes) => encodeIdentifier(attributes, isExplicit));
    return { ignoresKeys: false, identifiers: Readable.from(identifiers) };
  }, onError);
  const get = getService({
    destinationOf: async () => {
      throw new RequestRefused(statuses.destinationUnknown, 'It sends to nowhere else');
    },
    objectsOf: async () =>
      images.map(({ bytes, dataSet, transferSyntaxUid }) => ({
        sopClassUid: dataSet.code(tags.sopClassUid) ?? '',
        sopInstanceUid: dataSet.code(tags.sopInstanceUid) ?? '',
        transferSyntaxUid,
        open: async () => dataSetOf(Readable.from([Buffer.from(bytes)])),
      })),
    onError,
  });
  return listenForAssociations({
    host: '127.0.0.1',
    port,
    maxAssociations: 16,
    admit: async () => ({
      syntaxesOf: acceptedSyntaxes({ canRetrieve: true, canStore: false, seesWorklist: false }),
      syntaxesAsUser: storageSyntaxes,
      services: { [commandFields.findRequest]: find, [commandFields.getRequest]: get },
    }),
    onEnd: () => undefined,
    onError,
  });
};
