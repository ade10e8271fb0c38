import type { ConnectionOptions, TlsOptions } from 'node:tls';
import type { Kysely } from 'kysely';
import type { AccessLog } from '../access-log/access-log.ts';
import { createRepetitions } from '../access-log/refused-calls.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import type { Schema } from '../db/schema.ts';
import {
  type DicomDeviceRow,
  dicomDeviceById,
  dicomDeviceCalling,
  noteDicomContact,
} from '../db/stores/dicom-devices.ts';
import { isMovedFrom } from '../db/stores/dicom-moves.ts';
import type { Imaging } from '../dicom/imaging.ts';
import type { LinkLimits } from '../dimse/association/link.ts';
import { commandFields, statuses } from '../dimse/message/message.ts';
import type { AssociateRequest } from '../dimse/pdu/associate.ts';
import { type Rejection, rejections } from '../dimse/pdu/pdu.ts';
import { commitmentReportService, commitmentRequestService } from '../dimse/provider/commitment-services.ts';
import { findService } from '../dimse/provider/find-service.ts';
import {
  type Admission,
  type AssociationReport,
  type Listener,
  listenForAssociations,
} from '../dimse/provider/listen.ts';
import { getService, moveService } from '../dimse/provider/retrieve-services.ts';
import { echoService, respond, type Service, type Services } from '../dimse/provider/services.ts';
import { createStepService, setStepService } from '../dimse/provider/step-services.ts';
import { storeService } from '../dimse/provider/store-service.ts';
import { acceptedSyntaxes, modalityWorklist, studyRoot, syntaxesAsUser } from '../dimse/provider/supported-syntaxes.ts';
import type { ObjectReceiver } from '../imports/receive-object.ts';
import type { FileStore } from '../storage/file-store.ts';
import { archiveFind } from './archive-find.ts';
import { archiveRetrieval } from './archive-retrieval.ts';
import { archiveSteps } from './archive-steps.ts';
import { archiveStore } from './archive-store.ts';
import { archiveWorklist } from './archive-worklist.ts';
import { archiveCommitments } from './commitment/archive-commitments.ts';
import { deviceReports } from './commitment/device-reports.ts';

export interface GatewayOptions {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly imaging: Pick<Imaging, 'frame'>;
  readonly accessLog: AccessLog;
  readonly receiver: ObjectReceiver;
  /** Longest object that is stored. */
  readonly maxObjectBytes: number;
  readonly filesPerImport: number;
  readonly aeTitle: string;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsOptions | null;
  /** For devices that are called by TLS. */
  readonly callTls: ConnectionOptions;
  /** Learns how each association ended. */
  readonly onEnd: (report: AssociationReport) => void;
  /** Learns of failures of this program. */
  readonly onFailure: (error: unknown) => void;
  readonly limits?: LinkLimits;
}

/** How many associations are open at once. */
export const maxAssociations = 16;

const admittedBy = [
  'aeTitle',
  'address',
  'canRetrieve',
  'canStore',
  'atOnce',
  'seesWorklist',
  'asksCommitment',
] as const;

/** Whether a device is admitted as it was: with the same title, address and rights. */
const isUnchanged = (before: DicomDeviceRow, now: DicomDeviceRow): boolean =>
  admittedBy.every((name) => before[name] === now[name]);

/** Lets a device use a service while it is listed so: one that was removed or changed meanwhile is disconnected. */
const whileListed =
  ({ db }: GatewayOptions, device: DicomDeviceRow) =>
  (service: Service): Service =>
  async (association, message) => {
    try {
      const listed = await dicomDeviceById(db, device);
      if (listed && isUnchanged(device, listed)) return service(association, message);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      const errorComment = 'The database is not available';
      return respond(association, message, statuses.outOfResources, { errorComment });
    }
    association.abort();
  };

interface Admitted {
  /** It was asked to send objects (C-MOVE). */
  readonly isMovedFrom: boolean;
  /** It was shown the same order a moment ago. */
  readonly isRepeated: (shown: string) => boolean;
}

