import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import { hasClaim } from '../../contract/claims.ts';
import { candidatesOf, proposeSlots } from '../../contract/propose-slots.ts';
import { defaultTemplateId, extentOf, type Viewset, viewsetCreate } from '../../contract/viewsets.ts';
import { uidOfUuid } from '../../dicom/write/uid.ts';
import type { Schema } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { noteStudyDate, type PatientRow } from '../db/stores/patients.ts';
import { mountImages } from '../db/stores/placements.ts';
import { ensureStudy, findStudyByUid } from '../db/stores/studies.ts';
import { findTemplate } from '../db/stores/templates.ts';
import { slotOfItem, viewsetItemOf } from '../db/stores/viewset-slots.ts';
import { findViewset, insertViewset, itemsOfViewset } from '../db/stores/viewsets.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { noRightError, ProblemError } from '../domain/problem-error.ts';
import type { StoredSlot } from '../domain/stored-slot.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { drawnSlots } from './viewset-slots.ts';
import { viewsetView } from './viewset-view.ts';

type CreateRequest = z.output<NonNullable<typeof viewsetCreate.body>>;

/** The modality of slots that were not made for one: without teeth they accept any image. */
const intraOral = 'IO';

/** The source that a new viewset is copied from. */
interface Pattern {
  readonly name: string;
  readonly templateId: string | null;
  readonly modality: string;
  readonly width: number;
  readonly height: number;
  readonly slots: readonly StoredSlot[];
}

const patternOfTemplate = async (
  db: Kysely<Schema>,
  principal: Principal,
  customerId: string,
  id: string,
): Promise<Pattern> => {
  const template = await findTemplate(db, principal.accountId, id);
  const isTheirs = template && (template.customer_id === null || template.customer_id === customerId);
  if (!isTheirs) throw new ProblemError('not-found');
  const { name, modality, width, height, items } = template;
  return { name, templateId: id, modality, width, height, slots: items };
};

/** Returns the given slots, else those of the named template, else those of the named viewset, else the default template. */
const patternOf = async (
  db: Kysely<Schema>,
  principal: Principal,
  customerId: string,
  request: CreateRequest,
): Promise<Pattern> => {
  if (request.viewSetItems) {
    const slots = drawnSlots(request.viewSetItems);
    return { name: 'Montage', templateId: null, modality: intraOral, ...extentOf(slots), slots };
  }
  if (request.templateUUID) return patternOfTemplate(db, principal, customerId, request.templateUUID);
  if (request.currentViewsetUID) {
    const like = requireAccessible(principal, await findViewset(db, request.currentViewsetUID));
    const slots = (await itemsOfViewset(db, like.id)).map(slotOfItem);
    const template = like.template_id ? await findTemplate(db, principal.accountId, like.template_id) : undefined;
    const { name, template_id: templateId, width, height } = like;
    return { name, templateId, modality: template?.modality ?? intraOral, width, height, slots };
  }
  return patternOfTemplate(db, principal, customerId, defaultTemplateId);
};

/** Date in the time zone of the clinic, not UTC. */
const today = () => new Date().toLocaleDateString('sv-SE');

const newStudy = async (
  transaction: Transaction<Schema>,
  patient: PatientRow,
  description: string,
): Promise<string> => {
  const studyDate = today();
  const { id } = await ensureStudy(transaction, {
    customerId: patient.customer_id,
    patientId: patient.id,
    uid: uidOfUuid(randomUUID()),
    description,
    studyDate,
    accessionNumber: null,
  });
  await noteStudyDate(transaction, patient.id, studyDate);
  return id;
};

/** @throws ProblemError 'not-found', 'study-of-another-patient' */
const studyOf = async (transaction: Transaction<Schema>, patient: PatientRow, uid: string): Promise<string> => {
  const study = await findStudyByUid(transaction, patient.customer_id, uid);
  if (!study || study.deleted_at !== null) throw new ProblemError('not-found');
  if (study.patient_id !== patient.id) throw new ProblemError('study-of-another-patient');
  return study.id;
};

/** Returns the image of each slot that takes one of the images in the tray. */
const proposedImages = ({ detachedImages, viewSetItems }: Viewset, modality: string): ReadonlyMap<number, string> => {
  const proposed = proposeSlots({ modality, slots: viewSetItems }, candidatesOf(detachedImages));
  return new Map(Object.entries(proposed).map(([itemIndex, imageId]) => [Number(itemIndex), imageId]));
};

export const viewsetCreateRoute = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, events, thumbLinks } = deps;

  bind(server, binding, viewsetCreate, async ({ principal, body }) => {
    const { currentStudyUID } = body;
    if (currentStudyUID === null && hasClaim(principal.permissions, 'disable.new_study'))
      throw noRightError('disable.new_study');
    const patient = await requireAccessiblePatient(db, principal, body.patientUID);
    const id = randomUUID();
    const links = thumbLinks.of(principal);
    const view = await db.transaction().execute(async (transaction) => {
      const pattern = await patternOf(transaction, principal, patient.customer_id, body);
      const name = body.name ?? pattern.name;
      const study_id =
        currentStudyUID === null
          ? await newStudy(transaction, patient, name)
          : await studyOf(transaction, patient, currentStudyUID);
      const { width, height, templateId: template_id } = pattern;
      const items = pattern.slots.map((slot) => viewsetItemOf(id, slot));
      await insertViewset(transaction, { id, study_id, name, comments: null, template_id, width, height }, items);
      const access = {
        at: new Date(),
        accountId: principal.accountId,
        customerId: patient.customer_id,
        patientId: patient.id,
      };
      await insertAccesses(transaction, [{ ...access, action: 'viewset.created', objectId: id }]);
      const viewNow = async () =>
        viewsetView(transaction, links, requireAccessible(principal, await findViewset(transaction, id)));
      const created = await viewNow();
      if (!body.placeImages) return created;
      const placed = proposedImages(created, pattern.modality);
      if (placed.size === 0) return created;
      await mountImages(transaction, id, placed);
      const mounted = [...placed.values()].map((objectId) => ({
        ...access,
        action: 'image.mounted' as const,
        objectId,
      }));
      await insertAccesses(transaction, mounted);
      return viewNow();
    });
    const record = { principal, customerId: patient.customer_id, patientId: patient.id };
    await events.viewsetsChanged(record, [{ id, version: view.version }]);
    await events.patientChanged(record);
    return view;
  });
};
