import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import { mayDo } from '../../contract/claims.ts';
import { defaultTemplateId, extentOf, viewsetCreate } from '../../contract/viewsets.ts';
import { uidOfUuid } from '../../dicom/write/uid.ts';
import type { Schema, StoredSlot } from '../db/schema.ts';
import { insertAccesses } from '../db/stores/access-log.ts';
import { noteStudyDate, type PatientRow } from '../db/stores/patients.ts';
import { ensureStudy, findStudyByUid } from '../db/stores/studies.ts';
import { findTemplate } from '../db/stores/templates.ts';
import { findViewset, insertViewset, itemsOfViewset } from '../db/stores/viewsets.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal, withoutRight } from '../refusal.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { inReach, patientInReach } from './patient-in-reach.ts';
import { drawnSlots, slotOfItem, viewsetItemOf } from './viewset-slots.ts';
import { viewsetView } from './viewset-view.ts';

type Wish = z.output<NonNullable<typeof viewsetCreate.body>>;

/** What a new viewset is a copy of. */
interface Pattern {
  readonly name: string;
  readonly templateId: string | null;
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
  if (!isTheirs) throw new Refusal('not-found');
  const { name, width, height, items } = template;
  return { name, templateId: id, width, height, slots: items };
};

/** Given slots, else the named template, else the slots of the named viewset, else the default template. */
const patternOf = async (
  db: Kysely<Schema>,
  principal: Principal,
  customerId: string,
  wish: Wish,
): Promise<Pattern> => {
  if (wish.viewSetItems) {
    const slots = drawnSlots(wish.viewSetItems);
    return { name: 'Uppställning', templateId: null, ...extentOf(slots), slots };
  }
  if (wish.templateUUID) return patternOfTemplate(db, principal, customerId, wish.templateUUID);
  if (wish.currentViewsetUID) {
    const like = inReach(principal, await findViewset(db, wish.currentViewsetUID));
    const slots = (await itemsOfViewset(db, like.id)).map(slotOfItem);
    return { name: like.name, templateId: like.template_id, width: like.width, height: like.height, slots };
  }
  return patternOfTemplate(db, principal, customerId, defaultTemplateId);
};

/** The day at the clinic, not in Greenwich. */
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

/** @throws Refusal 'not-found', 'study-of-another-patient' */
const studyOf = async (transaction: Transaction<Schema>, patient: PatientRow, uid: string): Promise<string> => {
  const study = await findStudyByUid(transaction, patient.customer_id, uid);
  if (!study || study.deleted_at !== null) throw new Refusal('not-found');
  if (study.patient_id !== patient.id) throw new Refusal('study-of-another-patient');
  return study.id;
};

export const viewsetCreateRoute = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, news, thumbLinks } = deps;

  bind(server, binding, viewsetCreate, async ({ principal, body }) => {
    const { currentStudyUID } = body;
    if (currentStudyUID === null && mayDo(principal.permissions, 'disable.new_study'))
      throw withoutRight('disable.new_study');
    const patient = await patientInReach(db, principal, body.patientUID);
    const id = randomUUID();
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
      await insertAccesses(transaction, [
        {
          at: new Date(),
          accountId: principal.accountId,
          customerId: patient.customer_id,
          patientId: patient.id,
          action: 'viewset.created',
          objectId: id,
        },
      ]);
      return viewsetView(transaction, thumbLinks, inReach(principal, await findViewset(transaction, id)));
    });
    const record = { principal, customerId: patient.customer_id, patientId: patient.id };
    await news.viewsetsChanged(record, [{ id, version: view.version }]);
    await news.patientChanged(record);
    return view;
  });
};
