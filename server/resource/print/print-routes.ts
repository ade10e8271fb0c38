import type { FastifyInstance } from 'fastify';
import { imageExport, imagePrint } from '../../../contract/print.ts';
import { imagesToDownload } from '../../db/stores/downloads.ts';
import { requireAccessible } from '../../domain/policy/require-accessible.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bind } from '../../route-binding.ts';
import { drainRequest } from '../../web/drain-request.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { composePrint, printLayout } from './compose-print.ts';
import { printFacts } from './print-facts.ts';
import { printTexts } from './print-texts.ts';
import { readPrintForm } from './read-print-form.ts';

const detailOf = ({ recipient, purpose }: { recipient?: string | undefined; purpose?: string | undefined }) =>
  [recipient, purpose].filter(Boolean).join(': ') || null;

/** Registers the routes that log exported pictures and that make printable files of images. */
export const printRoutes = (parent: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog } = deps;

  bind(parent, binding, imageExport, async ({ principal, body }) => {
    const ids = [...new Set(body.imageUIDs)];
    const rows = await imagesToDownload(db, { imageUIDs: ids }, ids.length);
    if (rows.length !== ids.length) throw new ProblemError('not-found');
    for (const row of rows) requireAccessible(principal, row);
    await accessLog.note(
      ...rows.map((row) => ({
        accountId: principal.accountId,
        customerId: row.customer_id,
        patientId: row.patient_id,
        action: 'image.exported' as const,
        objectId: row.id,
        detail: detailOf(body),
      })),
    );
    return { imageUIDs: ids };
  });

  void parent.register(async (server) => {
    // The handler reads the multipart body itself.
    server.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));

    bind(server, binding, imagePrint, async ({ principal, request, reply }) => {
      try {
        const { print, admitted, pictures } = await readPrintForm(request, async (asked) => {
          const facts = await printFacts(deps, principal, asked);
          return { facts, layout: printLayout(asked, facts) };
        });
        const { facts, layout } = admitted;
        const { accountId } = principal;
        const record = { accountId, customerId: facts.customerId, patientId: facts.patientId };
        const images = new Set(facts.pictures.map(({ imageId }) => imageId));
        await accessLog.note(
          ...[...images].map((objectId) => ({
            ...record,
            action: 'image.printed' as const,
            objectId,
            detail: detailOf(print),
          })),
          ...facts.notes.map(({ ownerId }) => ({ ...record, action: 'note.opened' as const, objectId: ownerId })),
        );
        const texts = printTexts(print.language);
        const pdf = await composePrint({ request: print, facts, texts, madeAt: new Date() }, layout, pictures);
        return await reply
          .headers({
            'cache-control': 'private, no-store',
            'content-disposition': 'attachment; filename="images.pdf"',
            'x-content-type-options': 'nosniff',
          })
          .type('application/pdf')
          .send(pdf);
      } finally {
        drainRequest(request.raw);
      }
    });
  });
};
