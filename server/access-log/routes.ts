import type { FastifyInstance } from 'fastify';
import {
  type AccessEntry,
  accessAction,
  accessLogExtract,
  accessLogGet,
  accessLogUsers,
  isByRecipient,
} from '../../contract/access-log.ts';
import { hasClaim } from '../../contract/claims.ts';
import {
  type AccessRow,
  accountsOfLog,
  type LogPatient,
  pageOfAccesses,
  patientOfLog,
  programsOfLog,
} from '../db/stores/access-log-pages.ts';
import { accountById } from '../db/stores/account-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { seesProtected } from '../domain/policy/sees-protected.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { stockholmDay } from '../domain/stockholm-time.ts';
import { bind } from '../route-binding.ts';
import type { AccessLogDependencies } from './dependencies.ts';
import { extractLines } from './extract.ts';
import { csvExtract } from './extract-csv.ts';
import { logTexts } from './log-texts.ts';
import { reviewRoutes } from './review-routes.ts';

const patientOf = (row: AccessRow, principal: Principal): AccessEntry['patient'] => {
  if (row.patient_id === null) return null;
  const protectedIdentity = row.has_protected_identity ?? false;
  return protectedIdentity && !seesProtected(principal)
    ? { id: row.patient_id, name: '', personalNumber: '', protectedIdentity }
    : {
        id: row.patient_id,
        name: row.patient_name ?? '',
        personalNumber: row.personal_number ?? '',
        protectedIdentity,
      };
};

const entryOf = (row: AccessRow, principal: Principal): AccessEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  action: accessAction.parse(row.action),
  account:
    row.account_id === null
      ? null
      : {
          id: row.account_id,
          name: row.account_name ?? '',
          email: row.account_email ?? '',
          isServiceAccount: row.is_service_account,
          isDevice: row.is_device,
        },
  role: isByRecipient(row.action) ? null : row.role,
  clinic: row.customer_id === null ? null : { id: row.customer_id, name: row.customer_name ?? '' },
  patient: patientOf(row, principal),
  detail: row.detail,
  address: row.address,
  refused: row.request === null ? null : { request: row.request, id: row.object_id },
});

/**
 * Returns the clinic whose entries the caller may read, or null for all clinics.
 * @throws ProblemError 'not-found' for a clinic that the caller may not use
 */
const clinicOf = (principal: Principal, requestedId: string | undefined): string | null => {
  const clinic = requestedId ?? (hasClaim(principal.permissions, 'customer.get_byid') ? null : principal.customerId);
  if (clinic !== null && canUseClinic(principal, clinic)) return clinic;
  if (requestedId === undefined && hasClaim(principal.permissions, 'customer.get_byid')) return null;
  throw new ProblemError('not-found');
};

/** Registers the routes that list the access log and export an extract for a patient. Both are logged themselves. */
export const accessLogRoutes = (server: FastifyInstance, dependencies: AccessLogDependencies): void => {
  const { db, binding, accessLog } = dependencies;
  reviewRoutes(server, dependencies);

  /** @throws ProblemError 'not-found' */
  const requirePatient = async (principal: Principal, id: string): Promise<LogPatient> => {
    const patient = await patientOfLog(db, id);
    if (!patient || !canUseClinic(principal, patient.customer_id)) throw new ProblemError('not-found');
    return patient;
  };

  bind(server, binding, accessLogGet, async ({ principal, query: { before, ppage, customerId, ...filters } }) => {
    const clinic = clinicOf(principal, customerId);
    const patient = filters.patientId === undefined ? null : await requirePatient(principal, filters.patientId);
    const stretch = { before: before ?? null, limit: ppage + 1 };
    const asked = { ...filters, customerId: clinic, seesProtected: seesProtected(principal) };
    const rows = await pageOfAccesses(db, asked, stretch);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient?.customer_id ?? clinic,
      patientId: patient?.id ?? null,
      action: 'log.read',
      objectId: null,
    });
    return { data: rows.slice(0, ppage).map((row) => entryOf(row, principal)), hasMore: rows.length > ppage };
  });

  bind(server, binding, accessLogUsers, async ({ principal, query, language }) => {
    const clinic = clinicOf(principal, query.customerId);
    const programs = await programsOfLog(db, clinic, language);
    return [
      ...(await accountsOfLog(db, clinic, language)),
      ...programs.map(({ id, name }) => ({ id, name, email: '' })),
    ];
  });

  bind(server, binding, accessLogExtract, async ({ principal, params, query, reply }) => {
    const patient = await requirePatient(principal, params.id);
    const by = await accountById(db, principal.accountId);
    const { format, language, from, to } = query;
    const words = logTexts(language);
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
      // `no-store`: neither patient names nor log contents stay in the cache of a shared workstation.
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="${words.text('extractName')}-${stockholmDay(madeAt)}.${format}"`,
    });
    if (format === 'csv') return reply.type('text/csv; charset=utf-8').send(csvExtract(extract, lines));
    // Loaded at the first extract: the server starts sooner.
    const { pdfExtract } = await import('./extract-pdf.ts');
    return reply.type('application/pdf').send(pdfExtract(extract, lines));
  });
};
