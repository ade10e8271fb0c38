import type { FastifyInstance } from 'fastify';
import { imageExport, imagePrint } from '../../../contract/print.ts';
import { recipientDetail } from '../../../contract/recipient.ts';
import { bind } from '../../route-binding.ts';
import { drainRequest } from '../../web/drain-request.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { leavingEntries, requireImages } from '../leaving-images.ts';
import { composePrint, printLayout } from './compose-print.ts';
import { printFacts } from './print-facts.ts';
import { printTexts } from './print-texts.ts';
import { readPrintForm } from './read-print-form.ts';

/** Registers the routes that log exported pictures and that make printable files of images. */
export const printRoutes = (parent: FastifyInstance, deps: ResourceDependencies): void => {
  const { binding, accessLog } = deps;

  bind(parent, binding, imageExport, async ({ principal, body }) => {
    const rows = await requireImages(deps, principal, { imageUIDs: body.imageUIDs });
    await accessLog.note(...leavingEntries(principal, rows, 'image.exported', body));
    return { imageUIDs: rows.map(({ id }) => id) };
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
            detail: recipientDetail(print),
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
