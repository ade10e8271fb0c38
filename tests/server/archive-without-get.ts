import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { createAccessLog } from '../../server/access-log/access-log.ts';
import { dicomDeviceCalling } from '../../server/db/stores/dicom-devices.ts';
import { archiveFind } from '../../server/dicom-gateway/archive-find.ts';
import { archiveRetrieval } from '../../server/dicom-gateway/archive-retrieval.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { type Rejection, rejections } from '../../server/dimse/pdu/pdu.ts';
import { findService } from '../../server/dimse/provider/find-service.ts';
import { type Admission, listenForAssociations } from '../../server/dimse/provider/listen.ts';
import { moveService, type Retrieval } from '../../server/dimse/provider/retrieve-services.ts';
import { respond, type Service } from '../../server/dimse/provider/services.ts';
import { acceptedSyntaxes, studyRoot, syntaxesAsUser } from '../../server/dimse/provider/supported-syntaxes.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';

export const otherTitle = 'PACS';

/** The service, which notes the status of each response. */
export const noting =
  (answers: (number | undefined)[], service: Service): Service =>
  (association, message) => {
    const send: typeof association.send = (context, command, dataSet) => {
      answers.push(command.status);
      return association.send(context, command, dataSet);
    };
    return service({ ...association, send }, message);
  };

const rights = { canRetrieve: true, canStore: true, seesWorklist: false };
const refusedService: Service = (association, message) => respond(association, message, statuses.unrecognizedOperation);

interface Changes {
  readonly find?: Service;
  /** Answers C-GET, in whose context it is accepted then. */
  readonly get?: (retrieval: Retrieval) => Service;
  readonly hasMove?: boolean;
  readonly tls?: TlsOptions | null;
  readonly move?: (service: Service) => Service;
  readonly retrieval?: (retrieval: Retrieval) => Retrieval;
}

/** Another archive that offers C-FIND and C-MOVE, and no C-GET; `other` holds its images and its devices. */
export const archiveWithoutGet = async (
  other: ArchiveUnderTest,
  { find, get, hasMove = true, move, retrieval, tls = null }: Changes = {},
) => {
  const { db, archive } = other;
  const onFailure = (error: unknown) => console.error(error);
  const options = {
    db,
    files: archive.files,
    imaging: archive.imaging,
    accessLog: createAccessLog(db),
    callTls: {},
    onFailure,
  };
  const accepted = acceptedSyntaxes(rights);
  const listener = await listenForAssociations({
    host: '127.0.0.1',
    port: 0,
    tls,
    maxAssociations: 8,
    admit: async ({ callingAeTitle: aeTitle }, address): Promise<Rejection | Admission> => {
      const device = await dicomDeviceCalling(db, { aeTitle, address });
      if (!device) return rejections.callingAeTitle;
      const retrieving = archiveRetrieval(options, device);
      const changed = retrieval?.(retrieving) ?? retrieving;
      const moving = moveService(changed);
      return {
        syntaxesAsUser: syntaxesAsUser(rights),
        syntaxesOf: (uid) =>
          (uid === studyRoot.get && !get) || (uid === studyRoot.move && !hasMove) ? null : accepted(uid),
        services: {
          [commandFields.findRequest]:
            find ?? findService(archiveFind({ ...options, aeTitle: otherTitle }, device), onFailure),
          [commandFields.moveRequest]: move?.(moving) ?? moving,
          [commandFields.getRequest]: get?.(changed) ?? refusedService,
        },
      };
    },
    onEnd: () => undefined,
    onError: onFailure,
  });
  onTestFinished(listener.close);
  return listener;
};
