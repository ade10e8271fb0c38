import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Schema, StructuredDisplay } from '../../db/schema.ts';
import { insertAccesses } from '../../db/stores/access-log.ts';
import {
  clearAwaited,
  hasTemplate,
  lockDisplayObject,
  mountOfDisplay,
  setStructuredDisplay,
} from '../../db/stores/arriving-displays.ts';
import { saveDisplay } from '../../db/stores/displays.ts';
import { readPlacement, writePlacement } from '../../db/stores/stored-placement.ts';
import { viewsetItemOf } from '../../db/stores/viewset-slots.ts';
import { insertViewset, itemsOfViewset, lockViewsets, updateViewset } from '../../db/stores/viewsets.ts';
import { isMounted } from '../../domain/placement.ts';
import type { ViewsetVersion } from '../../domain/record-events.ts';
import type { SlotPlan } from './plan-slots.ts';
import type { ArrivedDisplay } from './read-display-objects.ts';

/** The patient whose objects have arrived, and the user or program that brought them. */
export interface Arrival {
  readonly customerId: string;
  readonly patientId: string;
  readonly accountId: string;
}

const notTakenOf = (
  { mount }: ArrivedDisplay,
  plans: readonly SlotPlan[],
  before: readonly string[] = [],
): string[] => [...new Set([...before, ...mount.notTaken, ...plans.flatMap((plan) => plan.notTaken)])];

/** Saves the displays of mounted images that have none yet: what a user has set stays. */
const saveDisplays = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  plans: readonly SlotPlan[],
): Promise<void> => {
  for (const { imageId, display } of plans) {
    if (imageId === null || display === undefined) continue;
    await saveDisplay(transaction, { imageId, viewsetId, display, accountId: null }, 0);
  }
};

const makeMount = async (
  transaction: Transaction<Schema>,
  arrived: ArrivedDisplay,
  plans: readonly SlotPlan[],
  { customerId, patientId, accountId }: Arrival,
): Promise<ViewsetVersion> => {
  const { row, mount } = arrived;
  const { name, comments, width, height, templateUuid } = mount;
  const id = randomUUID();
  const planned = new Map(plans.map((plan) => [plan.itemIndex, plan]));
  const template = templateUuid !== null && (await hasTemplate(transaction, customerId, templateUuid));
  const structured: StructuredDisplay = { imageId: row.id, notTaken: notTakenOf(arrived, plans) };
  const viewset = { id, study_id: row.study_id, name, comments, template_id: template ? templateUuid : null };
  await insertViewset(
    transaction,
    { ...viewset, width, height, structured_display: JSON.stringify(structured) },
    mount.slots.map((slot) => {
      const plan = planned.get(slot.itemIndex);
      const awaited = plan && plan.imageId === null ? plan.sopInstanceUid : null;
      return { ...viewsetItemOf(id, slot), image_id: plan?.imageId ?? null, awaited_uid: awaited };
    }),
  );
  await saveDisplays(transaction, id, plans);
  const entry = { at: new Date(), accountId, customerId, patientId, objectId: id };
  await insertAccesses(transaction, [{ ...entry, action: 'viewset.created' }]);
  return { id, version: 1 };
};

/** Mounts images that were missing, where the slot is still empty and no user has unmounted the image. */
const mountMissing = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  plans: readonly SlotPlan[],
): Promise<boolean> => {
  const awaited = new Map(
    (await itemsOfViewset(transaction, viewsetId)).map((one) => [one.item_index, one.awaited_uid]),
  );
  const arrived = plans.filter(
    ({ itemIndex, imageId, sopInstanceUid }) => imageId !== null && awaited.get(itemIndex) === sopInstanceUid,
  );
  if (arrived.length === 0) return false;
  const now = await readPlacement(transaction, viewsetId);
  const { slots, tray } = now.placement;
  const filled = arrived.flatMap(({ itemIndex, imageId }): [number, string][] =>
    imageId !== null && slots.get(itemIndex) === null && !isMounted(now.placement, imageId) && !tray.includes(imageId)
      ? [[itemIndex, imageId]]
      : [],
  );
  await writePlacement(transaction, viewsetId, now, { tray, slots: new Map([...slots, ...filled]) });
  const done = arrived.map(({ itemIndex }) => itemIndex);
  await clearAwaited(transaction, viewsetId, done);
  return true;
};

const completeMount = async (
  transaction: Transaction<Schema>,
  arrived: ArrivedDisplay,
  plans: readonly SlotPlan[],
  viewsetId: string,
): Promise<ViewsetVersion | null> => {
  const [locked] = await lockViewsets(transaction, [viewsetId]);
  if (!locked) return null;
  const isChanged = await mountMissing(transaction, viewsetId, plans);
  const mounted = new Set((await itemsOfViewset(transaction, viewsetId)).map(({ image_id }) => image_id));
  const here = plans.filter(({ imageId }) => mounted.has(imageId));
  await saveDisplays(transaction, viewsetId, here);
  const notTaken = notTakenOf(arrived, here, locked.structured_display?.notTaken);
  await setStructuredDisplay(transaction, viewsetId, { imageId: arrived.row.id, notTaken });
  return isChanged ? { id: viewsetId, version: await updateViewset(transaction, viewsetId) } : null;
};

/**
 * Makes the mount of a structured display once, or completes it with images and states that have arrived since. A mount that is
 * here already, or in the recycle bin, is not made again. Null when its placement has not changed.
 */
export const arrangeMount = async (
  transaction: Transaction<Schema>,
  arrived: ArrivedDisplay,
  plans: readonly SlotPlan[],
  arrival: Arrival,
): Promise<ViewsetVersion | null> => {
  const { row, mount } = arrived;
  if (!(await lockDisplayObject(transaction, row.id))) return null;
  const known = await mountOfDisplay(transaction, arrival.patientId, row.id, mount.ownId);
  if (!known) return makeMount(transaction, arrived, plans, arrival);
  if (known.deleted_at !== null || known.structured_display?.imageId !== row.id) return null;
  return completeMount(transaction, arrived, plans, known.id);
};
