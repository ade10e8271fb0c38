import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sharedDownload, sharedOpen, sharedRendition, sharedThumbnail } from '../../../contract/shared-links.ts';
import { noOverlayPlanes } from '../../../dicom/overlay-planes.ts';
import { readRendition } from '../../../dicom/rendition/read-rendition.ts';
import { writeRendition } from '../../../dicom/rendition/write-rendition.ts';
import { imagesToDownload } from '../../db/stores/downloads.ts';
import { imageOfLink, imagesOfLink } from '../../db/stores/shared-images.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { bindOpen } from '../../route-binding.ts';
import { clientAddress } from '../../web/client-address.ts';
import { sendThumbnail } from '../../web/send-thumbnail.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { gather, sendZip, whileConnected } from '../download/gather-zip.ts';
import { requireAny } from '../download/gathered.ts';
import { referralFile } from '../download/referral-file.ts';
import { sendRendition } from '../send-rendition.ts';
import { entryOfRecipient, openSharedLink, requireOpening } from './open-shared-link.ts';
import { sharedContentOf } from './shared-content.ts';

/** Text and lines of the file that are not part of the pixels may name the patient. */
const withoutPlanes = (bytes: Uint8Array): Uint8Array =>
  writeRendition({ ...readRendition(bytes), overlayPlanes: noOverlayPlanes });

/** Registers the routes for recipients of links. They accept only the bearer of an opened link, which no other route accepts. */
export const sharedRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog, renditions, thumbnails, beginFromAddress } = deps;

  /** @throws ProblemError 'shared-link-invalid'; 'not-found' for an image that is not, or no longer, shared; 'image-has-no-pixels' */
  const requireImage = async (request: FastifyRequest, imageId: string) => {
    const link = await requireOpening(deps, request);
    const image = await imageOfLink(db, link, imageId);
    if (!image) throw new ProblemError('not-found');
    if (image.kind === 'document') throw new ProblemError('image-has-no-pixels');
    return { link, image };
  };

  bindOpen(server, binding, sharedOpen, async ({ body, request, reply }) => {
    const attempt = await beginFromAddress(clientAddress(request));
    if (!attempt) throw new ProblemError('too-many-requests');
    const { link, bearer } = await openSharedLink(deps, body).catch(async (error: unknown) => {
      if (error instanceof ProblemError && error.code === 'too-many-requests') await attempt.undo();
      throw error;
    });
    await attempt.undo();
    reply.header('cache-control', 'no-store');
    return { ...sharedContentOf(link, await imagesOfLink(db, link)), bearer };
  });

  // Not logged one by one: the opening of the page is.
  bindOpen(server, binding, sharedRendition, async ({ query, request, reply }) => {
    const { link, image } = await requireImage(request, query.imageUID);
    if (query.frame > image.frames) throw new ProblemError('not-found');
    return sendRendition(
      renditions.of(image.sha256, query.frame, query.level).then(link.shows_patient ? undefined : withoutPlanes),
      reply,
    );
  });

  bindOpen(server, binding, sharedThumbnail, async ({ query, request, reply }) => {
    const { image } = await requireImage(request, query.imageUID);
    return sendThumbnail(thumbnails.of(image.sha256), reply);
  });

  bindOpen(server, binding, sharedDownload, async ({ request, reply }) => {
    const link = await requireOpening(deps, request);
    const imageUIDs = (await imagesOfLink(db, link)).map(({ id }) => id);
    const rows = await imagesToDownload(db, { imageUIDs }, imageUIDs.length);
    if (rows.length === 0) throw new ProblemError('not-found');
    const content = link.shows_patient ? 'originals' : 'anonymised';
    const what = { content, confirmedBurnedIn: link.confirmed_burned_in } as const;
    const gathered = await gather(deps, what, rows, whileConnected(reply));
    requireAny(gathered);
    await accessLog.note(entryOfRecipient(link, 'share.downloaded'));
    const { recipient, question } = link;
    const referral = { recipient, ...(link.purpose !== null && { purpose: link.purpose }), question: question ?? '' };
    return sendZip(reply, gathered, question && link.shows_patient ? [referralFile(referral, gathered.sent)] : []);
  });
};
