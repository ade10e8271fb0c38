import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { recipientDetail } from '../../../contract/recipient.ts';
import type { BodyOf } from '../../../contract/route.ts';
import { sharedLinkCreate, sharedLinkEnd, sharedLinkList } from '../../../contract/shared-links.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { endLink, insertLink, linkById, linksOfPatient, sharesLinks } from '../../db/stores/shared-links.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { requireAccessible } from '../../domain/policy/require-accessible.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { requireAccessiblePatient } from '../accessible-patient.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { countBurnedIn } from '../download/anonymised-image.ts';
import { requireImages } from '../leaving-images.ts';
import { newCode, newSecret } from './link-secrets.ts';
import { sharingProblem } from './sharing-problem.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Registers the routes by which users make, list and end links. */
export const sharedLinkRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, files, accessLog, linkCodes } = deps;

  /** Returns the images of one patient that a link shows. */
  const imagesToShare = async (
    principal: Principal,
    body: BodyOf<typeof sharedLinkCreate>,
  ): Promise<[ImageToDownload, ...ImageToDownload[]]> => {
    const found = await requireImages(deps, principal, body);
    const rows = found.filter(({ kind, is_listed }) => is_listed && (body.showsPatient || kind === 'image'));
    const problem = await sharingProblem(db, rows);
    const [first, ...others] = rows;
    if (problem || !first) throw new ProblemError(problem ?? 'image-has-no-pixels');
    if (!body.showsPatient && (await countBurnedIn(files, rows)) > (body.confirmedBurnedIn ?? 0))
      throw new ProblemError('conflict');
    return [first, ...others];
  };

  bind(server, binding, sharedLinkCreate, async ({ principal, body, reply }) => {
    const images = await imagesToShare(principal, body);
    const [{ customer_id, patient_id }] = images;
    const [id, secret, code] = [randomUUID(), newSecret(), newCode()];
    const expires_at = new Date(Date.now() + Number(body.days) * dayMs);
    const link = {
      id,
      customer_id,
      patient_id,
      account_id: principal.accountId,
      expires_at,
      recipient: body.recipient,
      purpose: body.purpose || null,
      question: body.question ?? null,
      shows_patient: body.showsPatient,
      confirmed_burned_in: body.confirmedBurnedIn ?? 0,
      secret_hash: hashedToken(secret),
      code_hash: await linkCodes.hash(code),
    };
    const made = await db.transaction().execute((transaction) =>
      insertLink(
        transaction,
        link,
        images.map((image) => image.id),
      ),
    );
    if (!made) throw new ProblemError('sharing-off');
    await accessLog.note({
      accountId: principal.accountId,
      customerId: customer_id,
      patientId: patient_id,
      action: 'share.created',
      objectId: id,
      detail: recipientDetail(body),
    });
    reply.header('cache-control', 'no-store');
    return { id, secret, code, expiresAt: expires_at.toISOString() };
  });

  bind(server, binding, sharedLinkList, async ({ principal, params }) => {
    const patient = await requireAccessiblePatient(db, principal, params.id);
    const data = await linksOfPatient(db, patient.id);
    await accessLog.note({
      accountId: principal.accountId,
      customerId: patient.customer_id,
      patientId: patient.id,
      action: 'share.listed',
      objectId: null,
    });
    return { isOffered: await sharesLinks(db, patient.customer_id), data };
  });

  bind(server, binding, sharedLinkEnd, async ({ principal, params }) => {
    const link = requireAccessible(principal, await linkById(db, params.id));
    if (!(await endLink(db, link.id))) return {};
    await accessLog.note({
      accountId: principal.accountId,
      customerId: link.customer_id,
      patientId: link.patient_id,
      action: 'share.ended',
      objectId: link.id,
      detail: recipientDetail(link),
    });
    return {};
  });
};
