import type { Transaction } from 'kysely';
import type { DemoClinic, DemoStudy } from '../../demo/clinic-model.ts';
import type { Schema } from '../db/schema.ts';
import { findStudyByUid } from '../db/stores/studies.ts';
import { viewsetItemOf } from '../db/stores/viewset-slots.ts';
import { insertViewset } from '../db/stores/viewsets.ts';

const seedViewset = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  customerId: string,
  study: DemoStudy,
  imageIdOf: (sopInstanceUid: string) => string,
): Promise<void> => {
  const { viewset } = study;
  if (!viewset) return;
  const row = await findStudyByUid(transaction, customerId, study.uid);
  if (!row) throw new Error(`The study of a demo viewset is not stored: ${study.uid}`);
  const template = clinic.templates.find(({ uuid }) => uuid === viewset.templateUuid);
  if (!template) throw new Error(`The demo clinic names an unknown template: ${viewset.templateUuid}`);
  const placed = new Map(viewset.placements.map((place) => [place.itemIndex, imageIdOf(place.sopInstanceUid)]));
  const values = {
    id: viewset.viewSetUuid,
    study_id: row.id,
    name: viewset.name,
    comments: viewset.comments,
    template_id: template.uuid,
    width: template.width,
    height: template.height,
  };
  const items = template.viewSetItems.map((slot) => ({
    ...viewsetItemOf(viewset.viewSetUuid, slot),
    image_id: placed.get(slot.itemIndex) ?? null,
  }));
  await insertViewset(transaction, values, items);
};

/** Mounts the demo images in their viewsets; all of them must be stored. */
export const seedViewsets = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  imageIdOf: (sopInstanceUid: string) => string,
): Promise<void> => {
  for (const patient of clinic.patients) {
    for (const study of patient.studies) await seedViewset(transaction, clinic, patient.customerId, study, imageIdOf);
  }
};
