import type { Kysely, Transaction } from 'kysely';
import type { DataSet } from '../../dicom/data-set.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import { tags } from '../../dicom/tags.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import type { DicomDeviceRow } from '../db/stores/dicom-devices.ts';
import {
  endPerformedStep,
  insertPerformedStep,
  lockPerformedStep,
  type StepStatus,
} from '../db/stores/performed-steps.ts';
import { statuses } from '../dimse/message/message.ts';
import { RequestRefused } from '../dimse/provider/services.ts';
import type { StepReports } from '../dimse/provider/step-services.ts';
import { publishInTransaction } from '../hub/hub.ts';

const performedStepStatus = 0x00400252;
const scheduledStepAttributes = 0x00400270;
/** Error ID of a step that has ended (PS3.4 F.7.2.2.2). */
const mayNotBeUpdated = 0xa710;

const statusOf: Readonly<Record<string, StepStatus>> = {
  'IN PROGRESS': 'in-progress',
  COMPLETED: 'completed',
  DISCONTINUED: 'discontinued',
};

/** @throws RequestRefused for another status than those of the standard */
const statusIn = (attributes: DataSet): StepStatus | null => {
  const code = attributes.code(performedStepStatus);
  if (code === null) return null;
  const status = statusOf[code];
  if (!status) throw new RequestRefused(statuses.invalidAttributeValue, 'The status of the step is unknown');
  return status;
};

/** @throws RequestRefused */
const studyUidsIn = (attributes: DataSet): string[] => {
  if (!attributes.elements.has(scheduledStepAttributes))
    throw new RequestRefused(statuses.missingAttribute, 'The attributes of the scheduled step are missing');
  try {
    return attributes.sequence(scheduledStepAttributes).flatMap((item) => item.code(tags.studyInstanceUid) ?? []);
  } catch (problem) {
    if (!(problem instanceof DicomProblem)) throw problem;
    throw new RequestRefused(statuses.invalidAttributeValue, 'The attributes of the scheduled step are malformed');
  }
};

const available = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new RequestRefused(statuses.processingFailure, 'The database is not available');
  }
};

/** Records the steps that a device reports, and with them the status of the orders of its clinic. */
export const archiveSteps = (db: Kysely<Schema>, device: DicomDeviceRow): StepReports => {
  const { id: accountId, customerId } = device;
  const noteReported = async (
    transaction: Transaction<Schema>,
    orders: readonly { readonly id: string; readonly patient_id: string }[],
    detail: StepStatus,
  ) => {
    await insertAccesses(
      transaction,
      orders.map(({ id: objectId, patient_id: patientId }) => {
        return { at: new Date(), accountId, customerId, patientId, action: 'order.reported', objectId, detail };
      }),
    );
    for (const { patient_id: patientId } of orders)
      await publishInTransaction(transaction, [`clinic:${customerId}`], { name: 'OrdersChanged', body: { patientId } });
  };

  return {
    create: (sopInstanceUid, attributes) =>
      available(
        db.transaction().execute(async (transaction) => {
          const status = statusIn(attributes);
          if (status === null) throw new RequestRefused(statuses.missingAttribute, 'The status of the step is missing');
          if (status !== 'in-progress')
            throw new RequestRefused(statuses.invalidAttributeValue, 'A step begins IN PROGRESS');
          const studyUids = studyUidsIn(attributes);
          const orders = await insertPerformedStep(transaction, device, { sopInstanceUid, studyUids });
          if (!orders) throw new RequestRefused(statuses.duplicateSopInstance, 'The step is known already');
          await noteReported(transaction, orders, status);
        }),
      ),
    set: (sopInstanceUid, attributes) =>
      available(
        db.transaction().execute(async (transaction) => {
          const step = await lockPerformedStep(transaction, customerId, sopInstanceUid);
          if (!step) throw new RequestRefused(statuses.noSuchSopInstance, 'The step is unknown');
          if (step.status !== 'in-progress')
            throw new RequestRefused(statuses.processingFailure, 'The step may no longer be updated', mayNotBeUpdated);
          const status = statusIn(attributes) ?? 'in-progress';
          // What else is set is not stored here.
          if (status === 'in-progress') return;
          await noteReported(transaction, await endPerformedStep(transaction, step.id, status), status);
        }),
      ),
  };
};
