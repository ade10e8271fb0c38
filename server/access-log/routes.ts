import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import {
  type AccessEntry,
  accessAction,
  accessLogExtract,
  accessLogGet,
  accessLogPeople,
} from '../../contract/access-log.ts';
import { mayDo } from '../../contract/claims.ts';
import type { Schema } from '../db/schema.ts';
import {
  type AccessRow,
  type LogPatient,
  pageOfAccesses,
  patientOfLog,
  peopleOfLog,
} from '../db/stores/access-log-pages.ts';
import { accountById } from '../db/stores/account-store.ts';
import { mayUseClinic } from '../policy/may-use-clinic.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { type Binding, bind } from '../route-binding.ts';
import type { AccessLog } from './access-log.ts';
import { extractLines } from './extract.ts';
import { csvExtract } from './extract-csv.ts';
import { pdfExtract } from './extract-pdf.ts';
import { logWords } from './log-words.ts';
import { stockholmDay } from './stockholm-time.ts';

export interface AccessLogDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly accessLog: AccessLog;
}

const entryOf = (row: AccessRow): AccessEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  action: accessAction.parse(row.action),
  account:
    row.account_id === null
      ? null
      : { id: row.account_id, name: row.account_name ?? '', email: row.account_email ?? '' },
  role: row.role,
  clinic: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name ?? '' },
  patient:
    row.patient_id === null
      ? null
      : { id: row.patient_id, name: row.patient_name ?? '', personalNumber: row.personal_number ?? '' },
  detail: row.detail,
});

/**
 * Whose entries the caller may read: those of one clinic, or (null) of all.
 * @throws Refusal 'not-found' for a clinic that is not theirs
 */
const clinicOf = (principal: Principal, asked: string | undefined): string | null => {
  const clinic = asked ?? (mayDo(principal.permissions, 'customer.get_byid') ? null : principal.customerId);
  if (clinic !== null && mayUseClinic(principal, clinic)) return clinic;
  if (asked === undefined && mayDo(principal.permissions, 'customer.get_byid')) return null;
  throw new Refusal('not-found');
};

/** Reading the log, and the extract for a patient. Both are in the log themselves. */
export const accessLogRoutes = (server: FastifyInstance, { db, binding, accessLog }: AccessLogDependencies): void => {
  /** @throws Refusal 'not-found' */
  const patientInReach = async (principal: Principal, id: string): Promise<LogPatient> => {
    const patient = await patientOfLog(db, id);
    if (!patient || !mayUseClinic(principal, patient.customer_id)) throw new Refusal('not-found');
    return patient;
  };

  bind(server, binding, accessLogGet, async ({ principal, query: { before, ppage, customerId, ...asked } }) => {
    const clinic = clinicOf(principal, customerId);
    const patient = asked.patientId === undefined ? null : await patientInReach(principal, asked.patientId);
    const stretch = { before: before ?? null, limit: ppage + 1 };
    const rows = await pageOfAccesses(db, { ...asked, customerId: clinic }, stretch);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient?.customer_id ?? clinic,
      patientId: patient?.id ?? null,
      action: 'log.read',
      objectId: null,
    });
    return { data: rows.slice(0, ppage).map(entryOf), hasMore: rows.length > ppage };
  });

  bind(server, binding, accessLogPeople, ({ principal, query }) =>
    peopleOfLog(db, clinicOf(principal, query.customerId)),
  );

  bind(server, binding, accessLogExtract, async ({ principal, params, query, reply }) => {
    const patient = await patientInReach(principal, params.id);
    const by = await accountById(db, principal.accountId);
    const { format, language, from, to } = query;
    const words = logWords(language);
    const madeAt = new Date();
    const madeBy = by ? `${by.firstName} ${by.lastName}` : '';
    const extract = { patient, from, to, madeAt, madeBy, words };
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient.customer_id,
      patientId: patient.id,
      action: 'log.extracted',
      objectId: null,
      detail: format,
    });
    const lines = extractLines(db, extract);
    reply.headers({
      // Neither whose it is nor what it says stays on the disk of a shared workstation unless the person keeps it.
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="${words.text('extractName')}-${stockholmDay(madeAt)}.${format}"`,
    });
    return format === 'csv'
      ? reply.type('text/csv; charset=utf-8').send(csvExtract(extract, lines))
      : reply.type('application/pdf').send(pdfExtract(extract, lines));
  });
};