/** The services that a device may use. */
const admissionOf = (
  options: GatewayOptions,
  device: DicomDeviceRow,
  { isMovedFrom: isAsked, isRepeated }: Admitted,
): Admission => {
  const { asksCommitment, canRetrieve, canStore, seesWorklist } = device;
  const retrieval = archiveRetrieval(options, device);
  const storing = archiveStore(options, device);
  const listed = whileListed(options, device);
  const findStudies = findService(archiveFind(options, device), options.onFailure);
  const findOrders = findService(archiveWorklist({ ...options, isRepeated }, device), options.onFailure);
  const steps = archiveSteps(options.db, device);
  const commitments = archiveCommitments({ ...options, finishStoring: storing.finish }, device);
  const finding: Services = {
    [commandFields.findRequest]: listed((association, message) => {
      const { abstractSyntax } = association.contexts.get(message.contextId) ?? {};
      if (abstractSyntax === modalityWorklist) return findOrders(association, message);
      if (abstractSyntax === studyRoot.find) return findStudies(association, message);
      // The other right was given: only contexts of the rights of the device are accepted.
      return respond(association, message, statuses.sopClassNotSupported, { errorComment: 'No query of this context' });
    }),
  };
  const performing: Services = {
    [commandFields.createRequest]: listed(createStepService(steps, options.onFailure)),
    [commandFields.setRequest]: listed(setStepService(steps, options.onFailure)),
  };
  const retrieving: Services = {
    [commandFields.moveRequest]: listed(moveService(retrieval)),
    [commandFields.getRequest]: listed(getService(retrieval)),
  };
  const storage: Services = {
    [commandFields.storeRequest]: listed(storeService(storing.openSink, options.onFailure)),
  };
  const committing: Services = {
    [commandFields.actionRequest]: listed(
      commitmentRequestService(commitments.record, commitments.recorded, options.onFailure),
    ),
  };
  const confirming: Services = {
    [commandFields.eventReportRequest]: listed(
      commitmentReportService(deviceReports(options.db, device.id), options.onFailure),
    ),
  };
  return {
    syntaxesOf: acceptedSyntaxes({ ...device, isMovedFrom: isAsked }),
    syntaxesAsUser: syntaxesAsUser(device),
    services: {
      [commandFields.echoRequest]: echoService,
      ...(canRetrieve || seesWorklist ? finding : {}),
      ...(seesWorklist ? performing : {}),
      ...(canRetrieve ? retrieving : {}),
      ...(canStore || isAsked ? storage : {}),
      ...(canStore ? committing : {}),
      ...(asksCommitment ? confirming : {}),
    },
    onEnd: () => void storing.finish().catch(options.onFailure),
  };
};

/** Accepts associations of the listed devices. Each one, and each refused caller once a minute, is written to the access log. */
export const openGateway = (options: GatewayOptions): Promise<Listener> => {
  const { db, accessLog, aeTitle, onEnd, onFailure } = options;
  const isRepeated = createRepetitions();
  const isShownAgain = createRepetitions();

  const refuse = async ({ callingAeTitle }: AssociateRequest, address: string, rejection: Rejection) => {
    if (!isRepeated(address))
      await accessLog.note({
        accountId: null,
        customerId: null,
        patientId: null,
        action: 'dicom-device.refused',
        objectId: null,
        detail: callingAeTitle,
        address,
      });
    return rejection;
  };

  const admitListed = async (request: AssociateRequest, address: string): Promise<Rejection | Admission> => {
    if (request.calledAeTitle !== aeTitle) return refuse(request, address, rejections.calledAeTitle);
    const device = await dicomDeviceCalling(db, { aeTitle: request.callingAeTitle, address });
    if (!device) return refuse(request, address, rejections.callingAeTitle);
    const { id, customerId } = device;
    await accessLog.note({
      accountId: id,
      customerId,
      patientId: null,
      action: 'dicom-device.connected',
      objectId: id,
      address,
    });
    await noteDicomContact(db, id, 'connected');
    return admissionOf(options, device, { isMovedFrom: await isMovedFrom(db, id), isRepeated: isShownAgain });
  };

  /** A device tries again when it is rejected for a while. */
  const admit: typeof admitListed = async (request, address) => {
    try {
      return await admitListed(request, address);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      onFailure(error);
      return rejections.congestion;
    }
  };

  return listenForAssociations({ ...options, maxAssociations, admit, onEnd, onError: onFailure });
};
